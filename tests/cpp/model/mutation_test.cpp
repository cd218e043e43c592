// A model file that somebody changed, with care: 125,000 changes with right checksums are read or refused with an
// Error, and what is read can be walked; 125,000 with the old checksums are all refused. Most telling under
// ASan + UBSan.
#include <gtest/gtest.h>

#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/file.hpp"
#include "data/allocation.hpp"
#include "model/model_bytes.hpp"
#include "model/mutated.hpp"
#include "model/sample_forests.hpp"

namespace bentwood {
namespace {

class Mutation : public testing::TestWithParam<SampleForest> {
 protected:
  static constexpr int n_mutations = 25'000;  // for each of the samples
  Forest forest_ = GetParam().make();
  std::string bytes_ = to_bytes(forest_);
  ThreadLimit serial_{1};
};

TEST_P(Mutation, with_right_checksums_is_read_or_refused) {
  std::size_t n_read = 0;
  for (int item = 0; item < n_mutations; ++item) {
    Random random(1, 0, static_cast<std::uint64_t>(item));
    std::string bytes = mutated(bytes_, random);
    reseal(bytes);
    largest_allocation() = 0;
    try {
      const Predictor predictor(from_bytes(bytes, "m.bent"));
      ++n_read;
      const Matrix points = sample_points(predictor.forest(), 3);
      (void)predictor.values(points);
    } catch (const Error& error) {
      const std::string message = error.what();
      ASSERT_TRUE(is_utf8(message) && message.find('\n') == std::string::npos) << message;
    }
    // A signature alone may have a million factors of one dimension.
    ASSERT_LE(largest_allocation(), std::size_t{1} << 26U);
  }
  EXPECT_GT(n_read, 500U);
}

TEST_P(Mutation, with_the_old_checksums_is_refused) {
  for (int item = 0; item < n_mutations; ++item) {
    Random random(2, 0, static_cast<std::uint64_t>(item));
    const std::string bytes = mutated(bytes_, random);
    if (bytes != bytes_) {
      ASSERT_THROW((void)from_bytes(bytes), FormatError) << item;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Mutation, testing::ValuesIn(sample_forests()),
                         [](const auto& item) { return std::string(item.param.name); });

}  // namespace
}  // namespace bentwood
