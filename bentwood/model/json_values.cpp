#include "bentwood/model/json_values.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace bentwood {
namespace {

using Json = nlohmann::json;

/// Hears every part of some JSON, and refuses those that it does not expect.
class Listener : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return false; }
  bool boolean(bool /*value*/) override { return false; }
  bool number_integer(number_integer_t /*number*/) override { return false; }
  bool number_unsigned(number_unsigned_t /*number*/) override { return false; }
  bool number_float(number_float_t /*number*/, const string_t& /*text*/) override { return false; }
  bool string(string_t& /*text*/) override { return false; }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return false; }
  bool key(string_t& /*name*/) override { return false; }
  bool end_object() override { return false; }
  bool start_array(std::size_t /*size*/) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*problem*/) override {
    return false;
  }
};

template <class Item>
class ListListener : public Listener {
 public:
  explicit ListListener(std::size_t most) : most_(most) {}
  JsonList<Item> list;

  bool start_array(std::size_t /*size*/) override { return !std::exchange(begun_, true); }
  bool end_array() override { return true; }
  bool number_integer(number_integer_t number) override { return add(number); }
  bool number_unsigned(number_unsigned_t number) override {
    constexpr auto largest =
        static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return number <= largest && add(static_cast<std::int64_t>(number));
  }
  bool string(string_t& text) override { return add(std::move(text)); }

 private:
  template <class Found>
  bool add(Found&& found) {
    if constexpr (std::is_same_v<std::decay_t<Found>, Item>) {
      if (begun_ && list.size++ < most_) {
        list.items.push_back(std::forward<Found>(found));
      }
      return begun_;
    } else {
      return false;
    }
  }

  std::size_t most_;
  bool begun_ = false;
};

/// Writes the members down again as it hears them.
class MemberListener : public Listener {
 public:
  std::map<std::string, std::string> members;

  bool null() override { return write("null"); }
  bool boolean(bool value) override { return write(value ? "true" : "false"); }
  bool number_integer(number_integer_t number) override { return write(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return write(std::to_string(number)); }
  bool number_float(number_float_t number, const string_t& /*text*/) override {
    return write(Json(number).dump());
  }
  bool string(string_t& text) override { return write(Json(std::move(text)).dump()); }
  bool start_object(std::size_t /*size*/) override { return depth_ == 0 ? descend() : open('{'); }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      const auto [place, is_new] = members.try_emplace(std::move(name));
      value_ = &place->second;
      return is_new;
    }
    separate();
    *value_ += Json(std::move(name)).dump() + ":";
    return true;
  }
  bool end_object() override { return depth_ == 1 ? ascend() : close('}'); }
  bool start_array(std::size_t /*size*/) override { return open('['); }
  bool end_array() override { return close(']'); }

 private:
  static constexpr int deepest =
      18;  // one more than parameters that are written may have, in the object

  bool write(const std::string& text) {
    if (depth_ == 0) {
      return false;
    }
    separate();
    *value_ += text;
    return true;
  }
  bool open(char bracket) {
    if (depth_ == 0) {
      return false;
    }
    separate();
    *value_ += bracket;
    return descend();
  }
  bool close(char bracket) {
    *value_ += bracket;
    return ascend();
  }
  /// Writes the comma before an item that is not the first, and not the value of a name.
  void separate() {
    if (!value_->empty() &&
        std::string_view("[{:").find(value_->back()) == std::string_view::npos) {
      *value_ += ',';
    }
  }
  bool descend() { return ++depth_ <= deepest; }
  bool ascend() {
    --depth_;
    return true;
  }

  int depth_ = 0;
  std::string* value_ = nullptr;
};

}  // namespace

std::optional<JsonList<std::string>> json_texts(std::string_view json, std::size_t most) {
  ListListener<std::string> listener(most);
  return Json::sax_parse(json, &listener) ? std::optional(std::move(listener.list)) : std::nullopt;
}

std::optional<JsonList<std::int64_t>> json_integers(std::string_view json, std::size_t most) {
  ListListener<std::int64_t> listener(most);
  return Json::sax_parse(json, &listener) ? std::optional(std::move(listener.list)) : std::nullopt;
}

std::optional<std::map<std::string, std::string>> json_members(std::string_view json) {
  MemberListener listener;
  return Json::sax_parse(json, &listener) ? std::optional(std::move(listener.members))
                                          : std::nullopt;
}

}  // namespace bentwood
