#pragma once

#include <string>

#include "bentwood/data/file_descriptor.hpp"

namespace bentwood {

/// A file beside a target that vanishes unless it takes the target's place.
///
/// It is called as its target, with a dot before it and ".bentwood-0.tmp" or another number behind it, and locked while it
/// lives. A process that is killed leaves its file behind, but no lock: every save to the same target first removes the files of
/// such names that nobody has locked. So no file that is being written is ever removed, whichever container or host writes it, and where
/// a file system has no locks, none is. Long names of targets are cut, so that any name that can be a target's will do.
class TemporaryFile {
 public:
  /// `mode` is that of the target; 0 where there is none yet: it then gets that of any new file. Until it takes the
  /// target's place nobody but its owner may look into a file whose target has a mode. Throws IoError that names `source`.
  TemporaryFile(const std::string& target, unsigned mode, std::string source);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// Puts the file, and what was written to it, safely in the target's place. Throws IoError.
  void replace_target();

 private:
  [[nodiscard]] std::string name_of(unsigned number) const;
  void remove_left_behind() const;
  [[nodiscard]] bool create(unsigned number);
  [[noreturn]] void fail_to_create(int number) const;

  std::string source_;
  /// The target's folder, empty or with a slash behind it, and its name there.
  std::string folder_path_;
  std::string target_name_;
  unsigned mode_;
  FileDescriptor folder_;
  std::string name_;
  int descriptor_ = -1;
  /// A second descriptor of the file, which keeps the lock when the first is closed.
  int lock_ = -1;
  bool renamed_ = false;
};

}  // namespace bentwood
