#pragma once

#include <array>
#include <string_view>

/// The words of a model file's metadata.
namespace bentwood {

inline constexpr std::string_view format_name = "bentwood";

/// In the order of ModelKind.
inline constexpr std::array<std::string_view, 4> kind_names{"forest", "horospheres", "linear",
                                                            "neighbours"};

/// In the order of Task.
inline constexpr std::array<std::string_view, 3> task_names{"classification", "regression", "none"};

}  // namespace bentwood
