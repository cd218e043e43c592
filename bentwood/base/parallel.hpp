#pragma once

#include <cstddef>
#include <functional>

namespace bentwood {

/// Limits the number of threads of every parallel call made from this thread while it lives:
/// 0 means all cores. Results never depend on it.
class ThreadLimit {
 public:
  explicit ThreadLimit(std::size_t n_threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  std::size_t previous_;
};

/// The limit that a user asks for, in the numbers of scikit-learn's n_jobs: so many threads; all cores for -1 (the
/// limit 0), all but one for -2, and so on down to one thread. Requires n_jobs != 0.
[[nodiscard]] std::size_t asked_thread_limit(int n_jobs);

/// The number of threads that a parallel call from this thread would use.
[[nodiscard]] std::size_t thread_count();

/// Calls body(begin, end) for consecutive blocks of `block_size` items that cover [0, n_items), on
/// several threads. The blocks do not depend on the number of threads, so whoever reduces them in
/// order gets the same bits for any number. The first exception of a block reaches the caller.
///
/// The calling thread takes blocks too, and waits for nobody who has not begun: on a busy machine, or where
/// the system refuses threads, it does all of them itself. Parallel calls within a block share out the threads
/// that the blocks leave over.
///
/// Throws Interrupted soon after the installed interrupt check says so; blocks should therefore take
/// milliseconds, or call throw_if_interrupted() now and then.
void parallel_blocks(std::size_t n_items, std::size_t block_size,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Installs the question "has the user asked to stop?" for calls made from this thread while it
/// lives. It is only ever asked on this thread, at most every 20 milliseconds.
class InterruptCheck {
 public:
  explicit InterruptCheck(std::function<bool()> asked_to_stop);
  ~InterruptCheck();
  InterruptCheck(const InterruptCheck&) = delete;
  InterruptCheck& operator=(const InterruptCheck&) = delete;

 private:
  std::function<bool()> check_;
  const std::function<bool()>* previous_;
};

/// Asks the installed check, if any; for long loops that run on the calling thread, in a block or in an item.
/// Throws Interrupted.
void throw_if_interrupted();

/// Calls body(item) for every item of [0, n_items) on several threads; for items that take long, like the
/// trees of a forest. Items are taken in order; a long one should call throw_if_interrupted() now and then.
///
/// With more than one thread the caller only waits, unless there is none but itself: it asks for interruption
/// and reports the number of finished items to `progress` (on the calling thread, if not empty) every 20
/// milliseconds and at the end. Parallel calls within an item share out the threads that the items leave over. The first
/// exception of an item stops the rest and reaches the caller.
void parallel_tasks(std::size_t n_items, const std::function<void(std::size_t item)>& body,
                    const std::function<void(std::size_t n_done)>& progress = {});

}  // namespace bentwood
