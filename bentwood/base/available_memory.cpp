#include "bentwood/base/available_memory.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace bentwood {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// MemAvailable counts caches that would be given up, which sysinfo() does not.
std::size_t free_in_system() {
  std::ifstream file("/proc/meminfo");
  std::size_t n_kilobytes = 0;
  std::string word;
  while (file >> word) {
    std::size_t number = 0;
    if ((word == "MemAvailable:" || word == "SwapFree:") && file >> number) {
      n_kilobytes += number;
    }
  }
  if (n_kilobytes > 0) {
    return n_kilobytes * 1024;
  }
  struct sysinfo info {};
  return sysinfo(&info) == 0 ? (info.freeram + info.freeswap) * info.mem_unit : unlimited;
}

/// Of the control group that a container's processes see as the root; versions 2 and 1.
std::size_t limit_of_group() {
  std::size_t limit = unlimited;
  for (const char* const path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::size_t number = 0;
    if (std::ifstream(path) >> number) {  // not where it says "max"
      limit = std::min(limit, number);
    }
  }
  return limit;
}

std::size_t limit_of_process() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
             ? static_cast<std::size_t>(limit.rlim_cur)
             : unlimited;
}

}  // namespace

std::size_t available_memory() {
  return std::min({free_in_system(), limit_of_group(), limit_of_process()});
}

}  // namespace bentwood
