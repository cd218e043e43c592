#include "bentwood/data/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/data/io.hpp"
#include "bentwood/data/temporary_file.hpp"
#include "data/messages.hpp"

namespace bentwood {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test; the test works inside it, so that messages show short names.
class FileTest : public testing::Test {
 protected:
  FileTest() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "bentwood_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::current_path(folder_);
  }
  ~FileTest() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  static void put(const std::string& path, const std::string& bytes) {
    const std::vector<std::string> pieces{bytes};
    write_file(path, pieces);
  }
  static std::string get(const std::string& path) { return std::string(read_file(path).view()); }
  static std::size_t n_files() {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator("."), {}));
  }

 private:
  fs::path before_;
  fs::path folder_;
};

using ReadFile = FileTest;
using WriteFile = FileTest;
using Io = FileTest;

TEST_F(ReadFile, says_what_the_system_refuses) {
  EXPECT_EQ(message_of([] { (void)read_file("points.csv"); }), "points.csv: no such file");
  EXPECT_EQ(message_of([] { (void)read_file("."); }), ".: is a folder, expected a file");
  EXPECT_EQ(message_of([] { (void)read_file("a\nb"); }), "a\\x0ab: no such file");
  std::ofstream("empty.csv").close();
  EXPECT_EQ(message_of([] { (void)read_file("empty.csv"); }), "empty.csv: the file is empty");
}

TEST_F(ReadFile, reads_pipes_whose_size_nobody_knows) {
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  const std::string sent(300'000, 'x');
  const pid_t child = fork();
  if (child == 0) {
    std::ofstream("pipe") << sent << std::flush;
    _exit(0);
  }
  EXPECT_EQ(get("pipe"), sent);
  waitpid(child, nullptr, 0);
}

TEST_F(ReadFile, decompresses_gzip_and_refuses_damage_and_bombs) {
  Random random(1);
  std::string text;
  for (int row = 0; row < 10'000; ++row) {
    text += std::to_string(random.bits()) + "\n";
  }
  put("points.csv.gz", text);
  EXPECT_LT(fs::file_size("points.csv.gz"), text.size());
  EXPECT_EQ(get("points.csv.gz"), text);

  std::ifstream in("points.csv.gz", std::ios::binary);
  std::string packed((std::istreambuf_iterator<char>(in)), {});
  put("twice.csv", packed + packed);  // two members, and no .gz in the name
  EXPECT_EQ(get("twice.csv"), text + text);
  put("short.csv", packed.substr(0, packed.size() / 2));
  EXPECT_EQ(message_of([] { (void)read_file("short.csv"); }),
            "short.csv: the gzip data end too early");
  put("long.csv", packed + "xyz");
  EXPECT_EQ(message_of([] { (void)read_file("long.csv"); }),
            "long.csv: 3 bytes follow the gzip data");
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0xFF);
  put("bad.csv", packed);
  EXPECT_EQ(message_of([] { (void)read_file("bad.csv"); }), "bad.csv: the gzip data are damaged");
  std::ofstream("plain.csv.gz") << "x,y\n1,2\n";
  EXPECT_EQ(message_of([] { (void)read_file("plain.csv.gz"); }),
            "plain.csv.gz: is not in gzip format, though its name ends in .gz");
  put("bomb.csv.gz", std::string(100'000'000, '0'));
  EXPECT_EQ(
      message_of([] { (void)read_file("bomb.csv.gz"); }),
      "bomb.csv.gz: expands to more than 256 times its size; decompress it first if that is right");
}

TEST_F(WriteFile, replaces_the_old_file_and_keeps_its_mode_and_links) {
  put("a.csv", "old");
  fs::permissions("a.csv", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a.csv", "link.csv");
  put("link.csv", "new");
  EXPECT_EQ(get("a.csv"), "new");
  EXPECT_TRUE(fs::is_symlink("link.csv"));
  EXPECT_EQ(fs::status("a.csv").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(n_files(), 2U);
}

TEST_F(WriteFile, makes_the_file_that_a_link_points_to) {
  fs::create_directory("folder");
  fs::create_symlink("later.csv", "folder/second.csv");
  fs::create_symlink("folder/second.csv", "first.csv");
  for (const std::string text : {"made", "replaced"}) {
    put("first.csv", text);
    EXPECT_TRUE(fs::is_symlink("first.csv"));
    EXPECT_TRUE(fs::is_symlink("folder/second.csv"));
    EXPECT_FALSE(fs::is_symlink("folder/later.csv"));
    EXPECT_EQ(get("folder/later.csv"), text);
  }
  fs::create_symlink("circle", "circle");
  EXPECT_EQ(message_of([] { put("circle", "x"); }),
            "circle: cannot write: too many levels of symbolic links");
  fs::create_symlink("none/a.csv", "nowhere");
  EXPECT_EQ(message_of([] { put("nowhere", "x"); }), "nowhere: cannot write: no such folder");
}

TEST_F(WriteFile, takes_every_name_that_the_system_takes) {
  const std::string longest(255, 'x');
  put(longest, "new");
  EXPECT_EQ(get(longest), "new");
  check_writable(longest);
  std::string wide;
  while (wide.size() < 254) {
    wide += "\xc3\xa4";
  }
  put(wide, "new");
  EXPECT_EQ(get(wide), "new");
  EXPECT_EQ(n_files(), 2U);
  EXPECT_EQ(message_of([&] { put(longest + "x", "new"); }),
            longest + "x: cannot write: file name too long");
}

/// The first file of the folder whose name begins with a dot.
std::optional<fs::path> hidden_file() {
  for (const fs::directory_entry& entry : fs::directory_iterator(".")) {
    if (entry.path().filename().string().starts_with('.')) {
      return entry.path();
    }
  }
  return std::nullopt;
}

// A limit on the size of files kills the writer while it writes.
TEST_F(WriteFile, shows_nobody_what_the_old_file_does_not_show) {
  umask(022);
  for (const auto& [mode, expected] : {std::pair(0600, 0600), std::pair(0640, 0600)}) {
    put("a.csv", "old");
    ASSERT_EQ(chmod("a.csv", static_cast<mode_t>(mode)), 0);
    const pid_t child = fork();
    if (child == 0) {
      const rlimit limit{100'000, 100'000};
      setrlimit(RLIMIT_FSIZE, &limit);
      put("a.csv", std::string(1'000'000, 'x'));  // killed by SIGXFSZ with the file half written
      _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    const std::optional<fs::path> temporary = hidden_file();
    ASSERT_TRUE(temporary.has_value());
    EXPECT_EQ(static_cast<int>(fs::status(*temporary).permissions()), expected);
    put("a.csv", "new");
    EXPECT_EQ(static_cast<int>(fs::status("a.csv").permissions()), mode);
  }
}

TEST_F(WriteFile, removes_what_killed_writers_left_behind_and_nothing_else) {
  constexpr int n_writers = 3;
  put("a.csv", "old");
  put(".a.csv.bentwood-x.tmp", "mine");
  ASSERT_EQ(mkdir(".a.csv.bentwood-7.tmp", 0700), 0);
  std::vector<pid_t> writers;
  for (int writer = 0; writer < n_writers; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      const TemporaryFile file("a.csv", 0644, "a.csv");
      pause();
      _exit(0);
    }
    writers.push_back(child);
  }
  const std::size_t n_before = 3;
  while (n_files() < n_before + n_writers) {
    usleep(1000);
  }
  put("a.csv", "new");  // all of them are being written
  check_writable("a.csv");
  EXPECT_EQ(n_files(), n_before + n_writers);
  kill(writers[1], SIGKILL);
  waitpid(writers[1], nullptr, 0);
  put("b.csv", "other");  // another target
  EXPECT_EQ(n_files(), n_before + n_writers + 1);
  put("a.csv", "new");
  EXPECT_EQ(n_files(), n_before + n_writers);
  for (const pid_t writer : writers) {
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
  }
  put("a.csv", "newest");
  EXPECT_EQ(n_files(), n_before + 1);
  EXPECT_EQ(get("a.csv"), "newest");
  EXPECT_EQ(get(".a.csv.bentwood-x.tmp"), "mine");
}

// Many writers of one file, each of which takes the others' files for left behind if it can.
TEST_F(WriteFile, never_removes_what_another_is_writing) {
  constexpr int n_writers = 8;
  std::vector<pid_t> writers;
  for (int writer = 0; writer < n_writers; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        for (int repetition = 0; repetition < 100; ++repetition) {
          put("a.csv", std::string(10'000, static_cast<char>('a' + writer)));
        }
      } catch (const Error&) {
        _exit(1);
      }
      _exit(0);
    }
    writers.push_back(child);
  }
  for (const pid_t writer : writers) {
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(n_files(), 1U);
  const std::string last = get("a.csv");
  EXPECT_EQ(last, std::string(10'000, last[0]));
}

TEST_F(WriteFile, says_where_it_cannot_write) {
  EXPECT_EQ(message_of([] { put("none/a.csv", "x"); }), "none/a.csv: cannot write: no such folder");
  EXPECT_EQ(message_of([] { put(".", "x"); }), ".: cannot write: is a folder");
  EXPECT_EQ(message_of([] { put("/dev/full", "x"); }),
            "/dev/full: cannot write: no space left on device");
}

// A limit on the size of files stands for a full disk; the child cannot disturb other tests.
TEST_F(WriteFile, leaves_the_old_file_and_no_temporary_one_when_the_disk_is_full) {
  put("a.csv", "old");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      put("a.csv", std::string(1'000'000, 'x'));
    } catch (const IoError& error) {
      _exit(std::string(error.what()) == "a.csv: cannot write: file too large" ? 0 : 2);
    }
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(get("a.csv"), "old");
  EXPECT_EQ(n_files(), 1U);
}

// A reader that looks while the writer is killed again and again sees whole files only.
TEST_F(WriteFile, is_never_seen_half_done_though_the_writer_is_killed) {
  const std::string old_bytes(200'000, 'o');
  const std::string new_bytes(200'000, 'n');
  put("a.csv", old_bytes);
  Random random(7);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const pid_t child = fork();
    if (child == 0) {
      while (true) {
        put("a.csv", new_bytes);
        put("a.csv", old_bytes);
      }
    }
    usleep(static_cast<useconds_t>(500 + random.below(3000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string seen = get("a.csv");
    ASSERT_TRUE(seen == old_bytes || seen == new_bytes);
  }
  put("a.csv", new_bytes);
  EXPECT_EQ(n_files(), 1U);
}

TEST(Extension, is_lower_case_and_looks_through_gz) {
  EXPECT_EQ(extension("a/Points.CSV"), ".csv");
  EXPECT_EQ(extension("points.npy.gz"), ".npy");
  EXPECT_EQ(extension("dir.csv/points"), "");
  EXPECT_EQ(extension(".hidden"), "");
}

TEST_F(Io, round_trips_a_table_through_every_format) {
  const Table table(
      {{"c1", std::vector<double>{0.1, -1e300}, {}}, {"c2", std::vector<double>{2, 3}, {}}});
  for (const std::string path :
       {"t.csv", "t.tsv", "t.txt", "t.npy", "t.npz", "t.csv.gz", "t.npy.gz"}) {
    write_table(path, table);
    const Table back = read_table(path);
    ASSERT_EQ(back.names(), table.names()) << path;
    EXPECT_EQ(back.columns()[0].values, table.columns()[0].values) << path;
    EXPECT_EQ(back.columns()[1].values, table.columns()[1].values) << path;
  }
  Table words = table;
  words.add({"word", std::vector<std::string>{"ant", "bee"}, {}});
  write_table("w.vec", words);
  EXPECT_EQ(read_table("w.vec").text("word"), words.text("word"));
  EXPECT_EQ(message_of([&] { write_table("t.npy", words); }),
            "t.npy: column \"word\" is text, but NPY holds numbers only; write .csv or .npz");
}

TEST_F(Io, round_trips_a_graph_through_every_format) {
  Graph graph;
  graph.n_nodes = 3;
  graph.edges = {{1, 0, 1}, {2, 1, 1}};
  for (const std::string path : {"g.csv", "g.tsv", "g.edges", "g.mtx", "g.gml", "g.gml.gz"}) {
    write_graph(path, graph);
    EXPECT_EQ(read_graph(path).edges, graph.edges) << path;
    EXPECT_EQ(read_graph(path).n_nodes, 3U) << path;
  }
}

TEST_F(Io, names_the_formats_where_it_knows_none) {
  EXPECT_EQ(message_of([] { (void)read_table("points.xls"); }),
            "points.xls: cannot tell the format of the table from the extension \".xls\"; pass its "
            "format, one of csv, tsv, "
            "npy, npz, word2vec");
  TableOptions options;
  options.format = "xls";
  EXPECT_EQ(message_of([&] { (void)read_table("points.csv", options); }),
            "unknown table format \"xls\", expected one of csv, tsv, npy, npz, word2vec");
  EXPECT_EQ(message_of([] { (void)read_graph("g.dot"); }),
            "g.dot: cannot tell the format of the graph from the extension \".dot\"; pass its "
            "format, one of edges, "
            "mtx, gml");
}

}  // namespace
}  // namespace bentwood
