// Model files whose checksums are right and whose contents are not: every one is refused in one line, or predicts what is finite, shares that
// sum to 1, classes that there are; and none takes more than 16 times its size of memory. BENTWOOD_MUTATIONS says how many of each kind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/model.hpp"
#include "hostile/answers.hpp"
#include "hostile/counted_memory.hpp"
#include "hostile/sample_models.hpp"
#include "hostile/sealed_file.hpp"
#include "model/model_bytes.hpp"
#include "model/mutated.hpp"
#include "repetitions.hpp"

namespace bentwood {
namespace {

std::uint64_t n_mutations() {
  const char* const asked = std::getenv("BENTWOOD_MUTATIONS");
  return asked == nullptr ? repetitions(2000) : std::strtoull(asked, nullptr, 10);
}

/// For messages, tables of JSON and streams, whatever the size of the file.
constexpr std::size_t memory_besides = std::size_t{16} << 10U;
constexpr std::size_t most_times_the_size = 16;

class SealedMutation : public testing::TestWithParam<SampleModel> {
 protected:
  std::string bytes_ = GetParam().bytes();
  ThreadLimit serial_{1};

  /// Every fourth is changed byte by byte, the others part by part.
  [[nodiscard]] std::string mutation(std::uint64_t item) const {
    Random random(3, 0, item);
    if (item % 4 == 0) {
      std::string result = mutated(bytes_, random);
      reseal(result);
      return result;
    }
    SealedFile file(bytes_);
    file.mutate(random);
    return file.bytes();
  }
};

TEST_P(SealedMutation, is_refused_or_answers_as_a_model_does) {
  std::size_t n_accepted = 0;
  double most = 0;
  ASSERT_EQ(problem_with_answers(model_from_bytes(bytes_)), "");
  for (std::uint64_t item = 0; item < n_mutations(); ++item) {
    const std::string bytes = mutation(item);
    const std::size_t before = held_memory().now;
    held_memory().forget_peak();
    std::string problem;
    try {
      const Model model = model_from_bytes(bytes, "m.bent");
      const std::size_t taken = held_memory().peak - before;
      most = std::max(most, static_cast<double>(taken) / static_cast<double>(bytes.size()));
      EXPECT_LE(taken, most_times_the_size * bytes.size() + memory_besides) << "accepted " << item;
      ++n_accepted;
      problem = problem_with_answers(model);
    } catch (const FormatError& error) {
      const std::string message = error.what();
      const std::size_t taken = held_memory().peak - before;
      most = std::max(most, static_cast<double>(taken) / static_cast<double>(bytes.size()));
      EXPECT_LE(taken, most_times_the_size * bytes.size() + memory_besides)
          << item << " " << message;
      problem =
          is_utf8(message) && message.find('\n') == std::string::npos ? "" : "message: " + message;
    }
    EXPECT_EQ(problem, "") << "mutation " << item;
    if (HasFailure() && std::getenv("BENTWOOD_KEEP") != nullptr) {
      std::ofstream(std::getenv("BENTWOOD_KEEP"), std::ios::binary) << bytes;
    }
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(n_accepted, n_mutations() / 100);
  fmt::print("{}: {} mutations of {} bytes, {} accepted, at most {:.1f} times the size\n",
             GetParam().kind, n_mutations(), bytes_.size(), n_accepted, most);
}

INSTANTIATE_TEST_SUITE_P(Every, SealedMutation, testing::ValuesIn(sample_models()),
                         [](const auto& item) { return std::string(item.param.kind); });

}  // namespace
}  // namespace bentwood
