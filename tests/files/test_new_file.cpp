#include "files/file_error.hpp"
#include "files/new_file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <ostream>

using namespace slipwave::files;
namespace fs = std::filesystem;

namespace {

/// A folder for a test's files.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "slipwave-files-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  long file_count() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("files/new_file: appears whole, in place of an older one, when it is committed") {
  const Folder folder;
  const fs::path file = folder / "a.txt";
  std::ofstream(file) << "old";
  {
    NewFile part(file);
    part.write("new");
    CHECK(text_of(file) == "old");
    part.commit();
  }
  CHECK(text_of(file) == "new");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("files/new_file: what is not committed leaves nothing behind") {
  const Folder folder;
  {
    NewFile part(folder / "a.txt");
    part.write("half");
  }
  CHECK(folder.file_count() == 0);
}

TEST_CASE("files/new_file: neither links nor another's .part are written to") {
  const Folder folder;
  std::ofstream(folder / "mine.txt") << "mine";
  fs::create_symlink(folder / "mine.txt", folder / "b.txt");
  CHECK_THROWS_AS(NewFile(folder / "b.txt"), OutputError);
  fs::create_symlink(folder / "mine.txt", folder / "a.txt.part");
  write_whole(folder / "a.txt", [](std::ostream& out) { out << "ours"; });
  CHECK(text_of(folder / "a.txt") == "ours");
  CHECK(text_of(folder / "mine.txt") == "mine");
}

TEST_CASE("files/new_file: a library makes the file itself, once there is room for it") {
  const Folder folder;
  const fs::path file = folder / "a.bin";
  {
    NewFile part(file);
    part.leave_to_library(100000);
    CHECK(!is_there(part.path()));
    std::ofstream(part.path()) << "by a library";
    part.commit();
  }
  CHECK(text_of(file) == "by a library");
  {
    NewFile part(file);
    CHECK_THROWS_AS(part.leave_to_library(std::numeric_limits<long>::max()), OutputError);
  }
  CHECK(text_of(file) == "by a library");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("files/new_file: where the folder is gone, the message says so") {
  const Folder folder;
  const fs::path file = folder / "nowhere/a.txt";
  CHECK_THROWS_WITH_AS(NewFile{file},
                       (file.string() + ": could not be written: the folder " +
                        (folder / "nowhere").string() + " is gone")
                           .c_str(),
                       OutputError);
}
