#include "app/case/vertex_file.hpp"

#include "app/messages/user_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

using Eigen::Vector3d;

[[noreturn]] void fail(const fs::path& file, int line, const std::string& what) {
  throw UserError(fmt::format("{}:{}: {}", file.string(), line, what));
}

double number_of(const fs::path& file, int line, const std::string& word) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    fail(file, line, fmt::format("\"{}\" is not a finite number", word));
  return value;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  return {std::istream_iterator<std::string>(stream), {}};
}

/// What an OBJ file is read into.
class ObjReader {
 public:
  explicit ObjReader(const fs::path& file) : file_(file) {}

  void read(std::istream& stream) {
    for (std::string text; std::getline(stream, text);) {
      ++line_;
      if (const std::vector<std::string> words = words_of(text); !words.empty()) take(words);
    }
    if (vertices_.empty()) fail(file_, std::max(line_, 1), "there is no vertex in this file");
  }

  std::vector<VertexPart> parts() const {
    if (used_.empty()) return {{file_.stem().string(), vertices_}};
    std::vector<VertexPart> parts;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      VertexPart& part = parts.emplace_back(VertexPart{names_[i], {}});
      for (const std::size_t vertex : used_[i]) part.vertices.push_back(vertices_[vertex]);
    }
    return parts;
  }

 private:
  void take(const std::vector<std::string>& words) {
    const std::string& key = words.front();
    if (key == "v") return take_vertex(words);
    if (key == "f") return take_face(words);
    if (key == "g" || key == "o") {
      name_ = words.size() > 1 ? words[1] : "default";
      return;
    }
    const std::set<std::string> without_shape{"vn", "vt", "vp", "s", "usemtl", "mtllib", "l", "p"};
    if (!without_shape.contains(key))
      fail(file_, line_, fmt::format("\"{}\": expected v, f, g, o or another word of OBJ", key));
  }

  void take_vertex(const std::vector<std::string>& words) {
    if (words.size() < 4) fail(file_, line_, "a vertex has three coordinates");
    Vector3d& vertex = vertices_.emplace_back();
    for (std::size_t i = 0; i < 3; ++i)
      vertex[static_cast<int>(i)] = number_of(file_, line_, words[i + 1]);
  }

  void take_face(const std::vector<std::string>& words) {
    if (words.size() < 4) fail(file_, line_, "a face has at least three vertices");
    const auto found = std::ranges::find(names_, name_);
    const auto part = static_cast<std::size_t>(found - names_.begin());
    if (found == names_.end()) {
      names_.push_back(name_);
      used_.emplace_back();
    }
    for (std::size_t i = 1; i < words.size(); ++i) used_[part].insert(vertex_of(words[i]));
  }

  /// "7/1/3" is the seventh vertex, and "-1" the last so far.
  std::size_t vertex_of(const std::string& word) const {
    long index = 0;
    const char* start = word.data();
    const auto [end, error] =
        std::from_chars(start, start + std::min(word.find('/'), word.size()), index);
    const auto count = static_cast<long>(vertices_.size());
    if (index < 0) index += count + 1;
    if (error != std::errc() || (*end != '/' && *end != '\0') || index < 1 || index > count)
      fail(file_, line_, fmt::format("\"{}\" names no vertex; there are {} so far", word, count));
    return static_cast<std::size_t>(index - 1);
  }

  const fs::path& file_;
  int line_ = 0;
  std::string name_ = "default";
  std::vector<Vector3d> vertices_;
  std::vector<std::string> names_;           // of the parts that have faces
  std::vector<std::set<std::size_t>> used_;  // by each part
};

/// Each once, in the order of their coordinates: neighbouring triangles repeat them.
VertexPart part_of(const fs::path& file, std::vector<Vector3d> vertices) {
  const auto before = [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::ranges::sort(vertices, before);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return {file.stem().string(), std::move(vertices)};
}

constexpr std::size_t stl_header = 84, stl_triangle = 50;

std::size_t stl_count(const std::string& bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

bool is_binary_stl(const std::string& bytes) {
  return bytes.size() >= stl_header && bytes.size() == stl_header + stl_triangle * stl_count(bytes);
}

std::vector<Vector3d> binary_stl(const fs::path& file, const std::string& bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<Vector3d> vertices;
  for (std::size_t at = stl_header; at < bytes.size(); at += stl_triangle) {
    std::array<float, 12> numbers{};  // the normal and three vertices
    std::memcpy(numbers.data(), bytes.data() + at, sizeof numbers);
    for (std::size_t i = 3; i < 12; i += 3)
      vertices.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    if (!vertices.back().allFinite() || !vertices[vertices.size() - 2].allFinite() ||
        !vertices[vertices.size() - 3].allFinite())
      throw UserError(fmt::format("{}: triangle {} has a vertex that is not finite", file.string(),
                                  vertices.size() / 3));
  }
  return vertices;
}

std::vector<Vector3d> text_stl(const fs::path& file, const std::string& bytes) {
  std::istringstream stream(bytes);
  std::vector<Vector3d> vertices;
  int line = 0;
  for (std::string text; std::getline(stream, text);) {
    ++line;
    const std::vector<std::string> words = words_of(text);
    if (words.empty() || words.front() != "vertex") continue;
    if (words.size() != 4) fail(file, line, "a vertex has three coordinates");
    vertices.emplace_back(number_of(file, line, words[1]), number_of(file, line, words[2]),
                          number_of(file, line, words[3]));
  }
  return vertices;
}

VertexPart read_stl(const fs::path& file, const std::string& bytes) {
  const bool binary = is_binary_stl(bytes);
  if (!binary && !bytes.starts_with("solid"))
    throw UserError(fmt::format(
        "{}: not an STL file: it neither begins with \"solid\" nor is as long as its triangles",
        file.string()));
  std::vector<Vector3d> vertices = binary ? binary_stl(file, bytes) : text_stl(file, bytes);
  if (vertices.empty()) throw UserError(file.string() + ": there is no vertex in this file");
  return part_of(file, std::move(vertices));
}

}  // namespace

std::vector<VertexPart> read_vertex_file(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".obj" && ending != ".stl")
    throw UserError(file.string() + ": expected a file that ends with .obj or .stl");
  if (!fs::exists(file)) throw UserError(file.string() + ": no such file");
  if (!fs::is_regular_file(file)) throw UserError(file.string() + ": not a file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw UserError(file.string() + ": cannot be read");
  if (ending == ".stl") return {read_stl(file, {std::istreambuf_iterator<char>(stream), {}})};
  ObjReader reader(file);
  reader.read(stream);
  return reader.parts();
}

}  // namespace slipwave::app
