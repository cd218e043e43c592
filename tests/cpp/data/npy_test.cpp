#include "bentwood/data/npy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "bentwood/data/io.hpp"
#include "bentwood/data/npz.hpp"
#include "data/messages.hpp"

namespace bentwood {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

/// An NPY file of version 1, 2 or 3 with this header and these element bytes.
std::string npy(const std::string& header, const std::string& elements, int version = 1) {
  std::string file("\x93NUMPY", 6);
  file += static_cast<char>(version);
  file += '\0';
  const std::size_t length = header.size();
  for (unsigned at = 0; at < (version == 1 ? 2U : 4U); ++at) {
    file += static_cast<char>(length >> (8 * at));
  }
  return file + header + elements;
}

std::string npy_of(const std::string& descr, const std::string& shape, const std::string& elements,
                   bool fortran = false) {
  return npy("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                 ", 'shape': " + shape + ", }",
             elements);
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool swapped = false) {
  std::string result;
  for (const T value : values) {
    std::string element(sizeof(T), '\0');
    std::memcpy(element.data(), &value, sizeof(T));
    result += swapped ? std::string(element.rbegin(), element.rend()) : element;
  }
  return result;
}

Numbers numbers(const std::string& file) {
  return std::get<Numbers>(parse_npy(file, "a.npy").values);
}

template <class T>
void expect_type(const std::string& kind, const std::vector<T>& values) {
  const Numbers expected(values.begin(), values.end());
  EXPECT_EQ(numbers(npy_of("<" + kind, "(3,)", bytes_of(values))), expected) << kind;
  EXPECT_EQ(numbers(npy_of(">" + kind, "(3,)", bytes_of(values, true))), expected) << kind;
}

TEST(Npy, reads_every_type_in_both_byte_orders) {
  expect_type<double>("f8", {0.1, -1e300, 3});
  expect_type<float>("f4", {0.1F, -1e30F, 3});
  expect_type<std::int64_t>("i8", {-5, 0, std::int64_t{1} << 53});
  expect_type<std::int32_t>("i4", {-5, 0, 2147483647});
  expect_type<std::int16_t>("i2", {-5, 0, 32767});
  expect_type<std::int8_t>("i1", {-5, 0, 127});
  expect_type<std::uint64_t>("u8", {5, 0, std::uint64_t{1} << 53});
  expect_type<std::uint32_t>("u4", {5, 0, 4294967295U});
  expect_type<std::uint16_t>("u2", {5, 0, 65535});
  expect_type<std::uint8_t>("u1", {5, 0, 255});
  EXPECT_EQ(numbers(npy_of("|b1", "(3,)", std::string("\0\1\1", 3))), (Numbers{0, 1, 1}));
}

TEST(Npy, reads_half_precision_by_its_definition) {
  const std::vector<std::uint16_t> halves{0x3C00, 0xC000, 0x7BFF, 0x0001,
                                          0x0400, 0x3555, 0xFC00, 0x7E00};
  const Numbers values = numbers(npy_of("<f2", "(8,)", bytes_of(halves)));
  EXPECT_EQ((Numbers(values.begin(), values.begin() + 6)),
            (Numbers{1, -2, 65504, std::ldexp(1, -24), std::ldexp(1, -14), 0.333251953125}));
  EXPECT_EQ(values[6], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(values[7]));
}

TEST(Npy, remembers_that_single_and_half_precision_are_coarse) {
  EXPECT_EQ(parse_npy(npy_of("<f8", "(1,)", std::string(8, '\0')), "a").precision,
            Precision::float64);
  EXPECT_EQ(parse_npy(npy_of("<f4", "(1,)", std::string(4, '\0')), "a").precision,
            Precision::float32);
  EXPECT_EQ(parse_npy(npy_of("<f2", "(1,)", std::string(2, '\0')), "a").precision,
            Precision::float32);
  EXPECT_EQ(parse_npy(npy_of("<i4", "(1,)", std::string(4, '\0')), "a").precision,
            Precision::float64);
}

TEST(Npy, turns_fortran_order_into_rows) {
  const std::vector<double> columns_first{1, 3, 5, 2, 4, 6};
  const NpyArray array = parse_npy(npy_of("<f8", "(3, 2)", bytes_of(columns_first), true), "a.npy");
  EXPECT_EQ(array.n_rows(), 3U);
  EXPECT_EQ(array.n_cols(), 2U);
  EXPECT_EQ(std::get<Numbers>(array.values), (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, reads_headers_of_all_versions) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }   \n";
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(numbers(npy(header, bytes_of<double>({7}), version)), (Numbers{7}));
  }
  EXPECT_EQ(numbers(npy("{\"shape\":(1L,),\"descr\":\"<f8\",\"fortran_order\":False}",
                        bytes_of<double>({7}))),
            (Numbers{7}));
}

TEST(Npy, writes_numbers_and_text_that_read_back_the_same) {
  const NpyArray matrix{{2, 2}, Numbers{0.1, -2, 3, 1e-300}};
  EXPECT_EQ(numbers(format_npy(matrix)), (Numbers{0.1, -2, 3, 1e-300}));
  EXPECT_EQ(format_npy(matrix).size() % 64, 32U);
  const Texts words{"", "ant", "b\xc3\xa9", "\xf0\x9f\x90\x9c"};
  const NpyArray list{{4}, words};
  EXPECT_EQ(std::get<Texts>(parse_npy(format_npy(list), "a.npy").values), words);
}

TEST(Npy, says_what_is_wrong) {
  const std::string eight(8, '\0');
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "a.npy: is not an NPY file"},
      {"x,y\n1,2\n", "a.npy: is not an NPY file"},
      {"\x93NUMPY", "a.npy: the NPY header is cut short"},
      {npy("", "", 4), "a.npy: NPY version 4, expected 1, 2 or 3"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12),
       "a.npy: the NPY header is 4294967295 bytes long, but only 0 bytes follow"},
      {npy_of("<f8", "(8589934592, 8589934592)", eight),
       "a.npy: the shape (8589934592, 8589934592) of dtype \"<f8\" cannot be"},
      {npy_of("<f8", "(1000000000,)", eight),
       "a.npy: the shape (1000000000) needs 8000000000 bytes, found 8"},
      {npy_of("<f8", "(-1,)", eight), "a.npy: the shape has a negative length"},
      {npy_of("<f8", "(99999999999999999999,)", eight),
       "a.npy: the shape has a length beyond 64 bits"},
      {npy_of("<f8", "(1,)", eight + "x"), "a.npy: the shape (1) needs 8 bytes, found 9"},
      {npy_of("<f8", "(2,)", eight), "a.npy: the shape (2) needs 16 bytes, found 8"},
      {npy_of("<f8", "()", eight), "a.npy: the array has 0 dimensions, expected 1 or 2"},
      {npy_of("<f8", "(1, 1, 1)", eight), "a.npy: the array has 3 dimensions, expected 1 or 2"},
      {npy_of("|O", "(1,)", eight),
       "a.npy: an object dtype, which only pickle can read; save it as numbers or text"},
      {npy_of("<c16", "(1,)", eight + eight),
       "a.npy: dtype \"<c16\" is not supported, expected numbers or text"},
      {npy_of("<M8[ns]", "(1,)", eight),
       "a.npy: dtype \"<M8[ns]\" is not supported, expected numbers or text"},
      {npy_of("<f16", "(1,)", eight + eight),
       "a.npy: dtype \"<f16\" is not supported, expected numbers or text"},
      {npy_of("<U0", "(99999999999,)", ""),
       "a.npy: the shape (99999999999) of dtype \"<U0\" cannot be"},
      {npy("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,), }", eight),
       "a.npy: a structured dtype, expected one of numbers or text; save its fields apart"},
      {npy("{'descr': '<f8', 'shape': (1,), }", eight),
       "a.npy: the NPY header is damaged at its end, expected 'descr', 'fortran_order' and "
       "'shape'"},
      {npy("{'descr': '<f8', oops", eight),
       "a.npy: the NPY header is damaged at \"oops\", expected 'descr', 'fortran_order' and "
       "'shape'"},
      {npy_of("<i8", "(1,)", bytes_of<std::int64_t>({(std::int64_t{1} << 53) + 1})),
       "a.npy: element 0 is 9007199254740993, past 2^53, which float64 cannot hold exactly"},
      {npy_of("<U1", "(1,)", bytes_of<std::uint32_t>({0xD800})),
       "a.npy: element 0 is not Unicode text"},
      {npy_of("|S1", "(1,)", "\xe9"), "a.npy: element 0 is not Unicode text"},
  };
  for (const auto& [file, message] : cases) {
    EXPECT_EQ(message_of([&] { (void)parse_npy(file, "a.npy"); }), message);
  }
}

TEST(Npy, becomes_a_table_with_counted_columns) {
  const Table table =
      parse_table(npy_of("<f4", "(2, 3)", bytes_of<float>({1, 2, 3, 4, 5, 6})), "a.npy");
  EXPECT_EQ(table.names(), (Texts{"c1", "c2", "c3"}));
  EXPECT_EQ(std::get<Numbers>(table.column("c2").values), (Numbers{2, 5}));
  EXPECT_EQ(table.precision(), Precision::float32);
  EXPECT_EQ(table.place(1), "a.npy, row 1");
  EXPECT_EQ(message_of([&] { (void)parse_table(npy_of("<f8", "(0, 3)", ""), "a.npy"); }),
            "a.npy: the array has shape (0, 3), expected rows and columns");
}

TEST(Npz, keeps_named_arrays_and_makes_one_table_of_them) {
  const std::string file = format_npz({{"X", {{2, 2}, Numbers{1, 2, 3, 4}}},
                                       {"y", {{2}, Texts{"ant", "bee"}}},
                                       {"classes", {{3}, Texts{"ant", "bee", "cat"}}}});
  const NpzArchive archive(file, "a.npz");
  ASSERT_EQ(archive.size(), 3U);
  EXPECT_EQ(archive.name(1), "y");
  EXPECT_EQ(archive.find("classes"), 2U);
  EXPECT_EQ(std::get<Numbers>(archive.array("X").values), (Numbers{1, 2, 3, 4}));
  const Table table = parse_table(file, "a.npz");
  EXPECT_EQ(table.names(), (Texts{"c1", "c2", "y"}));
  EXPECT_EQ(table.text("y"), (Texts{"ant", "bee"}));
  EXPECT_EQ(message_of([&] { (void)archive.array("z"); }),
            "a.npz: no array \"z\", found \"X\", \"y\", \"classes\"");
}

TEST(Npz, asks_for_a_name_where_there_are_several_matrices) {
  const std::string file =
      format_npz({{"A", {{1, 2}, Numbers{1, 2}}}, {"B", {{1, 1}, Numbers{5}}}});
  EXPECT_EQ(message_of([&] { (void)parse_table(file, "a.npz"); }),
            "a.npz: several matrices, \"A\" and \"B\"; set array to the name of one");
  TableOptions options;
  options.array = "B";
  EXPECT_EQ(parse_table(file, "a.npz", options).names(), (Texts{"c1"}));
  options.array = "C";
  EXPECT_EQ(message_of([&] { (void)parse_table(file, "a.npz", options); }),
            "a.npz: no array \"C\", found \"A\", \"B\"");
}

TEST(Npz, notices_damage) {
  std::string file = format_npz({{"X", {{2}, Numbers{1, 2}}}});
  EXPECT_EQ(message_of([&] { (void)parse_table("hello", "a.npz"); }),
            "a.npz: is not an NPZ file (a zip archive of arrays)");
  EXPECT_EQ(message_of([&] { (void)parse_table(file.substr(0, 100), "a.npz"); }),
            "a.npz: the zip archive is damaged or cut short");
  file[150] ^= 1;
  EXPECT_EQ(message_of([&] { (void)parse_table(file, "a.npz"); }),
            "a.npz, array \"X\": the checksum does not match, the file is damaged");
}

}  // namespace
}  // namespace bentwood
