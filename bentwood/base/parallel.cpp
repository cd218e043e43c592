#include "bentwood/base/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

thread_local std::size_t thread_limit = 0;
thread_local std::function<bool()> interrupt_check;
thread_local std::chrono::steady_clock::time_point last_check;
// Set in the threads of parallel_tasks: whether their items shall stop.
thread_local const std::atomic<bool>* stop_flag = nullptr;
constexpr auto check_interval = std::chrono::milliseconds(20);

// oneTBB's workers do not survive fork(), and its scheduler would wait for them.
bool in_forked_child() {
  static std::atomic<bool> forked = false;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  return registered == 0 && forked;
}
// Registered when the library is loaded: a fork before the first parallel call counts too.
[[maybe_unused]] const bool forked_at_load = in_forked_child();

// oneTBB prints a warning when an arena is larger than the number of cores, unless told that this is meant.
class AllowedThreads {
 public:
  explicit AllowedThreads(std::size_t n_threads) {
    if (n_threads > static_cast<std::size_t>(tbb::info::default_concurrency())) {
      control_.emplace(tbb::global_control::max_allowed_parallelism, n_threads);
    }
  }

 private:
  std::optional<tbb::global_control> control_;
};

bool asked_to_stop() {
  if (stop_flag != nullptr && stop_flag->load(std::memory_order_acquire)) {
    return true;
  }
  if (!interrupt_check) {
    return false;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - last_check < check_interval) {
    return false;
  }
  last_check = now;
  return interrupt_check();
}

}  // namespace

ThreadLimit::ThreadLimit(std::size_t n_threads)
    : previous_(std::exchange(thread_limit, n_threads)) {}

ThreadLimit::~ThreadLimit() { thread_limit = previous_; }

std::size_t asked_thread_limit(int n_jobs) {
  assert(n_jobs != 0);
  if (n_jobs >= -1) {
    return n_jobs == -1 ? 0 : static_cast<std::size_t>(n_jobs);
  }
  return static_cast<std::size_t>(std::max(1L, static_cast<long>(thread_count()) + 1 + n_jobs));
}

std::size_t thread_count() {
  if (thread_limit != 0) {
    return thread_limit;
  }
  return static_cast<std::size_t>(tbb::info::default_concurrency());
}

InterruptCheck::InterruptCheck(std::function<bool()> asked_to_stop)
    : previous_(std::exchange(interrupt_check, std::move(asked_to_stop))) {}

InterruptCheck::~InterruptCheck() { interrupt_check = std::move(previous_); }

void throw_if_interrupted() {
  if (asked_to_stop()) {
    throw Interrupted();
  }
}

void parallel_blocks(std::size_t n_items, std::size_t block_size,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t n_blocks = (n_items + block_size - 1) / block_size;
  const auto run_block = [&](std::size_t block) {
    const std::size_t begin = block * block_size;
    body(begin, std::min(begin + block_size, n_items));
  };
  const std::size_t n_threads = std::min(thread_count(), n_blocks);
  if (n_threads <= 1 || in_forked_child()) {
    for (std::size_t block = 0; block < n_blocks; ++block) {
      throw_if_interrupted();
      run_block(block);
    }
    return;
  }
  // oneTBB hands out runs of blocks and cancels between runs only; this flag stops a thread at its next
  // block. Its release and acquire also tell the thread sanitizer, which cannot look into oneTBB, that
  // the caller's writes happen before a block and the blocks' before the return.
  std::atomic<bool> stopped;
  stopped.store(false, std::memory_order_release);
  std::atomic<std::size_t> n_done = 0;
  const auto caller = std::this_thread::get_id();
  const AllowedThreads allowed(n_threads);
  tbb::task_arena arena(static_cast<int>(n_threads));
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, n_blocks, [&](std::size_t block) {
      if (stopped.load(std::memory_order_acquire)) {
        return;
      }
      try {
        if (std::this_thread::get_id() == caller) {
          throw_if_interrupted();
        }
        run_block(block);
      } catch (...) {
        stopped.store(true, std::memory_order_release);
        throw;  // oneTBB rethrows the first one in the caller
      }
      n_done.fetch_add(1, std::memory_order_release);
    });
  });
  static_cast<void>(n_done.load(std::memory_order_acquire));
}

namespace {

// The threads of one parallel_tasks call. The destructor waits for them.
class TaskGroup {
 public:
  TaskGroup(std::size_t n_items, const std::function<void(std::size_t)>& body,
            std::size_t n_threads)
      : n_items_(n_items), body_(body) {
    const std::size_t threads_an_item = std::max<std::size_t>(1, thread_count() / n_threads);
    threads_.reserve(n_threads);
    n_running_ = n_threads;
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
      threads_.emplace_back([this, threads_an_item] { work(threads_an_item); });
    }
  }
  ~TaskGroup() {
    stop();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  void stop() { stopped_.store(true, std::memory_order_release); }
  [[nodiscard]] std::size_t n_done() const { return n_done_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::exception_ptr failure() {
    const std::scoped_lock lock(mutex_);
    return failure_;
  }
  /// Whether all threads have finished, after waiting for that for a while.
  bool finished_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return all_finished_.wait_for(lock, time, [&] { return n_running_ == 0; });
  }

 private:
  void work(std::size_t threads_an_item) {
    const ThreadLimit limit(threads_an_item);
    stop_flag = &stopped_;
    try {
      while (!stopped_.load(std::memory_order_acquire)) {
        const std::size_t item = next_.fetch_add(1, std::memory_order_relaxed);
        if (item >= n_items_) {
          break;
        }
        body_(item);
        n_done_.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) {
        failure_ = std::current_exception();
      }
      stop();
    }
    const std::scoped_lock lock(mutex_);
    if (--n_running_ == 0) {
      all_finished_.notify_all();
    }
  }

  std::size_t n_items_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> n_done_ = 0;
  std::mutex mutex_;
  std::condition_variable all_finished_;
  std::size_t n_running_ = 0;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace

void parallel_tasks(std::size_t n_items, const std::function<void(std::size_t)>& body,
                    const std::function<void(std::size_t)>& progress) {
  const std::size_t n_threads = std::min(thread_count(), n_items);
  const auto report = [&](std::size_t n_done) {
    if (progress) {
      progress(n_done);
    }
  };
  if (n_threads <= 1) {
    for (std::size_t item = 0; item < n_items; ++item) {
      throw_if_interrupted();
      body(item);
      report(item + 1);
    }
    return;
  }
  TaskGroup group(n_items, body, n_threads);
  while (!group.finished_within(check_interval)) {
    throw_if_interrupted();
    report(group.n_done());
  }
  if (const std::exception_ptr failure = group.failure()) {
    std::rethrow_exception(failure);
  }
  report(n_items);
}

}  // namespace bentwood
