#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace bentwood::cli {

ProgressBar::ProgressBar(const Session& session, std::string task, std::size_t total,
                         std::string unit)
    : shown_(!session.quiet && isatty(STDERR_FILENO) == 1),
      task_(std::move(task)),
      unit_(std::move(unit)),
      total_(total) {
  update(0);
}

ProgressBar::~ProgressBar() {
  if (shown_) {
    std::fputs("\r\x1b[K", stderr);
  }
}

void ProgressBar::update(std::size_t n_done) {
  if (!shown_) {
    return;
  }
  constexpr std::size_t width = 30;
  const std::size_t filled = total_ == 0 ? width : std::min(n_done, total_) * width / total_;
  std::string line = fmt::format("{} [{:#<{}}{:.<{}}] {}/{} {}", task_, "", filled, "",
                                 width - filled, n_done, total_, unit_);
  if (line != line_) {
    line_ = std::move(line);
    fmt::print(stderr, "\r{}\x1b[K", line_);
    std::fflush(stderr);
  }
}

std::function<void(std::size_t)> ProgressBar::listener() {
  return shown_ ? std::function<void(std::size_t)>([this](std::size_t n_done) { update(n_done); })
                : nullptr;
}

}  // namespace bentwood::cli
