#pragma once

#include <unistd.h>

#include <cctype>
#include <string>
#include <system_error>

namespace bentwood {

/// An open file that is closed on every way out.
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// What the system says about an error number, to be used inside a sentence: "no such file" rather
/// than "No such file or directory".
[[nodiscard]] inline std::string system_message(int number) {
  if (number == ENOENT) {
    return "no such file";
  }
  std::string message = std::generic_category().message(number);
  if (!message.empty()) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

}  // namespace bentwood
