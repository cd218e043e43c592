#include "bentwood/model/file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/infer/reference.hpp"
#include "data/messages.hpp"
#include "model/model_bytes.hpp"
#include "model/sample_forests.hpp"

namespace bentwood {
namespace {

bool same_models(const Forest& first, const Forest& second) {
  return first.task == second.task && first.estimator == second.estimator &&
         first.columns.manifold().signature() == second.columns.manifold().signature() &&
         first.columns.manifold().coordinates() == second.columns.manifold().coordinates() &&
         first.columns.families() == second.columns.families() &&
         first.off_manifold == second.off_manifold && first.trees == second.trees &&
         first.classes == second.classes && first.output_names == second.output_names &&
         first.feature_names == second.feature_names && first.importances == second.importances &&
         first.parameters == second.parameters;
}

class ModelFile : public testing::TestWithParam<SampleForest> {};

TEST_P(ModelFile, reads_back_what_was_written) {
  const Forest forest = GetParam().make();
  const std::string bytes = to_bytes(forest);
  const Forest back = from_bytes(bytes);
  EXPECT_TRUE(same_models(forest, back));
  EXPECT_EQ(to_bytes(back), bytes);
}

TEST_P(ModelFile, is_the_same_on_disk) {
  const Forest forest = GetParam().make();
  const std::filesystem::path folder = testing::TempDir();
  for (const std::string name : {"model_file_test.bent", "model_file_test.bent.gz"}) {
    const std::string path = folder / (std::string(GetParam().name) + name);
    save(forest, path);
    EXPECT_EQ(to_bytes(load(path)), to_bytes(forest));
    std::filesystem::remove(path);
  }
}

std::string problem_of(const std::string& bytes) {
  return message_of([&] { (void)from_bytes(bytes, "m.bent"); });
}

TEST_P(ModelFile, says_how_long_it_is_and_should_be_wherever_it_is_cut) {
  const std::string bytes = to_bytes(GetParam().make());
  const std::size_t header_end = 8 + header_size(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string has = " cut short: it has " + std::to_string(size) + " bytes, ";
    const std::string expected =
        size < 8            ? "is not a model, or was" + has + "expected at least 8"
        : size < header_end ? "is not a model, or was" + has + "its header alone needs " +
                                  std::to_string(header_end)
                            : "was" + has + "its header announces " + std::to_string(bytes.size());
    ASSERT_EQ(problem_of(bytes.substr(0, size)), "m.bent: " + expected);
  }
}

TEST_P(ModelFile, notices_every_change_of_a_byte) {
  std::string bytes = to_bytes(GetParam().make());
  for (char& byte : bytes) {
    for (const int change : {1, 0x20, 0x80, 0xFF}) {
      byte = static_cast<char>(byte ^ change);
      EXPECT_THROW((void)from_bytes(bytes), FormatError);
      byte = static_cast<char>(byte ^ change);
    }
  }
  EXPECT_THROW((void)from_bytes(bytes + '\0'), FormatError);
  EXPECT_NO_THROW((void)from_bytes(bytes));
}

// The header begins with the checksum's place and is aligned, so that numbers are where they can be read in place.
TEST_P(ModelFile, has_a_header_of_whole_words) {
  const std::string bytes = to_bytes(GetParam().make());
  EXPECT_EQ(header_size(bytes) % 8, 0U);
  EXPECT_EQ(bytes.substr(8, seal_prefix.size()), seal_prefix);
}

INSTANTIATE_TEST_SUITE_P(Every, ModelFile, testing::ValuesIn(sample_forests()),
                         [](const auto& item) { return std::string(item.param.name); });

/// A small model whose header's text is replaced, with the right checksum for it.
std::string with_text(const std::string& before, const std::string& after) {
  std::string bytes = to_bytes(sample_forests()[0].make());
  std::string json = bytes.substr(8, header_size(bytes));
  const std::size_t place = json.find(before);
  EXPECT_NE(place, std::string::npos) << before;
  json.replace(place, before.size(), after);
  const std::string data = bytes.substr(8 + header_size(bytes));
  const std::uint64_t size = json.size();
  std::string result(8, '\0');
  std::memcpy(result.data(), &size, 8);
  result += json + data;
  reseal(result);
  return result;
}

TEST(ModelFileErrors, say_what_is_wrong_with_the_file) {
  EXPECT_EQ(problem_of("x,y,label\n1,2,a\n"),
            "m.bent: is not a model, or was cut short: it has 16 bytes, its header alone needs "
            "7305508662778866816");
  // More than any number can say.
  EXPECT_EQ(problem_of(std::string(9, '\xFF')),
            "m.bent: is not a model, or was cut short: it has 9 bytes, its header alone needs "
            "18446744073709551615");
  const std::string bytes = to_bytes(sample_forests()[0].make());
  std::string changed = bytes;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  EXPECT_EQ(problem_of(changed),
            "m.bent: the checksum of tensor \"child\" is wrong: the file was changed after it was "
            "written");
  changed = bytes;
  changed[changed.find("ManifoldTree")] = 'N';
  EXPECT_EQ(
      problem_of(changed),
      "m.bent: the checksum of the header is wrong: the file was changed after it was written");
  const std::size_t data_size = bytes.size() - 8 - header_size(bytes);
  EXPECT_EQ(problem_of(bytes + "x"), "m.bent: the tensors end at byte " +
                                         std::to_string(data_size) + " of " +
                                         std::to_string(data_size + 1));
}

TEST(ModelFileErrors, name_a_newer_version) {
  EXPECT_EQ(
      problem_of(with_text(R"("format_version":"1")", R"("format_version":"6")")),
      "m.bent: was written by a newer version of bentwood: its format is 6, this version reads "
      "formats up to 5");
}

TEST(ModelFileErrors, name_a_stranger) {
  EXPECT_EQ(problem_of(with_text(R"("format":"bentwood")", R"("format":"pt")")),
            "m.bent: is a safetensors file, but not a model of bentwood");
}

struct Offence {
  std::string before;
  std::string after;
  std::string problem;
};

TEST(ModelFileErrors, name_what_the_header_has_wrong) {
  const std::vector<Offence> offences{
      {R"("signature":"H2")", R"("signature":"H3")",
       "there are 2 importances, the signature has 3 columns"},
      {R"("signature":"H2")", R"("signature":"E1000000")",
       "there are 2 importances, the signature has 1000000 columns"},
      {R"("signature":"H2")", R"("signature":"Q2")",
       "bad signature \"Q2\" at character 1: expected H, S or E, found 'Q'"},
      {R"("task":"classification")", R"("task":"guessing")",
       "\"task\" is \"guessing\", expected classification, regression, none"},
      {R"("class_type":"text")", R"("class_type":"real")", "class \"ant\" is not a number"},
      {R"([\"ant\",\"bee\",\"cat\"])", R"([\"ant\",\"bee\"])", "there are 2 classes, expected 3"},
      {R"([\"ant\",\"bee\",\"cat\"])", R"([\"ant\",\"cat\",\"bee\"])",
       "the classes are not in ascending order"},
      {R"([\"ant\",\"bee\",\"cat\"])", R"([\"ant\",[\"bee\"],\"cat\"])",
       R"("classes" is "["ant",["bee"],"cat"]", expected a list of texts)"},
      {R"("kind":"forest")", R"("kind":"swamp")",
       "\"kind\" is \"swamp\", expected forest, horospheres, linear, neighbours"},
      {R"("dtype":"I32")", R"("dtype":"F32")",
       "tensor \"column\" has the type \"F32\", expected F64, I32, U32 or U64"},
      {R"("dtype":"I32")", R"("dtype":"U32")",
       "tensor \"column\" has another type or shape than in a model"},
      {R"("data_offsets":[)", R"("data_offsets":[9999,)",
       "tensor \"child\" lacks its dtype, shape or two data_offsets"},
      {R"("child":)", R"("chile":)",
       "the checksum of tensor \"chile\" is wrong: the file was changed after it "
       "was written"},
      {R"("child":)", R"("column":)",
       "the header is not that of a safetensors file: tensor \"column\" comes twice"},
      {R"("shape":[)", R"("shape":[[)",
       "the header is not that of a safetensors file: \"child\" has a list that is not expected"},
      {R"("shape":[)", R"("shape":[-1,)",
       "the header is not that of a safetensors file: \"child\" has a negative number that is not "
       "expected"},
      {R"({"__metadata__")", R"([{"__metadata__")",
       "the header is not that of a safetensors file: it is a list, not an object"},
  };
  for (const Offence& offence : offences) {
    EXPECT_EQ(problem_of(with_text(offence.before, offence.after)), "m.bent: " + offence.problem);
  }
}

TEST(ModelFileErrors, name_the_tree_and_the_node) {
  Forest forest = sample_forests()[0].make();
  forest.trees[1].nodes[0].child = 0;
  EXPECT_EQ(
      message_of([&] { (void)to_bytes(forest); }),
      "tree 1: node 0: children are 0 and 1, expected two nodes after it that no other node has");
}

TEST(ModelFileErrors, refuse_names_that_json_cannot_hold) {
  Forest forest = sample_forests()[0].make();
  forest.feature_names = {"a", "b\xff", "c"};
  EXPECT_EQ(message_of([&] { (void)to_bytes(forest); }), "feature name \"b\\xff\" is not UTF-8");
  forest = sample_forests()[0].make();
  forest.parameters["max_depth"] = "{";
  EXPECT_EQ(message_of([&] { (void)to_bytes(forest); }),
            "parameter \"max_depth\" is \"{\", which is not JSON");
}

TEST(ModelFileErrors, name_the_path) {
  EXPECT_EQ(message_of([] { (void)load("no_such.bent"); }), "no_such.bent: no such file");
}

}  // namespace
}  // namespace bentwood
