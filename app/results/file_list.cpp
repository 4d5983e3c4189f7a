#include "app/results/file_list.hpp"

#include "app/messages/user_error.hpp"
#include "files/file_error.hpp"
#include "files/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line =
    "# Slipwave wrote these files (each as NAME.part first). --force and --resume replace them, "
    "and no others.\n";

constexpr std::string_view probe_of_list = "x";

/// Closes itself.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return descriptor_; }

 private:
  int descriptor_;
};

/// A name in the folder or in a folder in it. A list may come with somebody else's results.
bool stays_inside(const std::string& name) {
  const fs::path path(name);
  int depth = 0;
  for (const fs::path& part : path) {
    if (part == ".." || part == "." || part == "/") return false;
    if (!part.empty()) ++depth;
  }
  return depth == 1 || depth == 2;
}

[[noreturn]] void refuse_list(const fs::path& list) {
  throw UserError(fmt::format(
      "{}: is not the list of files that Slipwave keeps in a folder of results; move it away, or "
      "choose another folder with --out",
      list.string()));
}

/// What a run leaves that is killed while it makes its list, or tries whether it can: as far as it
/// came. A user's file of that name says something else.
bool is_begun_list(const fs::path& file) {
  if (!files::is_plain_file(file)) return false;
  const std::string text = files::text_of(file);
  return text == probe_of_list || first_line.starts_with(text) || text.starts_with(first_line);
}

/// One line in one write, so that threads do not mix theirs.
void append_line(const fs::path& folder, const std::string& name) {
  const fs::path list = folder / file_list_name;
  if (!files::is_there(list)) {
    files::NewFile file(list);
    file.write(first_line);
    file.commit();
  }
  const Descriptor opened(open(list.c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  struct stat before {};
  if (opened < 0 || fstat(opened, &before) != 0) files::fail_to_write(list);
  std::string begin(first_line.size(), '\0');
  if (pread(opened, begin.data(), begin.size(), 0) != static_cast<ssize_t>(begin.size()) ||
      begin != first_line)
    refuse_list(list);
  if (files::write_all(opened, name + "\n")) return;
  const int reason = errno;
  [[maybe_unused]] const int cut = ftruncate(opened, before.st_size);
  errno = reason;
  files::fail_to_write(list);
}

/// The folder that a name is in, opened without following a link below `folder`.
int open_parent(const fs::path& folder, const fs::path& name) {
  const int top = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (top < 0 || !name.has_parent_path()) return top;
  const int parent =
      openat(top, name.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  close(top);
  return parent;
}

/// A plain file goes; what else has the name stays.
void remove_plain(const fs::path& folder, const fs::path& name) {
  const Descriptor parent(open_parent(folder, name));
  const std::string last = name.filename().string();
  struct stat found {};
  if (parent < 0 || fstatat(parent, last.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISREG(found.st_mode))
    return;
  if (unlinkat(parent, last.c_str(), 0) != 0 && errno != ENOENT)
    files::fail_to_write(folder / name);
}

void remove_if_empty(const fs::path& folder, const std::string& name) {
  const Descriptor top(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (top >= 0) unlinkat(top, name.substr(0, name.size() - 1).c_str(), AT_REMOVEDIR);
}

}  // namespace

void list_file(const fs::path& folder, const std::string& name) {
  const bool is_new =
      !files::is_there(folder / name) && !files::is_there(folder / (name + ".part"));
  if (is_new) return append_line(folder, name);
  if (listed_files(folder).contains(name)) return;
  const bool whole = files::is_there(folder / name);
  throw files::OutputError(
      fmt::format(
          "{}: was not written by Slipwave (it is not in {}) and is not touched; move it away",
          (folder / (whole ? name : name + ".part")).string(), file_list_name),
      EEXIST);
}

void list_folder(const fs::path& folder, const std::string& name) {
  const bool is_new = !files::is_there(folder / name);
  files::make_folder(folder / name);
  if (is_new) append_line(folder, name + "/");
}

void try_file_list(const fs::path& folder) {
  files::NewFile(folder / file_list_name).write(probe_of_list);
}

void adopt_files(const fs::path& folder, const std::vector<std::string>& names) {
  files::NewFile list(folder / file_list_name);
  list.write(fmt::format("{}{}\n", first_line, fmt::join(names, "\n")));
  list.commit();
}

bool has_file_list(const fs::path& folder) { return files::is_there(folder / file_list_name); }

std::set<std::string> listed_files(const fs::path& folder) {
  const fs::path list = folder / file_list_name;
  if (!files::is_there(list)) return {};
  const std::string text = files::is_plain_file(list) ? files::text_of(list) : "";
  if (!text.starts_with(first_line)) refuse_list(list);
  std::set<std::string> names;
  std::istringstream lines(text.substr(first_line.size()));
  for (std::string line; std::getline(lines, line);)
    if (stays_inside(line)) names.insert(line);
  return names;
}

void remove_listed(const fs::path& folder,
                   const std::function<bool(const std::string& name)>& which) {
  const std::set<std::string> names = listed_files(folder);
  for (const std::string& name : names)
    if (!name.ends_with('/') && which(name)) {
      remove_plain(folder, name);
      remove_plain(folder, name + ".part");
    }
  for (const std::string& name : names)
    if (name.ends_with('/') && which(name)) remove_if_empty(folder, name);
}

void remove_listed_parts(const fs::path& folder) {
  const std::string part = std::string(file_list_name) + ".part";
  if (is_begun_list(folder / part)) remove_plain(folder, part);
  for (const std::string& name : listed_files(folder)) remove_plain(folder, name + ".part");
}

void remove_file_list(const fs::path& folder) { remove_plain(folder, file_list_name); }

}  // namespace slipwave::app
