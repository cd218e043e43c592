#include "cli/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace bentwood::cli {
namespace {

// Lock-free atomics are the only objects a signal handler may share with the program.
std::atomic<bool> asked_to_stop = false;
std::atomic<bool> exit_at_once = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void handle_interrupt(int /*signal*/) {
  if (exit_at_once) {
    _exit(interrupted_exit_code);
  }
  asked_to_stop = true;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = handle_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return asked_to_stop; }

ExitOnInterrupt::ExitOnInterrupt() {
  exit_at_once = true;
  if (interrupted()) {
    _exit(interrupted_exit_code);
  }
}

ExitOnInterrupt::~ExitOnInterrupt() { exit_at_once = false; }

}  // namespace bentwood::cli
