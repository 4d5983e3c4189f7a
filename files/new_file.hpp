#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace slipwave::files {

/// A file that is written under a name of its own, NAME.part, and then takes its place, so that a
/// reader never sees half of it. Nothing that is there is opened for it, nor followed: not a file
/// of somebody else, not a link.
class NewFile {
 public:
  /// Throws OutputError where the file cannot be made, and where its place is taken by something
  /// that is no plain file.
  explicit NewFile(std::filesystem::path file);
  /// What has not taken its place goes.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Where it is for now, for libraries that open files by their names.
  const std::filesystem::path& path() const { return part_; }
  /// Instead of write(): finds out whether so many bytes can be written, and gives path() up for a
  /// library that makes the file itself. Throws OutputError.
  void leave_to_library(std::uintmax_t bytes);
  /// Adds bytes. Throws OutputError.
  void write(std::string_view bytes);
  /// Throws OutputError for a library that could not write and did not say why.
  [[noreturn]] void fail();
  /// Returns when what was written would survive the machine's going out. Throws OutputError.
  void sync();
  /// Puts it in its place. Throws OutputError.
  void commit();

 private:
  std::filesystem::path file_, part_;
  int descriptor_ = -1;
};

/// Writes a file under a temporary name and renames it, so that a reader never sees half of it.
/// Throws OutputError naming the file when it cannot be written.
void write_whole(const std::filesystem::path& file,
                 const std::function<void(std::ostream&)>& write);

/// Returns when what was written to a file, or the names in a folder, would survive the machine's
/// going out. Throws OutputError naming it.
void sync_to_disk(const std::filesystem::path& file);

/// A file's text, empty where it cannot be read.
std::string text_of(const std::filesystem::path& file);

/// Whether all bytes went out to a descriptor; errno says why not.
bool write_all(int descriptor, std::string_view bytes);

/// Gives a file another name, in place of one that has it. Throws OutputError.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Makes a folder in one that is there, unless it is there already. Throws OutputError where it
/// cannot be made, or where a link or a file has its name.
void make_folder(const std::filesystem::path& folder);

/// Whether something has this name; never throws.
bool is_there(const std::filesystem::path& path);
/// Whether it is a plain file itself: no link, no folder.
bool is_plain_file(const std::filesystem::path& path);
/// Whether it is a folder itself: no link to one.
bool is_own_folder(const std::filesystem::path& path);
/// Whether it is a folder, or a link to one.
bool is_folder(const std::filesystem::path& path);

/// Throws OutputError saying that a file could not be written, and why if errno knows.
[[noreturn]] void fail_to_write(const std::filesystem::path& file);

}  // namespace slipwave::files
