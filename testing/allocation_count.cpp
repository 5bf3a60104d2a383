#include "testing/allocation_count.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

std::atomic<long> count{0};

}  // namespace

namespace carom {

long allocation_count() { return count.load(); }

#ifdef CAROM_SANITIZE
bool allocations_are_counted() { return false; }
#else
bool allocations_are_counted() { return true; }
#endif

}  // namespace carom

#ifndef CAROM_SANITIZE
// glibc's own allocator under names that stay reachable when a program defines the public ones.
extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): these are the names it has
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) {
  ++count;
  return __libc_calloc(number, size);
}

void* realloc(void* memory, std::size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++count;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}
#endif
