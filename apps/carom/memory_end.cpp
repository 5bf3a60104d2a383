#include "memory_end.h"

#include <atomic>
#include <cstddef>
#include <new>

namespace carom {
namespace {

constexpr std::size_t reserve_bytes = std::size_t{16} << 20;  // HDF5's caches of two files, with room
std::atomic<char*> reserve = nullptr;                         // threads may run out of memory at the same time

void release(char* bytes = nullptr) { delete[] reserve.exchange(bytes); }

void give_up() {
  release();
  throw std::bad_alloc();
}

}  // namespace

void keep_memory_for_the_end() {
  release(new (std::nothrow) char[reserve_bytes]);
  std::set_new_handler(give_up);
}

void give_memory_back() { release(); }

}  // namespace carom
