#include "carom/record/hdf5_driver.h"

#include <fcntl.h>
#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "carom/output_error.h"

namespace carom::hdf5 {
namespace {

/// Bytes that the file does not have.
struct UnwrittenBlock {
  haddr_t begin = 0;
  std::vector<unsigned char> bytes;
};

struct KeptFile {
  H5FD_t library{};  ///< the library's own part; comes first
  int descriptor = -1;
  haddr_t allocated = 0, size = 0;  ///< end of the addresses in use, and of the file, bytes
  dev_t device = 0;
  ino_t inode = 0;
  WriteFault* fault = nullptr;
  std::vector<UnwrittenBlock> unwritten;  ///< later ones lie over earlier ones

  void refuse(int error) const {
    if (fault->error == 0) fault->error = error;
  }
};

KeptFile* kept(H5FD_t* file) { return reinterpret_cast<KeptFile*>(file); }
const KeptFile* kept(const H5FD_t* file) { return reinterpret_cast<const KeptFile*>(file); }

H5FD_t* open_kept(const char* name, unsigned flags, hid_t access, haddr_t) {
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  auto file = std::unique_ptr<KeptFile>(new (std::nothrow) KeptFile());
  if (!file) return nullptr;
  file->fault = *static_cast<WriteFault* const*>(H5Pget_driver_info(access));
  file->descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  struct stat status {};
  if (file->descriptor < 0 || ::fstat(file->descriptor, &status) != 0) {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_FILE, H5E_CANTOPENFILE, "%s",
             std::strerror(errno));
    if (file->descriptor >= 0) ::close(file->descriptor);
    return nullptr;
  }
  file->size = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  return &file.release()->library;
}

herr_t close_kept(H5FD_t* library) {
  const std::unique_ptr<KeptFile> file(kept(library));
  // Some file systems tell only here what they could not write.
  if (::close(file->descriptor) != 0) file->refuse(errno);
  return 0;
}

int compare_kept(const H5FD_t* a, const H5FD_t* b) {
  const KeptFile &one = *kept(a), &other = *kept(b);
  if (one.device != other.device) return one.device < other.device ? -1 : 1;
  if (one.inode != other.inode) return one.inode < other.inode ? -1 : 1;
  return 0;
}

herr_t query_kept(const H5FD_t*, unsigned long* features) {
  if (features == nullptr) return 0;
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated_kept(const H5FD_t* file, H5FD_mem_t) { return kept(file)->allocated; }

herr_t allocate_kept(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  kept(file)->allocated = end;
  return 0;
}

haddr_t size_kept(const H5FD_t* file, H5FD_mem_t) { return kept(file)->size; }

/// Bytes of the file, and zeros behind its end.
bool read_from_disk(int descriptor, haddr_t begin, std::size_t count, unsigned char* bytes) {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor, bytes, count, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) {
      std::memset(bytes, 0, count);
      return true;
    }
    bytes += got;
    begin += static_cast<haddr_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

herr_t read_kept(H5FD_t* library, H5FD_mem_t, hid_t, haddr_t begin, std::size_t count, void* buffer) {
  const KeptFile& file = *kept(library);
  auto* bytes = static_cast<unsigned char*>(buffer);
  if (!read_from_disk(file.descriptor, begin, count, bytes)) {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR, "%s", std::strerror(errno));
    return -1;
  }
  for (const UnwrittenBlock& block : file.unwritten) {
    const haddr_t from = std::max(begin, block.begin), to = std::min(begin + count, block.begin + block.bytes.size());
    if (from < to) std::memcpy(bytes + (from - begin), block.bytes.data() + (from - block.begin), to - from);
  }
  return 0;
}

/// errno of the first byte that the system did not take; 0 if it took all.
int write_to_disk(int descriptor, haddr_t begin, std::size_t count, const unsigned char* bytes) {
  while (count > 0) {
    const ssize_t put = ::pwrite(descriptor, bytes, count, static_cast<off_t>(begin));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put < 0 ? errno : ENOSPC;
    bytes += put;
    begin += static_cast<haddr_t>(put);
    count -= static_cast<std::size_t>(put);
  }
  return 0;
}

herr_t write_kept(H5FD_t* library, H5FD_mem_t, hid_t, haddr_t begin, std::size_t count, const void* buffer) {
  KeptFile& file = *kept(library);
  const auto* bytes = static_cast<const unsigned char*>(buffer);
  if (file.fault->error == 0) file.refuse(write_to_disk(file.descriptor, begin, count, bytes));
  if (file.fault->error != 0) {
    try {
      file.unwritten.push_back({begin, std::vector<unsigned char>(bytes, bytes + count)});
    } catch (const std::bad_alloc&) {
      H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE, "memory is spent");
      return -1;
    }
  }
  file.size = std::max(file.size, begin + count);
  return 0;
}

/// Makes the file as long as its addresses in use, as readers expect.
herr_t truncate_kept(H5FD_t* library, hid_t, hbool_t) {
  KeptFile& file = *kept(library);
  if (file.size == file.allocated) return 0;
  if (file.fault->error == 0 && ::ftruncate(file.descriptor, static_cast<off_t>(file.allocated)) != 0) {
    file.refuse(errno);
  }
  file.size = file.allocated;
  return 0;
}

hid_t kept_driver() {
  static const hid_t registered = [] {
    H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(H5_VFD_MAX - 1);
#endif
    driver.name = "carom";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(WriteFault*);
    driver.open = open_kept;
    driver.close = close_kept;
    driver.cmp = compare_kept;
    driver.query = query_kept;
    driver.get_eoa = allocated_kept;
    driver.set_eoa = allocate_kept;
    driver.get_eof = size_kept;
    driver.read = read_kept;
    driver.write = write_kept;
    driver.truncate = truncate_kept;
    // Metadata and data apart, as the library's own driver of files keeps them.
    const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
    return H5FDregister(&driver);
  }();
  return registered;
}

}  // namespace

void keep_unwritten(const Id& access, WriteFault& fault) {
  const WriteFault* const noted = &fault;
  H5Pset_driver(access, kept_driver(), static_cast<const void*>(&noted));
}

void check_written(const std::string& path, const WriteFault& fault) {
  if (fault.error != 0) throw OutputError(path + ": can't write the file", std::strerror(fault.error));
}

}  // namespace carom::hdf5
