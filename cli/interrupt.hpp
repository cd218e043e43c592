#pragma once

namespace bentwood::cli {

/// The shell's code for a program that Ctrl-C stopped.
inline constexpr int interrupted_exit_code = 130;

/// From now on Ctrl-C (SIGINT) asks the work to stop instead of killing the program, so that
/// nothing is left half-written.
void catch_interrupts();

[[nodiscard]] bool interrupted();

/// While it lives, Ctrl-C ends the program at once. For waiting on input, which may never come and
/// before which nothing has been written.
class ExitOnInterrupt {
 public:
  ExitOnInterrupt();
  ~ExitOnInterrupt();
  ExitOnInterrupt(const ExitOnInterrupt&) = delete;
  ExitOnInterrupt& operator=(const ExitOnInterrupt&) = delete;
};

}  // namespace bentwood::cli
