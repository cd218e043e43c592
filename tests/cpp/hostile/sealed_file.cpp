#include "hostile/sealed_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace bentwood {
namespace {

using Json = nlohmann::json;

std::size_t size_of(TensorType type) {
  return type == TensorType::f64 || type == TensorType::u64 ? 8 : 4;
}

/// What metadata may be replaced by: words of other kinds of models, and numbers and structures that like to do harm.
constexpr auto texts = std::to_array<std::string_view>({
    "",
    "null",
    "true",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5000",
    "1e999",
    "-0.0",
    "NaN",
    "18446744073709551615",
    "18446744073709551616",
    "[]",
    "{}",
    "[0]",
    "[1,2,3]",
    "[\"a\",\"b\"]",
    "[\"a\",\"a\"]",
    "[null]",
    "[[]]",
    "{\"n_jobs\":5000}",
    "{\"seed\":-1}",
    "{\"class_dtype\":\"int8,(10000,10000)f8\"}",
    "classification",
    "regression",
    "none",
    "forest",
    "horospheres",
    "linear",
    "neighbours",
    "all",
    "in_bag",
    "out_of_bag",
    "tangent",
    "weighted",
    "lorentz",
    "ambient",
    "poincare",
    "klein",
    "error",
    "project",
    "integer",
    "real",
    "text",
    "H1",
    "H2",
    "H3",
    "E1",
    "E2",
    "E3",
    "E4",
    "S1",
    "S2",
    "S3",
    "H2(-1e100)",
    "H2(-1e-100)",
    "H3(-1e100)",
    "S2(1e100)",
    "S3(1e-100)",
    "E1 x H1",
    "H1 x H1",
    "S1 x S1",
    "H2 x S1 x E2",
    "(H1)^1000000",
    "H1000000",
    "E999999",
    "((H1)^1000)^1000",
    "(E1)^40",
    "[\"geodesic\"]",
    "[\"pairs\"]",
    "[\"horosphere\"]",
    "[\"chordal\"]",
    "[\"geodesic\",\"pairs\"]",
    "[\"geodesic\",\"horosphere\"]",
    "ManifoldTreeClassifier",
    "ManifoldTreeRegressor",
    "ManifoldForestClassifier",
    "ManifoldForestRegressor",
    "HoroTreeClassifier",
    "HoroForestClassifier",
    "HoroSVC",
    "PoincareSVC",
    "PoincarePerceptron",
    "PoincareSecondOrderPerceptron",
    "GeodesicForest",
    "load",
    "4",
    "9",
});

constexpr auto reals = std::to_array<double>({
    0,
    -0.0,
    1,
    -1,
    0.5,
    2,
    1e-300,
    5e-324,
    1e155,
    -1e155,
    1e300,
    -1e300,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    std::numeric_limits<double>::infinity(),
    -std::numeric_limits<double>::infinity(),
    std::numeric_limits<double>::quiet_NaN(),
    1 + 1e-6,
    1 + 1e-12,
    3.141592653589793,
    9007199254740994,
});

double any_real(Random& random, double before) {
  switch (random.below(6)) {
    case 0:
      return std::bit_cast<double>(random.bits());
    case 1:
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(before) ^
                                   (std::uint64_t{1} << random.below(64)));
    case 2:
      return before * std::pow(10, static_cast<double>(random.below(601)) - 300);
    case 3:
      return -before;
    default:
      return reals.at(random.below(reals.size()));
  }
}

std::uint64_t any_whole(Random& random, std::uint64_t before) {
  switch (random.below(6)) {
    case 0:
      return random.bits();
    case 1:
      return before ^ (std::uint64_t{1} << random.below(64));
    case 2:
      return before + 1;
    case 3:
      return before - 1;
    case 4:
      return random.below(64);
    default:
      return ~std::uint64_t{0} >> random.below(64);
  }
}

/// Another number of the type, in place.
void change_number(char* place, TensorType type, Random& random) {
  if (type == TensorType::f64) {
    double number = 0;
    std::memcpy(&number, place, sizeof number);
    number = any_real(random, number);
    std::memcpy(place, &number, sizeof number);
    return;
  }
  std::uint64_t number = 0;
  std::memcpy(&number, place, size_of(type));
  number = any_whole(random, number);
  std::memcpy(place, &number, size_of(type));
}

/// Some part of a JSON value, the whole included.
Json& any_part(Json& json, Random& random) {
  Json* part = &json;
  while (part->is_structured() && !part->empty() && random.below(4) != 0) {
    part = &*std::next(part->begin(), static_cast<std::ptrdiff_t>(random.below(part->size())));
  }
  return *part;
}

Json any_json(Random& random) {
  if (random.below(2) == 0) {
    return texts.at(random.below(texts.size()));
  }
  Json parsed = Json::parse(texts.at(random.below(texts.size())), nullptr, false);
  return parsed.is_discarded() ? Json(any_real(random, 1)) : parsed;
}

void change_json(Json& json, Random& random) {
  Json& part = any_part(json, random);
  switch (random.below(5)) {
    case 0: {  // more of the same, at times many
      if (part.is_array() && !part.empty()) {
        const Json item = part[random.below(part.size())];
        const std::uint64_t count = random.below(8) == 0 ? 2000 : 1;
        for (std::uint64_t copy = 0; copy < count; ++copy) {
          part.push_back(item);
        }
        break;
      }
      part = any_json(random);
      break;
    }
    case 1:
      if (part.is_array() && !part.empty()) {
        part.erase(random.below(part.size()));
        break;
      }
      part = any_json(random);
      break;
    case 2:
      part = Json::array({part, any_json(random)});
      break;
    case 3:
      if (part.is_array()) {
        std::reverse(part.begin(), part.end());
        break;
      }
      part = any_json(random);
      break;
    default:
      part = any_json(random);
  }
}

/// Characters changed, removed or repeated; what is not ASCII stays, so that the text stays Unicode.
void change_text(std::string& text, Random& random) {
  constexpr std::string_view characters = "0123456789-+.eE\"[]{}(),:^xHSE aZ_/\\\n";
  const char fresh = characters[random.below(characters.size())];
  const std::size_t place = random.below(text.size() + 1);
  const auto is_ascii = [&](std::size_t at) { return static_cast<unsigned char>(text[at]) < 0x80; };
  if (place == text.size() || !is_ascii(place) || random.below(3) == 0) {
    text.insert(
        text.begin() + static_cast<std::ptrdiff_t>(text.empty() || is_ascii(0) ? 0 : text.size()),
        fresh);
  } else if (random.below(2) == 0) {
    text.erase(place, 1);
  } else {
    text[place] = fresh;
  }
}

}  // namespace

SealedFile::SealedFile(std::string_view bytes) {
  const Safetensors file = parse_safetensors(bytes);
  metadata_ = file.metadata;
  std::erase_if(metadata_, [](const auto& item) {
    return item.first.starts_with("xxh3.") || item.first == "checksum";
  });
  for (const auto& [name, tensor] : file.tensors) {
    tensors_.push_back({name, tensor.type, tensor.shape, std::string(tensor.bytes)});
  }
  std::ranges::sort(tensors_, {}, [&](const OwnedTensor& tensor) {
    return file.tensors.at(tensor.name).bytes.data();
  });
}

std::vector<std::string> SealedFile::names() const {
  std::vector<std::string> result;
  for (const auto& [name, text] : metadata_) {
    result.push_back(name);
  }
  return result;
}

std::string SealedFile::bytes() const {
  Safetensors file;
  file.metadata = metadata_;
  std::vector<std::string> order;
  for (const OwnedTensor& tensor : tensors_) {
    file.tensors[tensor.name] = {tensor.type, tensor.shape, tensor.bytes};
    order.push_back(tensor.name);
  }
  std::string result = sealed_header(file, order);
  for (const OwnedTensor& tensor : tensors_) {
    result += tensor.bytes;
  }
  return result;
}

void SealedFile::mutate(Random& random) {
  for (std::uint64_t count = 1 + random.below(3); count > 0; --count) {
    mutate_once(random);
  }
}

void SealedFile::mutate_once(Random& random) {
  switch (random.below(8)) {
    case 0:
      mutate_array(random);
      break;
    case 1:
    case 2:
    case 3:
      mutate_metadata(random);
      break;
    default:
      mutate_numbers(random);
  }
}

std::string& SealedFile::any_value(Random& random) {
  return std::next(metadata_.begin(), static_cast<std::ptrdiff_t>(random.below(metadata_.size())))
      ->second;
}

SealedFile::OwnedTensor& SealedFile::any_tensor(Random& random) {
  return tensors_[random.below(tensors_.size())];
}

void SealedFile::mutate_metadata(Random& random) {
  if (metadata_.empty()) {
    return;
  }
  std::string& value = any_value(random);
  switch (random.below(6)) {
    case 0:
      value = any_value(random);
      break;
    case 1:
      value = texts.at(random.below(texts.size()));
      break;
    case 2:
      if (random.below(4) == 0) {
        metadata_.erase(std::next(metadata_.begin(),
                                  static_cast<std::ptrdiff_t>(random.below(metadata_.size()))));
      } else {
        change_text(value, random);
      }
      break;
    case 3:
      change_text(value, random);
      break;
    default: {
      Json json = Json::parse(value, nullptr, false);
      if (json.is_discarded()) {
        value = texts.at(random.below(texts.size()));
        break;
      }
      change_json(json, random);
      value = json.dump();
    }
  }
}

void SealedFile::mutate_numbers(Random& random) {
  if (tensors_.empty()) {
    return;
  }
  OwnedTensor& tensor = any_tensor(random);
  const std::size_t size = size_of(tensor.type);
  const std::size_t count = tensor.bytes.size() / size;
  if (count == 0) {
    return;
  }
  char* const place = tensor.bytes.data() + random.below(count) * size;
  switch (random.below(5)) {
    case 0: {  // all alike: what one of them does not, many may
      change_number(place, tensor.type, random);
      const std::string number(place, size);
      for (std::size_t index = 0; index < count; ++index) {
        tensor.bytes.replace(index * size, size, number);
      }
      break;
    }
    case 1:
      std::memmove(place, tensor.bytes.data() + random.below(count) * size, size);
      break;
    case 2:
      for (std::size_t index = 0; index < count; ++index) {
        change_number(tensor.bytes.data() + index * size, tensor.type, random);
      }
      break;
    default:
      change_number(place, tensor.type, random);
  }
}

void SealedFile::mutate_array(Random& random) {
  if (tensors_.empty()) {
    return;
  }
  OwnedTensor& tensor = any_tensor(random);
  const std::size_t rows = tensor.shape.empty() ? 0 : tensor.shape[0];
  const std::size_t row_size = rows == 0 ? 0 : tensor.bytes.size() / rows;
  switch (random.below(8)) {
    case 0:
      if (rows > 0) {
        const std::uint64_t count = 1 + random.below(random.below(8) == 0 ? 500 : 2);
        const std::string row = tensor.bytes.substr(random.below(rows) * row_size, row_size);
        for (std::uint64_t copy = 0; copy < count; ++copy) {
          tensor.bytes += row;
        }
        tensor.shape[0] += count;
      }
      break;
    case 1:
      if (rows > 0) {
        tensor.bytes.erase(random.below(rows) * row_size, row_size);
        --tensor.shape[0];
      }
      break;
    case 2:
      std::ranges::reverse(tensor.shape);
      break;
    case 3:
      tensor.shape.push_back(random.below(2));
      break;
    case 4:
      tensor.type = static_cast<TensorType>(random.below(4));
      break;
    case 5: {
      OwnedTensor& other = any_tensor(random);
      std::swap(tensor.bytes, other.bytes);
      std::swap(tensor.shape, other.shape);
      std::swap(tensor.type, other.type);
      break;
    }
    case 6:
      tensors_.erase(tensors_.begin() + (&tensor - tensors_.data()));
      break;
    default:
      tensor.name += "x";
  }
}

}  // namespace bentwood
