#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace bentwood {

/// A small model of one kind, trained on a few rows: the bytes of its file.
struct SampleModel {
  std::string_view kind;
  std::string (*bytes)();
};

inline std::ostream& operator<<(std::ostream& out, const SampleModel& sample) {
  return out << sample.kind;
}

/// One or more models of every kind that files hold.
[[nodiscard]] std::vector<SampleModel> sample_models();

}  // namespace bentwood
