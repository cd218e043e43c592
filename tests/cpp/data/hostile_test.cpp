// Every truncation and every single-byte change of a small file of each kind is read or refused
// with an Error: no other exception, no crash, no memory out of proportion. Most telling under ASan
// + UBSan.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/csv.hpp"
#include "bentwood/data/edge_list.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/gml.hpp"
#include "bentwood/data/io.hpp"
#include "bentwood/data/matrix_market.hpp"
#include "bentwood/data/npz.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/data/word2vec.hpp"
#include "data/allocation.hpp"

namespace bentwood {
namespace {

struct Hostile {
  const char* name;
  std::string file;
  std::function<void(const std::string&)> read;
};

std::ostream& operator<<(std::ostream& out, const Hostile& hostile) { return out << hostile.name; }

/// An archive whose array is deflated, as one literal block: 1 (the last), length, complement,
/// bytes.
std::string deflated_npz() {
  const std::string npy = format_npy(NpyArray{{2}, std::vector<double>{1, 1}, Precision::float64});
  std::string file = format_npz({{"X", {{2}, std::vector<double>{1, 1}, Precision::float64}}});
  std::string block("\x01", 1);
  for (const std::size_t value : {npy.size(), ~npy.size()}) {
    block += static_cast<char>(value & 0xFF);
    block += static_cast<char>((value >> 8) & 0xFF);
  }
  file.insert(file.find(npy), block);
  const std::size_t entry = file.rfind("PK\x01\x02");
  const std::size_t end = file.rfind("PK\x05\x06");
  file[8] = 8;           // the method in the local header
  file[entry + 10] = 8;  // and in the directory
  file[entry + 20] = static_cast<char>(npy.size() + block.size());
  file[end + 16] = static_cast<char>(entry);
  return file;
}

std::string gzipped_csv() {
  // printf 'x,y\n1,2\n' | gzip -n
  const unsigned char bytes[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03,
                                 0xab, 0xd0, 0xa9, 0xe4, 0x32, 0xd4, 0x31, 0xe2, 0x02, 0x00,
                                 0x23, 0xdf, 0x72, 0x00, 0x08, 0x00, 0x00, 0x00};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

std::vector<Hostile> hostiles() {
  const NpyArray matrix{{2, 2}, std::vector<double>{1, 2, 3, 4}, Precision::float64};
  const NpyArray words{{2}, std::vector<std::string>{"a", "\xc3\xa4"}, Precision::float64};
  const auto table = [](const char* source) {
    return [source](const std::string& file) { (void)parse_table(file, source); };
  };
  return {
      {"csv", "x,\"a \"\"b\"\"\n\",y\r\n1,\"t\n\",-2e3\r\n+.5,nan,7\n",
       [](const std::string& file) {
         const ThreadLimit serial(1);
         for (const std::size_t block_size : {3U, 1U << 20U}) {
           CsvOptions options;
           options.block_size = block_size;
           (void)parse_csv(file, "a.csv", options);
         }
       }},
      {"npy", format_npy(matrix), table("a.npy")},
      {"npy_text", format_npy(words), table("a.npy")},
      {"npz", format_npz({{"X", matrix}, {"y", words}}), table("a.npz")},
      {"npz_deflated", deflated_npz(), table("a.npz")},
      {"gzip", gzipped_csv(), [](const std::string& file) { (void)gunzip(file, "a.gz"); }},
      {"word2vec", "2 2\nant 1 -2.5\nbee 3e4 inf\n", table("a.vec")},
      {"edge_list", "# c\nsource,target,w\n1,2,3\n2,\"3\",.5\n",
       [](const std::string& file) { (void)report(parse_edge_list(file, "a.csv")); }},
      {"edge_words", "ant bee {'weight': 2}\nbee cat {}\n",
       [](const std::string& file) { (void)report(parse_edge_list(file, "a.txt")); }},
      {"matrix_market", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 .5\n3 3 1\n",
       [](const std::string& file) { (void)report(parse_matrix_market(file, "a.mtx")); }},
      {"gml",
       "graph [ directed 1\n x [ y 1 ]\n node [ id 1 label \"a&#228;\" value 2 ]\n node [ id 2 ]\n"
       " edge [ source 1 target 2 weight .5 ] ]\n",
       [](const std::string& file) { (void)report(parse_gml(file, "a.gml")); }},
  };
}

class HostileFile : public testing::TestWithParam<Hostile> {
 protected:
  /// Anything but an Error whose message is one line of UTF-8 fails the test.
  void read_or_refuse(const std::string& file) {
    largest_allocation() = 0;
    try {
      GetParam().read(file);
      ++n_read_;
    } catch (const Error& error) {
      const std::string message = error.what();
      ASSERT_TRUE(is_utf8(message) && message.find('\n') == std::string::npos) << message;
    }
    // The files have some hundred bytes; deflate may expand them a thousandfold.
    constexpr std::size_t most = std::size_t{1} << 20;
    ASSERT_LE(largest_allocation(), most);
  }
  std::size_t n_read_ = 0;
};

TEST_P(HostileFile, is_read_when_nothing_is_changed) {
  EXPECT_NO_THROW(GetParam().read(GetParam().file));
}

TEST_P(HostileFile, is_read_or_refused_at_every_truncation) {
  for (std::size_t size = 0; size < GetParam().file.size(); ++size) {
    read_or_refuse(GetParam().file.substr(0, size));
  }
}

TEST_P(HostileFile, is_read_or_refused_at_every_single_byte_change) {
  std::string file = GetParam().file;
  for (char& byte : file) {
    const char original = byte;
    for (int change = 1; change < 256; ++change) {
      byte = static_cast<char>(original ^ change);
      read_or_refuse(file);
    }
    byte = original;
  }
  // Some changes leave a file that is still right; none would mean that the test reads nothing.
  EXPECT_GT(n_read_, 0U);
}

INSTANTIATE_TEST_SUITE_P(Every, HostileFile, testing::ValuesIn(hostiles()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace bentwood
