#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/model/safetensors.hpp"

namespace bentwood {

/// A model file taken apart, to be changed and sealed again: its checksums are right, whatever else is wrong.
class SealedFile {
 public:
  explicit SealedFile(std::string_view bytes);

  /// Changes one to three things: metadata as text or as JSON, numbers, shapes, types, whole arrays.
  void mutate(Random& random);

  /// The names of its metadata, but for checksums; and to change one.
  [[nodiscard]] std::vector<std::string> names() const;
  void set(const std::string& name, const std::string& text) { metadata_[name] = text; }

  [[nodiscard]] std::string bytes() const;

 private:
  struct OwnedTensor {
    std::string name;
    TensorType type;
    std::vector<std::uint64_t> shape;
    std::string bytes;
  };

  void mutate_once(Random& random);
  void mutate_metadata(Random& random);
  void mutate_numbers(Random& random);
  void mutate_array(Random& random);
  [[nodiscard]] std::string& any_value(Random& random);
  [[nodiscard]] OwnedTensor& any_tensor(Random& random);

  std::map<std::string, std::string> metadata_;
  /// In the order of the file.
  std::vector<OwnedTensor> tensors_;
};

}  // namespace bentwood
