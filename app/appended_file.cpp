#include "app/appended_file.hpp"

#include "app/output_folder.hpp"
#include "app/user_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace slipwave::app {

namespace {

constexpr std::size_t much = 65536;

/// Whether all bytes went out.
bool write_all(int descriptor, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

bool ends_a_line(int descriptor, long length) {
  char last = 0;
  return length > 0 && pread(descriptor, &last, 1, length - 1) == 1 && last == '\n';
}

}  // namespace

AppendedFile::AppendedFile(std::filesystem::path file, const std::string& first_line)
    : file_(std::move(file)) {
  write_whole(file_, [&](std::ostream& out) { out << first_line; });
  descriptor_ = open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) fail_to_write(file_);
  written_ = static_cast<long>(first_line.size());
}

AppendedFile::AppendedFile(std::filesystem::path file, long length)
    : file_(std::move(file)),
      descriptor_(open(file_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC)),
      written_(length) {
  if (descriptor_ >= 0 && ends_a_line(descriptor_, length) && ftruncate(descriptor_, length) == 0)
    return;
  if (descriptor_ >= 0) close(descriptor_);
  throw UserError(fmt::format(
      "{}: is missing or shorter than when the checkpoint was written ({} bytes): this run cannot "
      "be resumed; start it anew with --force",
      file_.string(), length));
}

AppendedFile::~AppendedFile() {
  try {
    flush();
  } catch (const OutputError&) {  // whoever cares has called flush() before
  }
  close(descriptor_);
}

void AppendedFile::add(const std::string& line) {
  waiting_ += line;
  if (waiting_.size() >= much) flush();
}

void AppendedFile::flush() {
  if (waiting_.empty()) return;
  if (!write_all(descriptor_, waiting_)) {
    const int reason = errno;
    waiting_.clear();
    [[maybe_unused]] const int cut = ftruncate(descriptor_, written_);
    errno = reason;
    fail_to_write(file_);
  }
  written_ += static_cast<long>(waiting_.size());
  waiting_.clear();
}

void AppendedFile::sync() {
  flush();
  if (fsync(descriptor_) != 0) fail_to_write(file_);
}

}  // namespace slipwave::app
