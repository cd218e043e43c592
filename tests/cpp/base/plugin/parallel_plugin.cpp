// A stranger's plugin that holds a copy of the library, for worker_pool_test.cpp to load and unload.
#include <atomic>

#include "bentwood/base/parallel.hpp"

/// Makes some parallel calls and returns how many blocks they had.
extern "C" __attribute__((visibility("default"))) int run_blocks() {
  const bentwood::ThreadLimit limit(6);
  std::atomic<int> n_run = 0;
  for (int call = 0; call < 10; ++call) {
    bentwood::parallel_blocks(10, 1, [&](std::size_t, std::size_t) { ++n_run; });
  }
  return n_run;
}
