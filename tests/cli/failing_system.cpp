// A library for LD_PRELOAD under which the disk fails: of the calls that change files whose path
// has FAIL_IN in it, call number FAIL_AT fails with the error FAIL_WITH, and all after it with
// FAIL_ALWAYS=1. With FAIL_COUNT=FILE their number is written to a file at the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

long number_in(const char* name) {
  const char* text = std::getenv(name);
  return text ? std::atol(text) : 0;
}

struct Plan {
  const char* in = std::getenv("FAIL_IN");
  long at = number_in("FAIL_AT"), with = number_in("FAIL_WITH");
  bool always = number_in("FAIL_ALWAYS") != 0;
  std::atomic<long> count{0};
  ~Plan() {
    const char* file = std::getenv("FAIL_COUNT");
    FILE* out = file ? std::fopen(file, "w") : nullptr;
    if (!out) return;
    std::fprintf(out, "%ld\n", count.load());
    std::fclose(out);
  }
};

Plan& plan() {
  static Plan the_plan;
  return the_plan;
}

bool fails(const char* path) {
  Plan& p = plan();
  if (!p.in || !std::strstr(path, p.in)) return false;
  const long number = ++p.count;
  if (p.at == 0 || !(number == p.at || (p.always && number > p.at))) return false;
  errno = static_cast<int>(p.with);
  return true;
}

bool fails(int descriptor) {
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return false;
  path[size] = '\0';
  return fails(path);
}

template <class Call>
Call real(const char* name) {
  return reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define SLIPWAVE_FAILING(result, name, parameters, subject, ...)         \
  extern "C" result name parameters {                                    \
    static const auto call = real<result(*) parameters>(#name);          \
    return fails(subject) ? static_cast<result>(-1) : call(__VA_ARGS__); \
  }

SLIPWAVE_FAILING(ssize_t, write, (int fd, const void* data, size_t size), fd, fd, data, size)
SLIPWAVE_FAILING(ssize_t, writev, (int fd, const iovec* parts, int count), fd, fd, parts, count)
SLIPWAVE_FAILING(ssize_t, pwrite, (int fd, const void* data, size_t size, off_t at), fd, fd, data,
                 size, at)
SLIPWAVE_FAILING(ssize_t, pwrite64, (int fd, const void* data, size_t size, off64_t at), fd, fd,
                 data, size, at)
SLIPWAVE_FAILING(int, fsync, (int fd), fd, fd)
SLIPWAVE_FAILING(int, ftruncate, (int fd, off_t size), fd, fd, size)
SLIPWAVE_FAILING(int, ftruncate64, (int fd, off64_t size), fd, fd, size)
SLIPWAVE_FAILING(int, rename, (const char* from, const char* to), to, from, to)
SLIPWAVE_FAILING(int, renameat, (int from_folder, const char* from, int to_folder, const char* to),
                 to, from_folder, from, to_folder, to)
