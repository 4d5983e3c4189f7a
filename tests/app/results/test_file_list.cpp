#include "app/results/file_list.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/run_folder.hpp"
#include "files/file_error.hpp"
#include "files/new_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace slipwave;
using namespace slipwave::app;
namespace fs = std::filesystem;

namespace {

/// A folder with a folder of results in it.
struct Folder : tests::TemporaryFolder {
  Folder() { fs::create_directory(*this / "out"); }
};

void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

void remove_everything(const fs::path& folder) {
  remove_listed(folder, [](const std::string&) { return true; });
}

}  // namespace

TEST_CASE("app/results/file_list: what is listed is removed, with its half, and nothing else") {
  const Folder folder;
  list_folder(folder / "out", "frames");
  for (const char* name : {"a.csv", "frames/frames_1.vtu"}) {
    list_file(folder / "out", name);
    put(folder / "out" / name, "ours");
    put(folder / "out" / (std::string(name) + ".part"), "half of ours");
  }
  put(folder / "out/frames/frames_movie.avi", "mine");
  remove_everything(folder / "out");
  CHECK(!files::is_there(folder / "out/a.csv"));
  CHECK(!files::is_there(folder / "out/a.csv.part"));
  CHECK(!files::is_there(folder / "out/frames/frames_1.vtu"));
  CHECK(files::text_of(folder / "out/frames/frames_movie.avi") == "mine");
  fs::remove(folder / "out/frames/frames_movie.avi");
  remove_everything(folder / "out");
  CHECK(!files::is_there(folder / "out/frames"));
}

TEST_CASE(
    "app/results/file_list: a list that a killed run has only begun is removed, a user's file is "
    "not") {
  const Folder folder;
  const std::string list = std::string("out/") + file_list_name;
  list_file(folder / "out", "a.csv");
  const std::string whole = files::text_of(folder / list);
  for (const std::string& begun : {std::string(), std::string("x"), whole.substr(0, 20), whole}) {
    put(folder / (list + ".part"), begun);
    remove_listed_parts(folder / "out");
    CHECK(!files::is_there(folder / (list + ".part")));
  }
  put(folder / (list + ".part"), "mine");
  remove_listed_parts(folder / "out");
  CHECK(files::text_of(folder / (list + ".part")) == "mine");
  CHECK(files::text_of(folder / list) == whole);
}

TEST_CASE(
    "app/results/file_list: a list that names files outside of its folder removes none of them") {
  const Folder folder;
  put(folder / "mine.txt", "mine");
  fs::create_directories(folder / "out/deep/er");
  put(folder / "out/deep/er/mine.txt", "mine");
  fs::create_directory_symlink(folder.path(), folder / "out/link");
  list_file(folder / "out", "ours.txt");
  std::ofstream(folder / "out" / file_list_name, std::ios::app)
      << "../mine.txt\n"
      << (folder / "mine.txt").string() << "\nlink/mine.txt\ndeep/er/mine.txt\n"
      << "deep/../../mine.txt\n";
  remove_everything(folder / "out");
  CHECK(files::text_of(folder / "mine.txt") == "mine");
  CHECK(files::text_of(folder / "out/deep/er/mine.txt") == "mine");
}

TEST_CASE("app/results/file_list: what is there and not in the list is not taken for ours") {
  const Folder folder;
  put(folder / "out/a.csv", "mine");
  CHECK_THROWS_AS(list_file(folder / "out", "a.csv"), files::OutputError);
  fs::create_symlink(folder / "mine.txt", folder / "out/b.csv.part");
  CHECK_THROWS_AS(list_file(folder / "out", "b.csv"), files::OutputError);
  put(folder / "out" / file_list_name, "my own list of files\n");
  CHECK_THROWS_AS(listed_files(folder / "out"), UserError);
}
