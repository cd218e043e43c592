#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>

namespace bentwood {

/// The number of cores that this thread may run on now: programs and users (taskset) can take some away.
[[nodiscard]] std::size_t n_cores();

/// The threads that wait for work, one pool for the process; see Helpers.
class WorkerPool;

/// The workers that do a piece of work together while this lives.
///
/// Each of them calls `work` once, which returns when there is nothing left to do, and must not throw. Where the
/// system refuses to make a thread (a limit of processes or of memory) fewer come, or none: the calling
/// thread must be able to do without them. Nested and concurrent calls share the workers of the process.
class Helpers {
 public:
  /// Calls up to `n_wanted` workers. The first is called here and each calls two more, so that little work
  /// does not wake many. The process gets no more than there are cores, or `n_threads` where that is more;
  /// while others have them all, those that become free come later.
  Helpers(std::size_t n_wanted, std::size_t n_threads, const std::function<void()>& work);
  /// Calls off those who have not begun, and waits for the rest to return from `work`.
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// Whether there was a worker to call at the beginning. It may be long before it begins.
  [[nodiscard]] bool found_one() const { return found_one_; }

 private:
  friend class WorkerPool;

  WorkerPool& pool_;
  const std::function<void()>& work_;
  std::size_t n_wanted_;  // the pool's mutex guards these
  std::size_t n_threads_;
  std::atomic<std::size_t> n_called_ = 0;
  std::condition_variable all_left_;
  bool found_one_ = false;
};

/// How many workers the process has now: those of earlier calls stay and wait for the next one. More than there are cores
/// leave after a second without work.
[[nodiscard]] std::size_t n_workers();

}  // namespace bentwood
