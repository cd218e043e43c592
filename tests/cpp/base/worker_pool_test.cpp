#include "bentwood/base/worker_pool.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

// Both blocks wait for each other, so that two threads must have come.
void run_on_two_threads() {
  const ThreadLimit limit(2);
  std::latch both(2);
  parallel_blocks(2, 1, [&](std::size_t, std::size_t) { both.arrive_and_wait(); });
}

TEST(WorkerPool, keeps_its_workers_for_the_next_call) {
  const ThreadLimit limit(4);
  const std::size_t n_most = std::max({n_workers(), n_cores(), std::size_t{4}});
  for (int call = 0; call < 300; ++call) {
    std::atomic<int> n_run = 0;
    parallel_blocks(8, 1, [&](std::size_t, std::size_t) { ++n_run; });
    parallel_tasks(8, [&](std::size_t) { ++n_run; });
    ASSERT_EQ(n_run, 16);
    ASSERT_LE(n_workers(), n_most);
  }
}

TEST(WorkerPool, lets_go_of_workers_that_the_cores_do_not_need) {
  {
    const std::size_t n_many = n_cores() + 8;
    const ThreadLimit limit(n_many);
    std::latch all(static_cast<std::ptrdiff_t>(n_many));
    parallel_blocks(n_many, 1, [&](std::size_t, std::size_t) { all.arrive_and_wait(); });
    EXPECT_GE(n_workers(), n_many - 1);
  }
  while (n_workers() > n_cores()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  run_on_two_threads();
}

TEST(WorkerPool, serves_calls_within_calls) {
  for (const std::size_t n_threads : {2U, 5U, 16U}) {
    const ThreadLimit limit(n_threads);
    std::atomic<int> n_run = 0;
    const auto count = [&](std::size_t, std::size_t) { ++n_run; };
    parallel_tasks(3, [&](std::size_t) {
      parallel_blocks(4, 1, [&](std::size_t, std::size_t) {
        parallel_tasks(2, [&](std::size_t) { parallel_blocks(5, 1, count); });
      });
    });
    EXPECT_EQ(n_run, 3 * 4 * 2 * 5);
  }
}

TEST(WorkerPool, serves_several_threads_that_want_different_numbers) {
  std::vector<std::thread> callers;
  std::atomic<int> n_wrong = 0;
  for (std::size_t caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&, caller] {
      const ThreadLimit limit(1 + 3 * caller);
      for (std::size_t call = 0; call < 100; ++call) {
        std::atomic<std::size_t> sum = 0;
        const auto add = [&](std::size_t item) { sum += item; };
        parallel_blocks(20, 1, [&](std::size_t begin, std::size_t) { add(begin); });
        parallel_tasks(20, add);
        n_wrong += sum == 380U ? 0 : 1;
      }
    });
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(n_wrong, 0);
}

// All workers are in the first call, which does not end before the second has: that one does its items alone.
TEST(WorkerPool, does_not_wait_for_workers_that_others_have) {
  const std::size_t n_threads = n_cores() + 2;
  const ThreadLimit limit(n_threads);
  std::latch all_are_in(static_cast<std::ptrdiff_t>(n_threads) + 1);
  std::latch second_has_ended(1);
  std::thread first([&] {
    const ThreadLimit same(n_threads);
    parallel_tasks(n_threads, [&](std::size_t) {
      all_are_in.count_down();
      second_has_ended.wait();
    });
  });
  all_are_in.arrive_and_wait();
  std::atomic<int> n_run = 0;
  parallel_tasks(50, [&](std::size_t) { ++n_run; });
  parallel_blocks(50, 1, [&](std::size_t, std::size_t) { ++n_run; });
  EXPECT_EQ(n_run, 100);
  second_has_ended.count_down();
  first.join();
}

TEST(WorkerPool, begins_anew_in_a_child_after_fork) {
  run_on_two_threads();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    run_on_two_threads();
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      alarm(60);
      run_on_two_threads();
      _exit(0);
    }
    int status = 1;
    waitpid(grandchild, &status, 0);
    _exit(status == 0 ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  run_on_two_threads();
}

// Its workers sleep in its code. In a process of its own that leaves at once: the leak checker of GCC 12 does not survive the thread-local
// variables of a plugin.
TEST(WorkerPool, keeps_a_plugin_in_memory_that_has_workers) {
  const auto load_and_run_twice = [] {
    for (int time = 0; time < 2; ++time) {
      void* const plugin = dlopen(BENTWOOD_PLUGIN, RTLD_NOW);
      const auto run_blocks =
          plugin == nullptr ? nullptr : reinterpret_cast<int (*)()>(dlsym(plugin, "run_blocks"));
      if (run_blocks == nullptr || run_blocks() != 100) {
        _exit(1);
      }
      dlclose(plugin);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    _exit(0);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(load_and_run_twice(), testing::ExitedWithCode(0), "");
}

TEST(ThreadCount, follows_the_cores_that_the_thread_may_run_on) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(thread_count(), static_cast<std::size_t>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(thread_count(), 1U);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace bentwood
