#include "memory_end.h"

#include <cstddef>
#include <memory>
#include <new>

namespace carom {
namespace {

constexpr std::size_t reserve_bytes = std::size_t{16} << 20;  // HDF5's caches of two files, with room
std::unique_ptr<char[]> reserve;

void give_up() {
  reserve.reset();
  throw std::bad_alloc();
}

}  // namespace

void keep_memory_for_the_end() {
  reserve.reset(new (std::nothrow) char[reserve_bytes]);
  std::set_new_handler(give_up);
}

void give_memory_back() { reserve.reset(); }

}  // namespace carom
