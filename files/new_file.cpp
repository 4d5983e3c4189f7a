#include "files/new_file.hpp"

#include "files/file_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace slipwave::files {

namespace fs = std::filesystem;

namespace {

/// Fails where the name is taken, by a link too.
int create_only(const fs::path& file) {
  return open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

fs::path part_of(const fs::path& file, int attempt) {
  return file.string() + (attempt == 0 ? ".part" : fmt::format(".part{}", attempt));
}

std::string reason_text(const fs::path& file, int reason) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if ((reason == ENOENT || reason == 0) && !is_folder(folder))
    return fmt::format("the folder {} is gone", folder.string());
  return reason != 0 ? std::strerror(reason) : "the library that writes it did not say why";
}

}  // namespace

NewFile::NewFile(fs::path file) : file_(std::move(file)) {
  if (is_there(file_) && !is_plain_file(file_))
    throw OutputError(
        file_.string() + ": is a link, a folder or a device, which is not replaced; move it away",
        EEXIST);
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts && descriptor_ < 0; ++attempt) {
    part_ = part_of(file_, attempt);
    descriptor_ = create_only(part_);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) fail_to_write(file_);
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(part_.c_str());
}

void NewFile::leave_to_library(std::uintmax_t bytes) {
  errno = posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
  if (errno != 0 || ftruncate(descriptor_, 0) != 0 || unlink(part_.c_str()) != 0)
    fail_to_write(file_);
}

void NewFile::write(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) fail_to_write(file_);
}

/// The next bytes fail for the same reason.
void NewFile::fail() {
  errno = 0;
  lseek(descriptor_, 0, SEEK_END);
  write_all(descriptor_, std::string(4096, '\0'));
  fail_to_write(file_);
}

void NewFile::sync() {
  if (fsync(descriptor_) != 0) fail_to_write(file_);
}

void NewFile::commit() {
  rename_file(part_, file_);
  close(descriptor_);
  descriptor_ = -1;
}

bool write_all(int descriptor, std::string_view bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail_to_write(to);
}

void make_folder(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0777) == 0) return;
  if (errno != EEXIST) fail_to_write(folder);
  if (!is_own_folder(folder))
    throw OutputError(folder.string() +
                          ": is a link or a file; expected a folder, into which alone results are "
                          "written; move it away",
                      EEXIST);
}

bool is_there(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0;
}

bool is_plain_file(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

bool is_own_folder(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

bool is_folder(const fs::path& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

void fail_to_write(const fs::path& file) {
  const int reason = errno;
  throw OutputError(
      fmt::format("{}: could not be written: {}", file.string(), reason_text(file, reason)),
      reason);
}

void write_whole(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  NewFile part(file);
  std::ostringstream stream;
  write(stream);
  part.write(stream.view());
  part.commit();
}

void sync_to_disk(const fs::path& file) {
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = opened >= 0 && fsync(opened) == 0;
  const int reason = errno;
  if (opened >= 0) close(opened);
  errno = reason;
  if (!synced) fail_to_write(file);
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace slipwave::files
