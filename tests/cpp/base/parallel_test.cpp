#include "bentwood/base/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
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

// A process of its own, because oneTBB says what it has to say once; not a forked one, which is serial.
TEST(ParallelBlocks, prints_nothing_for_more_threads_than_cores) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const ThreadLimit limit(64);
        parallel_blocks(1000, 1, [](std::size_t, std::size_t) {});
        _exit(0);
      },
      testing::ExitedWithCode(0), "^$");
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

TEST(ParallelTasks, brings_an_exception_to_the_caller_and_stops_the_other_items) {
  const ThreadLimit limit(2);
  EXPECT_THROW(parallel_tasks(2,
                              [](std::size_t item) {
                                if (item == 1) {
                                  throw std::out_of_range("item 1");
                                }
                                for (;;) {
                                  throw_if_interrupted();
                                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                }
                              }),
               std::out_of_range);
}

TEST(ParallelTasks, stops_long_items_when_the_user_asks) {
  for (const std::size_t n_threads : {1U, 3U}) {
    const ThreadLimit limit(n_threads);
    const auto start = std::chrono::steady_clock::now();
    const InterruptCheck check(
        [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(30); });
    EXPECT_THROW(parallel_tasks(100,
                                [](std::size_t) {
                                  for (;;) {
                                    throw_if_interrupted();
                                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                  }
                                }),
                 Interrupted);
  }
}

}  // namespace
}  // namespace bentwood
