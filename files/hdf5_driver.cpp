#include "files/hdf5_driver.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace slipwave::files::hdf5 {

namespace {

/// A file as the library sees it; `base` comes first, as the library wants.
struct File {
  H5FD_t base;
  int descriptor;
  int* error;
  haddr_t end_of_space;  // that the library has given out
  haddr_t end_of_file;   // that was written, had every write gone well
  dev_t device;
  ino_t inode;
};

File& file_of(H5FD_t* base) { return *reinterpret_cast<File*>(base); }
const File& file_of(const H5FD_t* base) { return *reinterpret_cast<const File*>(base); }

/// Where something failed, unless something has before.
void note_error(const File& file) {
  if (*file.error == 0) *file.error = errno != 0 ? errno : EIO;
}

int open_descriptor(const char* name, unsigned flags) {
  if ((flags & H5F_ACC_TRUNC) == 0) return open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (unlink(name) != 0 && errno != ENOENT) return -1;
  return open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/// The library tries to open what it is to create first: only the last attempt counts.
H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  int* const error = *static_cast<int* const*>(H5Pget_driver_info(access));
  struct stat status {};
  const int descriptor = open_descriptor(name, flags);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    *error = errno;
    if (descriptor >= 0) close(descriptor);
    return nullptr;
  }
  *error = 0;
  auto* file = new File{
      {}, descriptor, error, 0, static_cast<haddr_t>(status.st_size), status.st_dev, status.st_ino};
  return &file->base;
}

herr_t close_file(H5FD_t* base) {
  File* file = &file_of(base);
  if (close(file->descriptor) != 0) note_error(*file);
  delete file;
  return 0;
}

int compare(const H5FD_t* one, const H5FD_t* other) {
  const File &a = file_of(one), &b = file_of(other);
  if (a.device != b.device) return a.device < b.device ? -1 : 1;
  return a.inode == b.inode ? 0 : (a.inode < b.inode ? -1 : 1);
}

/// Those of the library's own driver for ordinary files.
herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
             H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_space(const H5FD_t* base, H5FD_mem_t) { return file_of(base).end_of_space; }

herr_t set_end_of_space(H5FD_t* base, H5FD_mem_t, haddr_t end) {
  file_of(base).end_of_space = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* base, H5FD_mem_t) { return file_of(base).end_of_file; }

herr_t handle_of(H5FD_t* base, hid_t, void** handle) {
  *handle = &file_of(base).descriptor;
  return 0;
}

/// Zeros where the file has nothing.
herr_t read_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  const File& file = file_of(base);
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t count = pread(file.descriptor, to, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) note_error(file);
    if (count <= 0) break;
    to += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  std::memset(to, 0, size);
  return 0;
}

herr_t write_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                   const void* buffer) {
  File& file = file_of(base);
  file.end_of_file = std::max(file.end_of_file, address + size);
  const auto* from = static_cast<const char*>(buffer);
  while (size > 0 && *file.error == 0) {
    const ssize_t count = pwrite(file.descriptor, from, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) note_error(file);
    if (count < 0) break;
    from += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  return 0;
}

herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  File& file = file_of(base);
  if (file.end_of_space == file.end_of_file) return 0;
  file.end_of_file = file.end_of_space;
  if (*file.error == 0 && ftruncate(file.descriptor, static_cast<off_t>(file.end_of_space)) != 0)
    note_error(file);
  return 0;
}

/// The file has a name that nobody reads while it is opened, and its folder a lock: that a file
/// system knows no locks is no reason to stop. Without these two the library does not mark the
/// file.
herr_t lock_file(H5FD_t* base, hbool_t) {
  flock(file_of(base).descriptor, LOCK_EX | LOCK_NB);
  return 0;
}

herr_t unlock_file(H5FD_t* base) {
  flock(file_of(base).descriptor, LOCK_UN);
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t c{};
  c.name = "slipwave";
  c.maxaddr = (haddr_t{1} << 63) - 1;
  c.fc_degree = H5F_CLOSE_WEAK;
  c.fapl_size = sizeof(int*);
  c.open = open_file;
  c.close = close_file;
  c.cmp = compare;
  c.query = query;
  c.get_eoa = end_of_space;
  c.set_eoa = set_end_of_space;
  c.get_eof = end_of_file;
  c.get_handle = handle_of;
  c.read = read_bytes;
  c.write = write_bytes;
  c.truncate = truncate_file;
  c.lock = lock_file;
  c.unlock = unlock_file;
  constexpr std::array<H5FD_mem_t, H5FD_MEM_NTYPES> map = H5FD_FLMAP_DICHOTOMY;
  std::copy(map.begin(), map.end(), c.fl_map);
  return c;
}

}  // namespace

void write_through(hid_t access, int& error) {
  static const H5FD_class_t c = driver_class();
  static const hid_t driver = H5FDregister(&c);
  const int* const place = &error;
  if (driver < 0 || H5Pset_driver(access, driver, &place) < 0)
    throw std::runtime_error("HDF5 file driver");
}

}  // namespace slipwave::files::hdf5
