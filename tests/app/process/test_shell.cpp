#include "app/process/program.hpp"
#include "app/process/shell.hpp"

#include <doctest/doctest.h>

using namespace slipwave::app;

TEST_CASE("app/process/shell: a shell gives back every word that was quoted for it") {
  for (const std::string word :
       {"plain", "", "two words", "it's", "'", "$HOME `id` \"x\" \\", "a\nb", "*", "é"})
    CHECK(answer_of({"/bin/sh", "-c", "printf '%s.\\n' " + quoted(word)}).text == word + ".");
}

TEST_CASE("app/process/shell: a line for a shell has its words, quoted") {
  CHECK(shell_line({"run", "a b", "it's"}) == "'run' 'a b' 'it'\\''s'");
  CHECK(shell_line({}) == "");
}
