#include "bentwood/base/parallel.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

TEST(ParallelBlocks, covers_every_item_once_for_any_number_of_threads) {
  for (const std::size_t n_threads : {1U, 2U, 3U, 8U}) {
    const ThreadLimit limit(n_threads);
    std::vector<std::atomic<int>> visits(1001);
    parallel_blocks(visits.size(), 64, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin % 64, 0U);
      for (std::size_t item = begin; item < end; ++item) {
        ++visits[item];
      }
    });
    for (const auto& count : visits) {
      ASSERT_EQ(count, 1);
    }
  }
}

TEST(ParallelBlocks, does_nothing_for_no_items) {
  parallel_blocks(0, 16, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(ParallelBlocks, brings_an_exception_of_a_worker_to_the_caller) {
  const ThreadLimit limit(4);
  EXPECT_THROW(parallel_blocks(1000, 1,
                               [](std::size_t begin, std::size_t) {
                                 if (begin == 700) {
                                   throw std::out_of_range("block 700");
                                 }
                               }),
               std::out_of_range);
}

TEST(ParallelBlocks, stops_when_the_user_asks) {
  for (const std::size_t n_threads : {1U, 4U}) {
    const ThreadLimit limit(n_threads);
    const InterruptCheck check([] { return true; });
    std::atomic<int> n_run = 0;
    const auto slow_block = [&](std::size_t, std::size_t) {
      ++n_run;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    EXPECT_THROW(parallel_blocks(100'000, 1, slow_block), Interrupted);
    // Asked before the first block of the calling thread; the others end the block they are in.
    EXPECT_LT(n_run, 40);
  }
}

#ifndef __SANITIZE_THREAD__  // whose own memory grows
std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  statm >> size >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// More threads than cores: some of them come late or not at all, as they do on a busy machine.
TEST(ParallelBlocks, leaves_no_memory_behind) {
  const ThreadLimit limit(16);
  const auto call_often = [](int n_calls) {
    for (int call = 0; call < n_calls; ++call) {
      parallel_blocks(16, 1, [](std::size_t, std::size_t) {});
    }
  };
  call_often(500);
  const std::size_t before = resident_bytes();
  call_often(5000);
  EXPECT_LT(resident_bytes(), before + (std::size_t{8} << 20U));
}
#endif

// Calls `prepare`, and then `work` where no thread can be made any more: none gets a stack as large as this. In a
// process of its own.
void without_new_threads(const std::function<void()>& prepare, const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    prepare();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 47U);
    pthread_setattr_default_np(&attributes);
    try {
      _exit(work() ? 0 : 1);
    } catch (...) {
      _exit(2);
    }
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

bool runs_all_blocks_and_items() {
  std::atomic<std::size_t> n_run = 0;
  const ThreadLimit limit(8);
  parallel_blocks(100, 1, [&](std::size_t, std::size_t) { ++n_run; });
  std::size_t reported = 0;
  parallel_tasks(
      100, [&](std::size_t) { ++n_run; }, [&](std::size_t n_done) { reported = n_done; });
  return n_run == 200 && reported == 100;
}

TEST(ParallelCalls, do_without_threads_that_cannot_be_made) {
  without_new_threads([] {}, runs_all_blocks_and_items);
}

TEST(ParallelCalls, make_do_with_the_threads_there_are) {
  const auto start_one_worker = [] {
    const ThreadLimit limit(2);
    parallel_blocks(100, 1, [](std::size_t, std::size_t) {});
  };
  without_new_threads(start_one_worker, runs_all_blocks_and_items);
}

TEST(ParallelBlocks, works_in_a_child_after_fork) {
  std::atomic<int> n_run = 0;
  const ThreadLimit limit(4);
  parallel_blocks(100, 1, [&](std::size_t, std::size_t) { ++n_run; });  // starts the workers
  const pid_t child = fork();
  if (child == 0) {
    n_run = 0;
    parallel_blocks(100, 1, [&](std::size_t, std::size_t) { ++n_run; });
    _exit(n_run == 100 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(ThreadLimit, is_restored_when_it_ends) {
  const std::size_t before = thread_count();
  {
    const ThreadLimit limit(3);
    EXPECT_EQ(thread_count(), 3U);
  }
  EXPECT_EQ(thread_count(), before);
}

TEST(ThreadLimit, is_asked_for_in_the_numbers_of_n_jobs) {
  const ThreadLimit six_cores(6);
  EXPECT_EQ(asked_thread_limit(1), 1U);
  EXPECT_EQ(asked_thread_limit(64), 64U);
  EXPECT_EQ(asked_thread_limit(-1), 0U);
  EXPECT_EQ(asked_thread_limit(-2), 5U);
  EXPECT_EQ(asked_thread_limit(-6), 1U);
  EXPECT_EQ(asked_thread_limit(std::numeric_limits<int>::min()), 1U);
}

TEST(ParallelTasks, runs_every_item_once_and_reports_the_last) {
  for (const std::size_t n_threads : {1U, 2U, 8U}) {
    const ThreadLimit limit(n_threads);
    std::vector<std::atomic<int>> visits(37);
    std::size_t reported = 0;
    parallel_tasks(
        visits.size(), [&](std::size_t item) { ++visits[item]; },
        [&](std::size_t n_done) {
          EXPECT_GE(n_done, reported);
          reported = n_done;
        });
    EXPECT_EQ(reported, visits.size());
    for (const auto& count : visits) {
      ASSERT_EQ(count, 1);
    }
  }
}

TEST(ParallelTasks, shares_out_the_threads_among_the_items) {
  const ThreadLimit limit(8);
  parallel_tasks(2, [](std::size_t) { EXPECT_EQ(thread_count(), 4U); });
}

// As a block or an item that takes long does.
void work_until_stopped() {
  for (;;) {
    throw_if_interrupted();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ParallelCalls, stop_what_takes_long_when_the_user_asks) {
  for (const std::size_t n_threads : {1U, 3U}) {
    const ThreadLimit limit(n_threads);
    const auto start = std::chrono::steady_clock::now();
    const InterruptCheck check(
        [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(30); });
    EXPECT_THROW(parallel_tasks(100, [](std::size_t) { work_until_stopped(); }), Interrupted);
    EXPECT_THROW(parallel_blocks(100, 1, [](std::size_t, std::size_t) { work_until_stopped(); }),
                 Interrupted);
  }
}

TEST(ParallelCalls, bring_an_exception_to_the_caller_and_stop_what_takes_long) {
  const ThreadLimit limit(2);
  const auto fail_or_work = [](std::size_t item) {
    if (item == 1) {
      throw std::out_of_range("item 1");
    }
    work_until_stopped();
  };
  EXPECT_THROW(parallel_tasks(2, fail_or_work), std::out_of_range);
  EXPECT_THROW(parallel_blocks(2, 1, [&](std::size_t begin, std::size_t) { fail_or_work(begin); }),
               std::out_of_range);
}

}  // namespace
}  // namespace bentwood
