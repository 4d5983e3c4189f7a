#include "app/study/table.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace slipwave::app;

TEST_CASE("app/study/table: numbers have the stated significant digits") {
  CHECK(significant(1.5, 3) == "1.50");
  CHECK(significant(-0.012345, 3) == "−0.0123");
  CHECK(significant(9.996, 3) == "10.0");
  CHECK(significant(99.96, 3) == "100");
  CHECK(significant(999.6, 3) == "1.00×10³");
  CHECK(significant(1234.5, 5) == "1234.5");
  CHECK(significant(12345.6, 5) == "12346");
  CHECK(significant(0.001, 2) == "0.0010");
  CHECK(significant(2.5e-7, 2) == "2.5×10⁻⁷");
  CHECK(significant(-6.02214e23, 4) == "−6.022×10²³");
  CHECK(significant(0.0, 4) == "0");
  CHECK(significant(-0.0, 4) == "0");
}

TEST_CASE("app/study/table: what is not a number is said so") {
  CHECK(significant(std::numeric_limits<double>::quiet_NaN(), 3) == "—");
  CHECK(significant(std::numeric_limits<double>::infinity(), 3) == "∞");
  CHECK(significant(-std::numeric_limits<double>::infinity(), 3) == "−∞");
}

TEST_CASE("app/study/table: a Markdown table has aligned columns and escaped bars") {
  const Table table{{"h (mm)", "norm |e|", "flag"},
                    {{8.0, 0.25, "too\ncoarse"}, {0.25, -1.5e-5, "a|b"}, {1.0}}};
  CHECK(markdown_table(table, 3) ==
        "| h (mm) | norm \\|e\\| | flag       |\n"
        "| -----: | ---------: | ---------- |\n"
        "|   8.00 |      0.250 | too coarse |\n"
        "|  0.250 | −1.50×10⁻⁵ | a\\|b       |\n"
        "|   1.00 |            |            |\n");
}

TEST_CASE("app/study/table: characters are counted, not bytes") {
  CHECK(character_count("−1.5×10⁻⁷") == 9);
  CHECK(with_minus_sign("-1e-3") == "−1e−3");
}
