#include "app/plot/palette.hpp"
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

namespace slipwave::cli_tests {

namespace {

using app::palette::dashes;
using app::palette::inks;

/// What a run looks like in a figure, on the page and in ParaView.
struct Looks {
  TemporaryFolder folder;
  std::string energy, interface, page, script;

  Looks() {
    const auto run = [this](const std::vector<std::string>& arguments) {
      const ProgramResult result = slipwave(arguments, folder.path());
      REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    };
    run({"run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--out", "out", "--steps", "50", "--set",
         "mesh.size=4", "--set", "output.frames_every=10"});
    for (const char* figure : {"energy", "interface"}) run({"plot", "out", "--figure", figure});
    run({"report", "out"});
    run({"view", "out", "--no-open"});
    energy = read_text(folder / "out/energy.svg");
    interface = read_text(folder / "out/interface.svg");
    const std::string html = read_text(folder / "out/report.html");
    const std::size_t start = html.find("\"palette\":{");
    REQUIRE(start != std::string::npos);
    page = html.substr(start, html.find("\"runs\":[", start) - start);
    script = read_text(folder / "out/view.py");
  }
};

/// What the groups 1, 2, ... of a pattern match, over and over.
std::vector<std::vector<std::string>> all(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::vector<std::string>> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), none; i != none; ++i)
    found.emplace_back(std::next(i->begin()), i->end());
  return found;
}

std::map<std::string, std::string> as_map(const std::vector<std::vector<std::string>>& pairs) {
  std::map<std::string, std::string> map;
  for (const auto& pair : pairs) map[pair[0]] = pair[1];
  return map;
}

/// The name that the page knows dashes by.
std::string dash_name(const std::string& lengths) {
  const auto* found = std::find_if(dashes.begin(), dashes.end(),
                                   [&](const auto& dash) { return dash.lengths == lengths; });
  REQUIRE(found != dashes.end());
  return std::string(found->name);
}

std::string ink_name(const std::string& colour) {
  const auto* found = std::find_if(inks.begin(), inks.end(), [&](const auto& ink) {
    return fmt::format("#{:06X}", ink.light) == colour;
  });
  REQUIRE(found != inks.end());
  return std::string(found->name);
}

/// A list of strings of JSON or Python, from a place on.
std::vector<std::vector<std::string>> colours_after(const std::string& text,
                                                    const std::string& name, char close) {
  const std::size_t start = text.find(name);
  REQUIRE(start != std::string::npos);
  return all(text.substr(start, text.find(close, start) - start), "\"(#[0-9a-f]{6})\"");
}

}  // namespace

TEST_CASE("cli/palette: a status has one colour in figures, on the page and in ParaView") {
  const Looks looks;
  const auto figure =
      all(looks.interface,
          R"re(height="11" fill="(#[0-9a-f]{6})"[^>]*>\n<text[^>]*>([a-z ]+)</text>)re");
  REQUIRE(figure.size() == 4);
  std::map<std::string, std::string> expected;
  for (const auto& entry : figure) expected[entry[1]] = entry[0];
  const std::string statuses = looks.page.substr(looks.page.find("\"statuses\""));
  std::map<std::string, std::string> page;
  for (const auto& entry : all(statuses.substr(0, statuses.find(']')),
                               R"re("colour":"(#[0-9a-f]{6})",\s*"name":"([a-z ]+)")re"))
    page[entry[1]] = entry[0];
  CHECK(page == expected);
  CHECK(as_map(all(looks.script, R"re(    \("([a-z ]+)", "(#[0-9a-f]{6})"\),)re")) == expected);
}

TEST_CASE("cli/palette: a curve has one colour, dash and name in figures and on the page") {
  const Looks looks;
  const auto drawn = all(
      looks.energy,
      R"re(stroke="(#[0-9A-F]{6})" stroke-width="[\d.]+" stroke-linejoin="round"(?: stroke-dasharray="([\d ]+)")?>\n<path d="M[\d.]+,[\d.]+L[\d.]+,[\d.]+"/>\n</g>\n<text[^>]*>([^<]+)</text>)re");
  REQUIRE(drawn.size() == 7);  // five energies and works, two of the balance
  for (const auto& curve : drawn) {
    CAPTURE(curve[2]);
    CHECK(looks.page.find(fmt::format("\"colour\":\"{}\"", ink_name(curve[0]))) !=
          std::string::npos);
    const auto page = all(
        looks.page,
        fmt::format(
            R"re("colour":"([a-z]+)",\s*"column":"[a-z_]+",\s*"dash":"([a-z]+)",\s*"name":"{}")re",
            std::regex_replace(curve[2], std::regex("\\+"), "\\+")));
    REQUIRE(page.size() == 1);
    CHECK(page[0][0] == ink_name(curve[0]));
    CHECK(page[0][1] == dash_name(curve[1]));
  }
}

TEST_CASE("cli/palette: the slope of a wave speed has one dash in figures and on the page") {
  const Looks looks;
  const auto key = all(
      looks.interface,
      R"re(stroke-width="1.2"(?: stroke-dasharray="([\d ]+)")?>\n<path d="M0.00,0.00L24.00,0.00"/>)re");
  REQUIRE(key.size() == 3);
  const auto page = all(looks.page, R"re("dash":"([a-z]+)",\s*"name":"(c_.)")re");
  REQUIRE(page.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(page[i][0] == dash_name(key[i][0]));
}

TEST_CASE("cli/palette: numbers have the same colours on the page and in ParaView") {
  const Looks looks;
  CHECK(colours_after(looks.page, "\"sequential\"", ']').size() == 9);
  CHECK(colours_after(looks.page, "\"sequential\"", ']') ==
        colours_after(looks.script, "\nCOLOURS", ')'));
  CHECK(colours_after(looks.page, "\"diverging\"", ']') ==
        colours_after(looks.script, "\nSIGNED_COLOURS", ')'));
}

}  // namespace slipwave::cli_tests
