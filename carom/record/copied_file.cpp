#include "carom/record/copied_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace carom {

std::string copy_bytes(const std::string& from, const std::string& to) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return std::strerror(errno);
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int error = out < 0 ? errno : 0;
  std::array<char, 1 << 16> bytes;
  while (error == 0) {
    const ssize_t got = ::read(in, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = errno;
    if (got <= 0) break;
    for (ssize_t put = 0; put < got && error == 0;) {
      const ssize_t more = ::write(out, bytes.data() + put, static_cast<std::size_t>(got - put));
      if (more < 0 && errno != EINTR) error = errno;
      if (more > 0) put += more;
    }
  }
  ::close(in);
  if (out >= 0 && ::close(out) != 0 && error == 0) error = errno;
  return error == 0 ? "" : std::strerror(error);
}

}  // namespace carom
