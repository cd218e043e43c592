#include "bentwood/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/worker_pool.hpp"

namespace bentwood {
namespace {

thread_local std::size_t thread_limit = 0;
thread_local const std::function<bool()>* interrupt_check = nullptr;
thread_local std::chrono::steady_clock::time_point last_check;
constexpr auto check_interval = std::chrono::milliseconds(20);

// While it lives, what this thread does ends when the flag is set, or that of a call around this one.
class StopFlag {
 public:
  explicit StopFlag(const std::atomic<bool>& flag)
      : flag_(flag), around_(std::exchange(innermost, this)) {}
  ~StopFlag() { innermost = around_; }
  StopFlag(const StopFlag&) = delete;
  StopFlag& operator=(const StopFlag&) = delete;

  static bool is_set() {
    const StopFlag* one = innermost;
    while (one != nullptr && !one->flag_.load(std::memory_order_acquire)) {
      one = one->around_;
    }
    return one != nullptr;
  }

 private:
  const std::atomic<bool>& flag_;
  const StopFlag* const around_;
  static thread_local const StopFlag* innermost;
};
thread_local const StopFlag* StopFlag::innermost = nullptr;

bool asked_to_stop() {
  if (StopFlag::is_set()) {
    return true;
  }
  if (interrupt_check == nullptr || !*interrupt_check) {
    return false;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - last_check < check_interval) {
    return false;
  }
  last_check = now;
  return (*interrupt_check)();
}

// The items of one call, which several threads take in order.
class SharedItems {
 public:
  SharedItems(std::size_t n_items, const std::function<void(std::size_t)>& body,
              std::size_t threads_per_item)
      : n_items_(n_items), body_(body), threads_per_item_(threads_per_item) {}

  // Takes items until none is left, and calls `before_each` before every one.
  template <class BeforeEach>
  void take(BeforeEach before_each) noexcept {
    const ThreadLimit limit(threads_per_item_);
    try {
      while (!stopped_.load(std::memory_order_acquire)) {
        before_each();
        const std::size_t item = next_.fetch_add(1, std::memory_order_relaxed);
        if (item >= n_items_) {
          break;
        }
        {
          const StopFlag flag(stopped_);
          body_(item);
        }
        if (n_done_.fetch_add(1, std::memory_order_relaxed) + 1 == n_items_) {
          finish(nullptr);
        }
      }
    } catch (...) {
      finish(std::current_exception());
    }
  }

  // Waits until all items are done or one has failed, and calls `meanwhile` every so often. Takes the items
  // where no worker has come by then.
  template <class Meanwhile>
  void wait(std::chrono::milliseconds interval, Meanwhile meanwhile) noexcept {
    try {
      while (!finished_within(interval)) {
        meanwhile();
        if (next_.load(std::memory_order_relaxed) == 0) {
          take(meanwhile);
        }
      }
    } catch (...) {
      finish(std::current_exception());
    }
  }

  [[nodiscard]] std::size_t n_done() const { return n_done_.load(std::memory_order_relaxed); }

  void rethrow_failure() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  // Nobody begins another item. Keeps the first failure.
  void finish(const std::exception_ptr& failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) {
      failure_ = failure;
    }
    stopped_.store(true, std::memory_order_release);
    finished_.notify_one();
  }

  bool finished_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return finished_.wait_for(lock, time, [&] { return stopped_.load(std::memory_order_relaxed); });
  }

  const std::size_t n_items_;
  const std::function<void(std::size_t)>& body_;
  const std::size_t threads_per_item_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> n_done_ = 0;
  std::mutex mutex_;
  std::condition_variable finished_;
  std::exception_ptr failure_;
};

// How many threads this thread may use, and how many of them so many items keep busy.
struct Threads {
  explicit Threads(std::size_t n_items)
      : n_allowed(n_items <= 1 ? 1 : thread_count()), n_used(std::min(n_allowed, n_items)) {}
  // What is left over for parallel calls within an item.
  [[nodiscard]] std::size_t n_per_item() const { return n_allowed / n_used; }

  std::size_t n_allowed;
  std::size_t n_used;
};

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

std::size_t thread_count() { return thread_limit != 0 ? thread_limit : n_cores(); }

InterruptCheck::InterruptCheck(std::function<bool()> asked_to_stop)
    : check_(std::move(asked_to_stop)), previous_(std::exchange(interrupt_check, &check_)) {}

InterruptCheck::~InterruptCheck() { interrupt_check = previous_; }

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
  const Threads threads(n_blocks);
  if (threads.n_used <= 1) {
    for (std::size_t block = 0; block < n_blocks; ++block) {
      throw_if_interrupted();
      run_block(block);
    }
    return;
  }
  const std::function<void(std::size_t)> run = std::cref(run_block);
  SharedItems blocks(n_blocks, run, threads.n_per_item());
  const std::function<void()> work = [&] { blocks.take([] {}); };
  {
    const Helpers helpers(threads.n_used - 1, threads.n_allowed, work);
    blocks.take(throw_if_interrupted);
  }
  blocks.rethrow_failure();
}

void parallel_tasks(std::size_t n_items, const std::function<void(std::size_t)>& body,
                    const std::function<void(std::size_t)>& progress) {
  const auto report = [&](std::size_t n_done) {
    if (progress) {
      progress(n_done);
    }
  };
  const Threads threads(n_items);
  if (threads.n_used <= 1) {
    for (std::size_t item = 0; item < n_items; ++item) {
      throw_if_interrupted();
      body(item);
      report(item + 1);
    }
    return;
  }
  SharedItems items(n_items, body, threads.n_per_item());
  const std::function<void()> work = [&] { items.take([] {}); };
  const auto ask_and_report = [&] {
    throw_if_interrupted();
    report(items.n_done());
  };
  {
    const Helpers helpers(threads.n_used, threads.n_allowed, work);
    if (helpers.found_one()) {
      items.wait(check_interval, ask_and_report);
    } else {
      items.take(ask_and_report);
    }
  }
  items.rethrow_failure();
  report(n_items);
}

}  // namespace bentwood
