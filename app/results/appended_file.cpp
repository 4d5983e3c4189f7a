#include "app/results/appended_file.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/file_list.hpp"
#include "app/results/run_folder.hpp"
#include "files/file_error.hpp"
#include "files/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <utility>

namespace slipwave::app {

namespace {

constexpr std::size_t much = 65536;

/// Of as many bytes as there are up to a length, and how many these are.
std::pair<files::Sha256, long> hash_of_first(const std::filesystem::path& file, long length) {
  std::ifstream in(file, std::ios::binary);
  std::string block(much, '\0');
  files::Sha256 hash;
  long done = 0;
  while (in && done < length) {
    in.read(block.data(), std::min(length - done, static_cast<long>(much)));
    hash.update(std::string_view(block).substr(0, static_cast<std::size_t>(in.gcount())));
    done += in.gcount();
  }
  return {std::move(hash), done};
}

/// Of what a file has up to a mark. Throws UserError where that is not what was written.
files::Sha256 hash_to(const std::filesystem::path& file, const FileMark& mark) {
  auto [hash, length] = hash_of_first(file, mark.bytes);
  if (length == mark.bytes && hash.hex() == mark.sha256) return std::move(hash);
  throw UserError(fmt::format(
      "{}: {} ({} bytes): this run cannot be resumed; put the file back as it was, or start anew "
      "with --force",
      file.string(),
      length == mark.bytes ? "was changed since the checkpoint was written"
                           : "is missing or shorter than when the checkpoint was written",
      mark.bytes));
}

}  // namespace

void require_unchanged(const std::filesystem::path& file, const FileMark& mark) {
  if (mark.bytes > 0) hash_to(file, mark);
}

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
  files::write_whole(file_, [&](std::ostream& out) { out << first_line; });
  descriptor_ = open(file_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) files::fail_to_write(file_);
  written_ = static_cast<long>(first_line.size());
  hash_.update(first_line);
}

void AppendedFile::go_on_after(const FileMark& mark) {
  hash_ = hash_to(file_, mark);
  descriptor_ = open(file_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0 || ftruncate(descriptor_, mark.bytes) != 0) files::fail_to_write(file_);
  written_ = mark.bytes;
}

FileMark AppendedFile::mark() const {
  return {written_ + static_cast<long>(waiting_.size()), hash_.hex()};
}

AppendedFile::~AppendedFile() {
  try {
    flush();
  } catch (const files::OutputError&) {  // whoever cares has called flush() before
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
  if (!files::write_all(descriptor_, waiting_)) {
    const int reason = errno;
    waiting_.clear();
    [[maybe_unused]] const int cut = ftruncate(descriptor_, written_);
    errno = reason;
    files::fail_to_write(file_);
  }
  written_ += static_cast<long>(waiting_.size());
  waiting_.clear();
}

void AppendedFile::sync() {
  flush();
  if (fsync(descriptor_) != 0) files::fail_to_write(file_);
}

}  // namespace slipwave::app
