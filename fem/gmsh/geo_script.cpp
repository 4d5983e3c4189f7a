#include "fem/gmsh/geo_script.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace slipwave::fem {

namespace fs = std::filesystem;

namespace {

/// A word, a text in quotes, or a character that is neither.
struct Token {
  enum class Kind { word, text, other };
  Kind kind = Kind::other;
  std::string value;
  int line = 1;
};

/// Cuts a script into tokens and leaves comments out, as Gmsh's own scanner does: a text ends with
/// the mark it began with, and knows no escapes.
class Scanner {
 public:
  explicit Scanner(const std::string& script) : script_(script) {}

  std::vector<Token> tokens() {
    std::vector<Token> result;
    while (place_ < script_.size()) {
      const int line = line_;
      const char c = script_[place_];
      if (script_.compare(place_, 2, "//") == 0) {
        (void)until("\n");
      } else if (script_.compare(place_, 2, "/*") == 0) {
        advance(2);
        (void)until("*/");
      } else if (c == '"' || c == '\'') {
        advance(1);
        result.push_back({Token::Kind::text, until(std::string(1, c)), line});
      } else if (is_letter(c)) {
        result.push_back({Token::Kind::word, word(), line});
      } else {
        if (!std::isspace(static_cast<unsigned char>(c)))
          result.push_back({Token::Kind::other, std::string(1, c), line});
        advance(1);
      }
    }
    return result;
  }

 private:
  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

  void advance(std::size_t count) {
    for (const std::size_t end = std::min(place_ + count, script_.size()); place_ < end; ++place_)
      line_ += script_[place_] == '\n' ? 1 : 0;
  }
  std::string until(const std::string& mark) {
    const std::size_t from = place_;
    const std::size_t end = std::min(script_.find(mark, place_), script_.size());
    advance(end - from + mark.size());
    return script_.substr(from, end - from);
  }
  std::string word() {
    const std::size_t from = place_;
    while (place_ < script_.size() && (is_letter(script_[place_]) ||
                                       std::isdigit(static_cast<unsigned char>(script_[place_]))))
      ++place_;
    return script_.substr(from, place_ - from);
  }

  const std::string& script_;
  std::size_t place_ = 0;
  int line_ = 1;
};

/// Words of Gmsh 4 that run programs, write or read files, or make words that a scanner misses.
const std::set<std::string> far_reaching{"System",
                                         "SystemCall",
                                         "NonBlockingSystemCall",
                                         "OnelabRun",
                                         "OnelabAction",
                                         "Solver",
                                         "ExternalProcess",
                                         "Plugin",
                                         "Save",
                                         "Print",
                                         "CreateDir",
                                         "Include",
                                         "Merge",
                                         "MergeWithBoundingBox",
                                         "ShapeFromFile",
                                         "ListFromFile",
                                         "FileName",
                                         "GetEnv",
                                         "StringToName",
                                         "S2N",
                                         "NameStruct",
                                         "Homology",
                                         "Cohomology"};

/// Commands that are followed by the name of a file.
const std::set<std::string> including{"Include", "Merge", "MergeWithBoundingBox", "ShapeFromFile"};

/// Whether Printf or Error at this place has its own file: `Printf("x") > "file"`.
bool prints_to_file(const std::vector<Token>& tokens, std::size_t at) {
  int depth = 0;  // a > inside the parentheses compares
  for (std::size_t i = at; i < tokens.size() && tokens[i].value != ";"; ++i) {
    if (tokens[i].kind != Token::Kind::other) continue;
    if (tokens[i].value == "(") ++depth;
    if (tokens[i].value == ")") --depth;
    if (tokens[i].value == ">" && depth <= 0) return true;
  }
  return false;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The file that a command at this place names, if it does: Merge "x.step",
/// ShapeFromFile("x.brep").
std::optional<fs::path> named_at(const std::vector<Token>& tokens, std::size_t at) {
  std::size_t next = at + 1;
  if (next < tokens.size() && tokens[next].value == "(") ++next;
  if (next >= tokens.size() || tokens[next].kind != Token::Kind::text) return std::nullopt;
  return tokens[next].value;
}

void add_named_files(const fs::path& script, std::set<fs::path>& files) {
  const std::string text = content_of(script);
  const std::vector<Token> tokens = Scanner(text).tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::word || !including.contains(tokens[i].value)) continue;
    const std::optional<fs::path> name = named_at(tokens, i);
    std::error_code none;
    const fs::path file = fs::canonical(script.parent_path() / name.value_or(""), none);
    if (!name || none || !fs::is_regular_file(file)) continue;
    if (files.insert(file).second) add_named_files(file, files);
  }
}

}  // namespace

std::vector<GeoCommand> far_reaching_commands(const std::string& script) {
  std::vector<GeoCommand> commands;
  const std::vector<Token> tokens = Scanner(script).tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::word) continue;
    const bool prints = token.value == "Printf" || token.value == "Error";
    if (far_reaching.contains(token.value) || (prints && prints_to_file(tokens, i)))
      commands.push_back({token.value, token.line});
  }
  return commands;
}

std::set<fs::path> named_files(const fs::path& script) {
  std::set<fs::path> files;
  const fs::path real = fs::canonical(script);
  files.insert(real);
  add_named_files(real, files);
  files.erase(real);
  return files;
}

}  // namespace slipwave::fem
