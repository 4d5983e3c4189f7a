#include "app/appended_file.hpp"

#include "app/file_list.hpp"
#include "app/new_file.hpp"
#include "app/output_folder.hpp"
#include "app/user_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace slipwave::app {

namespace {

constexpr std::size_t much = 65536;

}  // namespace

AppendedFile::AppendedFile(std::filesystem::path file, const std::string& first_line,
                           const FileMark& mark)
    : file_(std::move(file)) {
  if (mark.bytes > 0)
    go_on_after(mark);
  else
    make(first_line);
}

void AppendedFile::make(const std::string& first_line) {
  list_file(file_.parent_path(), file_.filename().string());
  write_whole(file_, [&](std::ostream& out) { out << first_line; });
  descriptor_ = open(file_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) fail_to_write(file_);
  written_ = static_cast<long>(first_line.size());
  hash_.update(first_line);
}

void AppendedFile::go_on_after(const FileMark& mark) {
  descriptor_ = open(file_.c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  const bool long_enough = descriptor_ >= 0 && read_to(mark.bytes);
  const bool same = long_enough && hash_.hex() == mark.sha256;
  if (same && ftruncate(descriptor_, mark.bytes) == 0) return;
  if (descriptor_ >= 0) close(descriptor_);
  throw UserError(fmt::format(
      "{}: {} ({} bytes): this run cannot be resumed; put the file back as it was, or start anew "
      "with --force",
      file_.string(),
      long_enough ? "was changed since the checkpoint was written"
                  : "is missing or shorter than when the checkpoint was written",
      mark.bytes));
}

/// Whether there are so many bytes; takes them into the hash.
bool AppendedFile::read_to(long length) {
  std::string block(much, '\0');
  while (written_ < length) {
    const auto wanted = std::min(static_cast<std::size_t>(length - written_), much);
    const ssize_t count = pread(descriptor_, block.data(), wanted, written_);
    if (count <= 0) return false;
    hash_.update(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
    written_ += count;
  }
  return true;
}

FileMark AppendedFile::mark() const {
  return {written_ + static_cast<long>(waiting_.size()), hash_.hex()};
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
  hash_.update(line);
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
