#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cli/session.hpp"

namespace bentwood::cli {

/// A line on stderr that says how far the work is, for people at a terminal; nothing into files and
/// pipes. It is wiped when the bar ends, also by an exception.
class ProgressBar {
 public:
  /// `total` is the number of steps, `unit` what they are called: "trees".
  ProgressBar(const Session& session, std::string task, std::size_t total, std::string unit);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::size_t n_done);
  /// The same as a function for those who report progress; it may not outlive the bar.
  [[nodiscard]] std::function<void(std::size_t)> listener();

 private:
  bool shown_;
  std::string task_;
  std::string unit_;
  std::size_t total_;
  /// What stands on the terminal, so that it is written again only when it changes.
  std::string line_;
};

}  // namespace bentwood::cli
