// Long reading and writing asks again and again whether the user wants to stop.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/io.hpp"
#include "bentwood/data/npz.hpp"

namespace bentwood {
namespace {

namespace fs = std::filesystem;

/// The time that this thread has worked: what others do on the machine does not count.
double worked() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The longest stretch of work without a question, as a share of all of it.
double longest_silence(const std::function<void()>& work) {
  const ThreadLimit serial(1);
  const double begin = worked();
  double last = begin;
  double longest = 0;
  const auto note = [&] {
    const double now = worked();
    longest = std::max(longest, now - last);
    last = now;
  };
  {
    const InterruptCheck check([&] {
      note();
      return false;
    });
    work();
  }
  note();
  return longest / (last - begin);
}

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// The archive that format_npz makes of one array, but compressed.
std::string compressed_npz(const NpyArray& array) {
  const std::string npy = format_npy(array);
  std::string file = format_npz({{"X", array}});
  const std::string packed = deflated(npy);
  const std::size_t before = file.find(npy);
  file.replace(before, npy.size(), packed);
  const std::size_t entry = file.rfind("PK\x01\x02");
  const std::size_t end = file.rfind("PK\x05\x06");
  const auto put = [&](std::size_t at, std::size_t number) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      file[at + byte] = static_cast<char>(number >> (8 * byte));
    }
  };
  file[8] = 8;
  file[entry + 10] = 8;
  put(entry + 20, packed.size());
  put(end + 16, entry);
  return file;
}

class Silence : public testing::Test {
 protected:
  Silence() {
    std::string name = (fs::temp_directory_path() / "bentwood_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    Random random(1);
    numbers_.resize(4'000'000);
    std::ranges::generate(numbers_, [&] { return static_cast<double>(random.below(100'000)); });
  }
  ~Silence() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }
  [[nodiscard]] Table table() const { return Table({{"x", numbers_, {}}}); }

 private:
  fs::path folder_;
  std::vector<double> numbers_;
};

constexpr double most = 0.25;

TEST_F(Silence, is_short_while_compressed_text_is_read_and_written) {
  const Table written = table();
  EXPECT_LT(longest_silence([&] { write_table(path("a.csv.gz"), written); }), most);
  EXPECT_LT(longest_silence([&] { (void)read_table(path("a.csv.gz")); }), most);
}

TEST_F(Silence, is_short_while_a_compressed_array_is_read) {
  std::ofstream(path("a.npz"), std::ios::binary)
      << compressed_npz({{numbers().size()}, numbers(), Precision::float64});
  EXPECT_LT(longest_silence([&] { (void)read_table(path("a.npz")); }), most);
}

TEST_F(Silence, is_short_while_arrays_are_written) {
  std::vector<TableColumn> columns;
  for (int column = 0; column < 4; ++column) {
    columns.push_back({"x" + std::to_string(column), numbers(), {}});
  }
  const Table written(std::move(columns));
  EXPECT_LT(longest_silence([&] { write_table(path("a.npz"), written); }), most);
  EXPECT_LT(longest_silence([&] { write_table(path("a.npy"), written); }), most);
}

}  // namespace
}  // namespace bentwood
