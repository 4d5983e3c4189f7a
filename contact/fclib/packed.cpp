#include "contact/fclib/packed.hpp"

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace slipwave::contact {

namespace {

using ColumnMatrix = Eigen::SparseMatrix<double>;

/// Puts values behind each other.
class Packer {
 public:
  std::string bytes;

  template <class... Values>
  explicit Packer(const Values&... values) {
    (add(values), ...);
  }

 private:
  void add_bytes(const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  }
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void add(const Number& number) { add_bytes(&number, sizeof number); }
  void add(const std::string& text) {
    add(text.size());
    bytes += text;
  }
  void add(const Eigen::VectorXd& vector) {
    add(vector.size());
    add_bytes(vector.data(), sizeof(double) * static_cast<std::size_t>(vector.size()));
  }
  void add(const ColumnMatrix& matrix) {
    ColumnMatrix packed = matrix;
    packed.makeCompressed();
    const auto entries = static_cast<std::size_t>(packed.nonZeros());
    add(packed.rows());
    add(packed.cols());
    add(entries);
    add_bytes(packed.outerIndexPtr(), sizeof(int) * static_cast<std::size_t>(packed.cols() + 1));
    add_bytes(packed.innerIndexPtr(), sizeof(int) * entries);
    add_bytes(packed.valuePtr(), sizeof(double) * entries);
  }
};

/// Takes them off again.
class Unpacker {
 public:
  template <class... Values>
  explicit Unpacker(const std::string& bytes, Values&... values) : bytes_(bytes) {
    (take(values), ...);
    if (place_ != bytes_.size()) throw std::length_error("bytes are left");
  }

 private:
  void take_bytes(void* to, std::size_t size) {
    if (size > bytes_.size() - place_) throw std::length_error("bytes are missing");
    if (size > 0) std::memcpy(to, bytes_.data() + place_, size);
    place_ += size;
  }
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void take(Number& number) { take_bytes(&number, sizeof number); }
  /// A count of things of so many bytes each, which are there.
  template <class Count = std::size_t>
  Count count_of(std::size_t size) {
    Count count{};
    take(count);
    if (static_cast<std::size_t>(count) > (bytes_.size() - place_) / size)
      throw std::length_error("bytes are missing");
    return count;
  }
  void take(std::string& text) {
    text.resize(count_of(1));
    take_bytes(text.data(), text.size());
  }
  void take(Eigen::VectorXd& vector) {
    vector.resize(count_of<Eigen::Index>(sizeof(double)));
    take_bytes(vector.data(), sizeof(double) * static_cast<std::size_t>(vector.size()));
  }
  void take(ColumnMatrix& matrix) {
    Eigen::Index rows = 0;
    take(rows);
    const auto columns = count_of<Eigen::Index>(sizeof(int));
    const auto entries = count_of(sizeof(int) + sizeof(double));
    matrix.resize(rows, columns);
    matrix.resizeNonZeros(static_cast<Eigen::Index>(entries));
    take_bytes(matrix.outerIndexPtr(), sizeof(int) * static_cast<std::size_t>(columns + 1));
    take_bytes(matrix.innerIndexPtr(), sizeof(int) * entries);
    take_bytes(matrix.valuePtr(), sizeof(double) * entries);
  }

  const std::string& bytes_;
  std::size_t place_ = 0;
};

}  // namespace

std::string pack(const Layout& layout) { return Packer(layout).bytes; }

std::string pack(const StoredProblem& p) {
  return Packer(p.dimension, p.W, p.b, p.mu, p.title, p.description).bytes;
}

std::string pack(const StoredGlobalProblem& p) {
  return Packer(p.dimension, p.M, p.H, p.f, p.w, p.mu, p.title, p.description).bytes;
}

std::string pack(const std::optional<StoredSolution>& solution) {
  return solution ? Packer(solution->r, solution->u, solution->v).bytes : "";
}

template <>
Layout unpack(const std::string& bytes) {
  Layout layout;
  Unpacker(bytes, layout);
  return layout;
}

template <>
StoredProblem unpack(const std::string& bytes) {
  StoredProblem p;
  Unpacker(bytes, p.dimension, p.W, p.b, p.mu, p.title, p.description);
  return p;
}

template <>
StoredGlobalProblem unpack(const std::string& bytes) {
  StoredGlobalProblem p;
  Unpacker(bytes, p.dimension, p.M, p.H, p.f, p.w, p.mu, p.title, p.description);
  return p;
}

template <>
std::optional<StoredSolution> unpack(const std::string& bytes) {
  if (bytes.empty()) return std::nullopt;
  StoredSolution solution;
  Unpacker(bytes, solution.r, solution.u, solution.v);
  return solution;
}

}  // namespace slipwave::contact
