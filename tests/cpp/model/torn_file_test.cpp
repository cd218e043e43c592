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
#include "bentwood/data/file.hpp"
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
  for (std::size_t round = 0; round < 200; ++round) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (std::size_t turn = round;; ++turn) {
        save(models.at(turn % 2), path);
        static_cast<void>(write(ends[1], "", 1));
      }
    }
    // The clock starts at the first whole save: on a busy machine the child may be long in coming to it.
    char saved = 0;
    ASSERT_EQ(read(ends[0], &saved, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(10'000)));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
    close(ends[0]);
    close(ends[1]);
    // The same bytes are the same model, and take less time to compare.
    const Bytes found = read_file(path);
    ASSERT_TRUE(found.view() == bytes[0] || found.view() == bytes[1]);
    ++n_found.at(found.view() == bytes[0] ? 0 : 1);
  }
  EXPECT_GT(std::min(n_found[0], n_found[1]), 0);
  const std::string last = to_bytes(load(path));
  EXPECT_TRUE(last == bytes[0] || last == bytes[1]);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bentwood
