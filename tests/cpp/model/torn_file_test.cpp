// kill -9 while a model is saved: whoever reads the file finds the old model or the new one, whole.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "bentwood/base/random.hpp"
#include "bentwood/model/file.hpp"
#include "model/sample_forests.hpp"

namespace bentwood {
namespace {

/// Two models of about a megabyte, so that a write takes a while.
Forest large_forest(std::uint64_t seed) {
  Forest forest = sample_forests()[1].make();
  const Tree tree = forest.trees[seed % 2];
  forest.trees.assign(3000, tree);
  return forest;
}

TEST(TornFile, is_never_seen_however_the_writer_dies) {
  const std::array<Forest, 2> models{large_forest(0), large_forest(1)};
  const std::array<std::string, 2> bytes{to_bytes(models[0]), to_bytes(models[1])};
  ASSERT_NE(bytes[0], bytes[1]);
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("torn_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = folder / "model.bent";
  save(models[0], path);
  Random random(1);
  std::array<int, 2> n_found{};
  for (int round = 0; round < 200; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (std::size_t turn = 1;; ++turn) {
        save(models.at(turn % 2), path);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(30'000)));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
    const std::string found = to_bytes(load(path));
    ASSERT_TRUE(found == bytes[0] || found == bytes[1]);
    ++n_found.at(found == bytes[0] ? 0 : 1);
  }
  // Else the child never came to write.
  EXPECT_GT(std::min(n_found[0], n_found[1]), 0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bentwood
