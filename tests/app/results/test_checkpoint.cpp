#include "app/results/checkpoint.hpp"

#include "app/messages/user_error.hpp"
#include "app/run/run_case.hpp"
#include "files/new_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <ostream>
#include <random>
#include <string>

using namespace slipwave;
using namespace slipwave::app;

namespace {

/// A folder with the checkpoint of a short run.
struct CheckpointFolder {
  tests::TemporaryFolder folder;
  std::filesystem::path path = folder / "run";
  CheckpointFolder() {
    RunOptions options;
    options.case_file = SLIPWAVE_ROOT "/cases/sliding_block.toml";
    options.out = path.string();
    options.set = {"mesh.size=8"};
    options.steps = 20;
    options.force = options.quiet = true;
    REQUIRE(run_case(options) == success);
  }
  std::filesystem::path file() const { return path / "checkpoint.h5"; }
};

void replace(const std::filesystem::path& file, const std::string& bytes) {
  files::write_whole(file, [&](std::ostream& out) { out << bytes; });
}

/// What reading it says, or nothing if that succeeds.
std::string complaint_about(const std::filesystem::path& file) {
  try {
    read_checkpoint(file);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("app/results/checkpoint: what is read and written again has the same bytes") {
  const CheckpointFolder folder;
  const std::string before = files::text_of(folder.file());
  write_checkpoint(folder.path, read_checkpoint(folder.file()));
  CHECK(files::text_of(folder.file()) == before);
  CHECK(files::text_of(folder.path / "checkpoint.previous.h5") == before);
}

TEST_CASE("app/results/checkpoint: one of an earlier version is refused in words") {
  const std::string complaint =
      complaint_about(SLIPWAVE_ROOT "/tests/corpus/checkpoint/version_2.h5");
  CHECK(complaint.find("was written by an earlier Slipwave, whose checkpoints say less; resume") !=
        std::string::npos);
}

TEST_CASE(
    "app/results/checkpoint: each of 200 random changes of a byte is refused, and 32 in the "
    "header") {
  const CheckpointFolder folder;
  const std::string whole = files::text_of(folder.file());
  REQUIRE(complaint_about(folder.file()) == "");
  std::mt19937 generator(8);
  for (int trial = 0; trial < 232; ++trial) {
    const std::size_t last = trial < 200 ? whole.size() - 1 : 511;
    std::string damaged = whole;
    const std::size_t place = std::uniform_int_distribution<std::size_t>(0, last)(generator);
    const int change = std::uniform_int_distribution<int>(1, 255)(generator);
    damaged[place] = static_cast<char>(damaged[place] ^ change);
    replace(folder.file(), damaged);
    CAPTURE(place);
    CHECK(complaint_about(folder.file()).starts_with(folder.file().string() + ": "));
  }
}

TEST_CASE(
    "app/results/checkpoint: one that is cut short, empty, longer or something else is refused") {
  const CheckpointFolder folder;
  const std::string whole = files::text_of(folder.file());
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{100}, std::size_t{512}, whole.size() / 2, whole.size() - 1}) {
    replace(folder.file(), whole.substr(0, length));
    CHECK(complaint_about(folder.file()) != "");
  }
  replace(folder.file(), whole + '\0');
  CHECK(complaint_about(folder.file()) != "");
  replace(folder.file(), whole.substr(512));
  CHECK(complaint_about(folder.file()).ends_with("is not a checkpoint of Slipwave, or cut short"));
  std::string newer = whole;
  newer.replace(newer.find("version 4"), 9, "version 9");
  replace(folder.file(), newer);
  CHECK(complaint_about(folder.file())
            .ends_with("was written by a newer Slipwave; resume with that"));
}

TEST_CASE("app/results/checkpoint: a damaged one is passed over for the one before it") {
  const CheckpointFolder folder;
  const Checkpoint whole = read_checkpoint(folder.file());
  Checkpoint older = whole;
  older.state.step = 7;
  write_checkpoint(folder.path, older);
  write_checkpoint(folder.path, whole);
  CHECK(newest_checkpoint(folder.path)->state.step == 20);
  replace(folder.file(), "damaged");
  CHECK(newest_checkpoint(folder.path)->state.step == 7);
  std::filesystem::remove(folder.file());
  CHECK(newest_checkpoint(folder.path)->state.step == 7);
  replace(folder.path / "checkpoint.previous.h5", "damaged");
  CHECK_THROWS_AS(newest_checkpoint(folder.path), UserError);
  std::filesystem::remove(folder.path / "checkpoint.previous.h5");
  CHECK(!newest_checkpoint(folder.path).has_value());
}
