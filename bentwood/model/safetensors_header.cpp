#include "bentwood/model/safetensors_header.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// Listens to the parser and allows only what a header may hold, so nothing is built that is not wanted.
class HeaderListener : public nlohmann::json_sax<nlohmann::json> {
 public:
  SafetensorsHeader header;

  bool start_object(std::size_t /*size*/) override {
    if (place_ == Place::before) {
      place_ = Place::top;
    } else if (place_ == Place::top_value) {
      place_ = name_ == "__metadata__" ? Place::metadata : Place::tensor;
      if (place_ == Place::tensor && !header.tensors.try_emplace(name_).second) {
        fail(fmt::format("tensor {} comes twice", shown(name_)));
      }
      if (place_ == Place::metadata && std::exchange(has_metadata_, true)) {
        fail("__metadata__ comes twice");
      }
    } else {
      unexpected("an object");
    }
    return true;
  }
  bool key(string_t& text) override {
    if (place_ == Place::top) {
      name_ = text;
      place_ = Place::top_value;
    } else {
      field_ = text;
      place_ = place_ == Place::metadata ? Place::metadata_value : Place::tensor_value;
    }
    return true;
  }
  bool end_object() override {
    place_ = place_ == Place::top ? Place::after : Place::top;
    return true;
  }
  bool string(string_t& text) override {
    if (place_ == Place::metadata_value) {
      if (!header.metadata.try_emplace(field_, std::move(text)).second) {
        fail(fmt::format("{} comes twice in __metadata__", shown(field_)));
      }
      place_ = Place::metadata;
    } else if (place_ == Place::tensor_value && field_ == "dtype" && !tensor().type) {
      tensor().type = text;
      place_ = Place::tensor;
    } else {
      unexpected("text");
    }
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    if (place_ != Place::tensor_value || (field_ != "shape" && field_ != "data_offsets")) {
      unexpected("a list");
    }
    list_ = field_ == "shape" ? &tensor().shape : &tensor().offsets;
    if (list_->has_value()) {
      fail(fmt::format("{} has two lists {}", shown(name_), field_));
    }
    list_->emplace();
    place_ = Place::list;
    return true;
  }
  bool number_unsigned(number_unsigned_t number) override {
    if (place_ != Place::list) {
      unexpected("a number");
    }
    (*list_)->push_back(number);
    return true;
  }
  bool end_array() override {
    place_ = Place::tensor;
    return true;
  }
  bool number_integer(number_integer_t /*number*/) override { unexpected("a negative number"); }
  bool number_float(number_float_t /*number*/, const string_t& /*text*/) override {
    unexpected("a number that is not whole");
  }
  bool null() override { unexpected("null"); }
  bool boolean(bool /*value*/) override { unexpected("a truth value"); }
  bool binary(binary_t& /*value*/) override { unexpected("binary data"); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*problem*/) override {
    fail(fmt::format("the JSON is broken at byte {}", position));
  }

 private:
  enum class Place {
    before,
    top,
    top_value,
    metadata,
    metadata_value,
    tensor,
    tensor_value,
    list,
    after
  };

  [[noreturn]] static void fail(const std::string& problem) {
    throw FormatError("the header is not that of a safetensors file: " + problem);
  }
  [[noreturn]] void unexpected(std::string_view what) const {
    fail(place_ == Place::before
             ? fmt::format("it is {}, not an object", what)
             : fmt::format("{} has {} that is not expected", shown(name_), what));
  }
  TensorEntry& tensor() { return header.tensors.at(name_); }

  Place place_ = Place::before;
  bool has_metadata_ = false;
  std::string name_;
  std::string field_;
  std::optional<std::vector<std::uint64_t>>* list_ = nullptr;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view json) {
  HeaderListener listener;
  nlohmann::json::sax_parse(json, &listener);
  return std::move(listener.header);
}

}  // namespace bentwood
