#include "app/report/write_report.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace slipwave;

namespace {

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("app/report/write_report: text of the data cannot leave its block") {
  const std::string plain = app::page_with("{\"runs\":[]}");
  const std::string hostile = app::page_with("{\"runs\":[],\"case\":\"</script><b><!--\"}");
  CHECK(times(hostile, "</script>") == times(plain, "</script>"));
  CHECK(times(hostile, "<!--") == times(plain, "<!--"));
  CHECK(times(hostile, "\\u003c/script>\\u003cb>\\u003c!--") == 1);
}
