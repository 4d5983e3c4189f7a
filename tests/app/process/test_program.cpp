#include "app/process/program.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <system_error>

using namespace slipwave::app;

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE(
    "app/process/program: an answer has both streams, and says whether the program succeeded") {
  const Answer good = answer_of({"sh", "-c", "echo one; echo two >&2"});
  CHECK(good.text == "one\ntwo");
  CHECK(good.succeeded);
  const Answer bad = answer_of({"sh", "-c", "echo three; exit 3"});
  CHECK(bad.text == "three");
  CHECK_FALSE(bad.succeeded);
  CHECK_FALSE(answer_of({"sh", "-c", "kill -9 $$"}).succeeded);
}

TEST_CASE("app/process/program: a program that is not there is named") {
  const Answer none = answer_of({"no-such-program-here", "x"});
  CHECK(none.text == "no-such-program-here: No such file or directory");
  CHECK_FALSE(none.succeeded);
  CHECK_THROWS_AS(start_detached({"no-such-program-here"}), std::system_error);
}

TEST_CASE(
    "app/process/program: what a logged program says is in its log, and its exit code is kept") {
  const slipwave::tests::TemporaryFolder folder;
  const std::string name = folder.write("log", "");
  int status = 0;
  const pid_t child = start_logged({"sh", "-c", "echo out; echo err >&2; exit 5"}, name);
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 5);
  CHECK(text_of(name) == "out\nerr\n");
  CHECK_THROWS_AS(start_logged({"sh"}, "/no/such/folder/log"), std::system_error);
}

TEST_CASE("app/process/program: a detached program is in a session of its own") {
  const slipwave::tests::TemporaryFolder folder;
  const std::string name = folder.write("sid", "");
  start_detached(
      {"sh", "-c", "cut -d' ' -f6 /proc/$$/stat > " + name + ".new; mv " + name + ".new " + name});
  for (int attempt = 0; attempt < 500 && text_of(name).empty(); ++attempt) usleep(10000);
  const std::string session = text_of(name);
  REQUIRE(!session.empty());
  CHECK(std::stol(session) != static_cast<long>(getsid(0)));
}
