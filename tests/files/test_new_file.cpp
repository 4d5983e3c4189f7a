#include "files/file_error.hpp"
#include "files/new_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <ostream>

using namespace slipwave::files;
using slipwave::tests::TemporaryFolder;
namespace fs = std::filesystem;

TEST_CASE("files/new_file: appears whole, in place of an older one, when it is committed") {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  {
    NewFile part(folder / "a.txt");
    part.write("half");
  }
  CHECK(folder.file_count() == 0);
}

TEST_CASE("files/new_file: neither links nor another's .part are written to") {
  const TemporaryFolder folder;
  std::ofstream(folder / "mine.txt") << "mine";
  fs::create_symlink(folder / "mine.txt", folder / "b.txt");
  CHECK_THROWS_AS(NewFile(folder / "b.txt"), OutputError);
  CHECK(fs::is_symlink(folder / "b.txt"));
  fs::create_symlink(folder / "mine.txt", folder / "a.txt.part");
  folder.write("a.txt.part1", "mine too");
  write_whole(folder / "a.txt", [](std::ostream& out) { out << "ours"; });
  CHECK(text_of(folder / "a.txt") == "ours");
  CHECK(text_of(folder / "mine.txt") == "mine");
  CHECK(text_of(folder / "a.txt.part1") == "mine too");
}

TEST_CASE("files/new_file: a library makes the file itself, once there is room for it") {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  const fs::path file = folder / "nowhere/a.txt";
  CHECK_THROWS_WITH_AS(NewFile{file},
                       (file.string() + ": could not be written: the folder " +
                        (folder / "nowhere").string() + " is gone")
                           .c_str(),
                       OutputError);
}
