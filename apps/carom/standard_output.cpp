#include "standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace carom {

int finish_standard_output(int status) {
  // Text that std::cout holds goes through stdout.
  errno = 0;
  const bool streamed = static_cast<bool>(std::cout.flush());
  const bool flushed = std::fflush(stdout) == 0;
  if (streamed && flushed && std::ferror(stdout) == 0) return status;
  const int error = errno;
  std::cerr << "carom: standard output could not be written";
  if (error != 0) std::cerr << ": " << std::strerror(error);
  std::cerr << "\n";
  return 1;
}

}  // namespace carom
