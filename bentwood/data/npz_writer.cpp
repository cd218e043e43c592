#include <fmt/format.h>

#include "bentwood/base/error.hpp"
#include "bentwood/data/append_bytes.hpp"
#include "bentwood/data/npz.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/data/zip.hpp"

namespace bentwood {
namespace {

void append_number(std::string& out, std::size_t value, std::size_t n_bytes) {
  for (std::size_t index = 0; index < n_bytes; ++index) {
    out += static_cast<char>(value >> (8 * index));
  }
}

/// The fields that the local header and the directory entry of a stored file share.
std::string common_fields(const std::string& name, std::string_view contents) {
  std::string out;
  append_number(out, 20, 2);       // version 2.0 can read it
  append_number(out, 1 << 11, 2);  // the name is UTF-8
  append_number(out, 0, 2);        // stored
  append_number(out, 0, 2);        // midnight,
  append_number(out, 0x21, 2);     // 1 January 1980: the same arrays make the same bytes
  append_number(out, zip::crc_of(contents), 4);
  append_number(out, contents.size(), 4);
  append_number(out, contents.size(), 4);
  append_number(out, name.size(), 2);
  append_number(out, 0, 2);
  return out;
}

}  // namespace

std::string format_npz(const std::vector<std::pair<std::string, NpyArray>>& arrays) {
  std::string files;
  std::string directory;
  for (const auto& [array_name, array] : arrays) {
    const std::string name = array_name + ".npy";
    if (name.size() > 0xFFFF || array_name.find('\0') != std::string::npos) {
      throw InvalidInput(fmt::format("{} cannot name an array", shown(array_name)));
    }
    const std::string contents = format_npy(array);
    const std::string fields = common_fields(name, contents);
    const std::size_t begin = files.size();
    files.append(zip::local_signature).append(fields).append(name);
    append_bytes(files, contents);
    directory.append(zip::entry_signature).append("\x14\x00", 2).append(fields);
    append_number(directory, 0, 2);  // no comment
    append_number(directory, 0, 2);  // disk 0
    append_number(directory, 0, 2);
    append_number(directory, 0, 4);
    append_number(directory, begin, 4);
    directory += name;
    if (files.size() > zip::max_32) {
      throw InvalidInput("an NPZ file can hold at most 4 GB; write several or use .npy");
    }
  }
  if (arrays.size() >= 0xFFFF) {
    throw InvalidInput(
        fmt::format("an NPZ file can hold at most 65534 arrays, found {}", arrays.size()));
  }
  std::string end(zip::end_signature);
  append_number(end, 0, 4);
  append_number(end, arrays.size(), 2);
  append_number(end, arrays.size(), 2);
  append_number(end, directory.size(), 4);
  append_number(end, files.size(), 4);
  append_number(end, 0, 2);
  files.append(directory).append(end);
  return files;
}

}  // namespace bentwood
