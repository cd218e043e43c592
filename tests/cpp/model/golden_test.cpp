// Files that older versions wrote load for ever, predict what they did, and are written again byte for byte as long
// as the format is theirs. tests/golden/README.md says how they were made.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/data/file.hpp"
#include "bentwood/data/npz.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/file.hpp"

namespace bentwood {
namespace {

class Golden : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::string path(const std::string& extension) const {
    return std::string(BENTWOOD_GOLDEN) + "/" + GetParam() + extension;
  }
};

Matrix matrix(const NpzArchive& archive, std::string_view name) {
  const NpyArray array = archive.array(name);
  return {array.n_rows(), array.n_cols(), std::get<std::vector<double>>(array.values)};
}

TEST_P(Golden, predicts_what_it_did) {
  const Predictor predictor(load(path(".bent")));
  const Bytes bytes = read_file(path(".npz"));
  const NpzArchive truth(bytes.view(), GetParam());
  const Matrix points = matrix(truth, "points");
  const Matrix expected = matrix(truth, "values");
  ASSERT_GT(points.n_rows(), 0U);
  for (const Matrix& found :
       {predictor.values(points).values, predict_values(predictor.forest(), points).values}) {
    ASSERT_EQ(found.n_rows(), expected.n_rows());
    ASSERT_EQ(found.n_cols(), expected.n_cols());
    for (std::size_t row = 0; row < found.n_rows(); ++row) {
      for (std::size_t output = 0; output < found.n_cols(); ++output) {
        EXPECT_EQ(found(row, output), expected(row, output));
      }
    }
  }
}

TEST_P(Golden, is_written_again_byte_for_byte) {
  const Bytes bytes = read_file(path(".bent"));
  EXPECT_EQ(to_bytes(from_bytes(bytes.view())), bytes.view());
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(BENTWOOD_GOLDEN)) {
    if (entry.path().extension() == ".bent") {
      names.push_back(entry.path().stem());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, Golden, testing::ValuesIn(golden_names()),
                         [](const auto& item) { return item.param; });

}  // namespace
}  // namespace bentwood
