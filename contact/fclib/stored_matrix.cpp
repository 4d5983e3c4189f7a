#include "contact/fclib/stored_matrix.hpp"

#include "contact/fclib/stored_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace slipwave::contact {

namespace {

using Indices = std::vector<int>;

/// The entries of a matrix in one of the three storages, each by its row and its column.
class Entries {
 public:
  Entries(const FclibFile& file, const std::string& group)
      : file_(file),
        group_(group),
        m_(file.integer(group + "/m", 0)),
        n_(file.integer(group + "/n", 0)) {
    const int nz = file.integer(group + "/nz", -2);
    const int nzmax = file.integer(group + "/nzmax", std::max(nz, 0));
    if (nz >= 0)
      add_triplets(nz, nzmax);
    else
      add_compressed(nz == -1, nzmax);
  }

  Eigen::SparseMatrix<double> matrix() const {
    Eigen::SparseMatrix<double> result(m_, n_);
    result.setFromTriplets(entries_.begin(), entries_.end());
    if (!result.coeffs().isFinite().all())
      throw FclibError(file_.path(), group_ + " has entries at one place whose sum is not finite");
    return result;
  }

 private:
  bool are_within(const Indices& rows, const Indices& columns, int count) const {
    const auto within = [count](const Indices& all, int size) {
      return std::all_of(all.begin(), all.begin() + count, [size](int i) { return i < size; });
    };
    return within(rows, m_) && within(columns, n_);
  }

  /// There is room for nzmax of them, and some programs write all of it.
  void add_triplets(int nz, int nzmax) {
    Indices rows = file_.indices(group_ + "/i", nz, nzmax);
    Indices columns = file_.indices(group_ + "/p", nz, nzmax);
    const std::vector<double> x = file_.numbers(group_ + "/x", nz, nzmax);
    if (rows.size() != columns.size())
      throw FclibError(file_.path(), fmt::format("{0}/i has {1} number(s) and {0}/p {2}: expected "
                                                 "as many, since nz = {3} says triplets",
                                                 group_, rows.size(), columns.size(), nz));
    if (!are_within(rows, columns, nz) && are_within(columns, rows, nz)) std::swap(rows, columns);
    entries_.reserve(static_cast<std::size_t>(nz));
    for (std::size_t k = 0; k < static_cast<std::size_t>(nz); ++k) add(rows[k], columns[k], x[k]);
  }

  void add_compressed(bool by_columns, int nzmax) {
    const long count = by_columns ? n_ : m_;
    const Indices start = file_.indices(group_ + "/p", count + 1, count + 1);
    const Indices inner = file_.indices(group_ + "/i", nzmax, nzmax);
    const std::vector<double> x = file_.numbers(group_ + "/x", nzmax, nzmax);
    require_rising(start, nzmax);
    entries_.reserve(static_cast<std::size_t>(start.back()));
    for (int j = 0; j < count; ++j)
      for (auto k = static_cast<std::size_t>(start[static_cast<std::size_t>(j)]);
           k < static_cast<std::size_t>(start[static_cast<std::size_t>(j) + 1]); ++k)
        if (by_columns)
          add(inner[k], j, x[k]);
        else
          add(j, inner[k], x[k]);
  }

  void require_rising(const Indices& start, int nzmax) const {
    if (start.front() != 0)
      throw FclibError(file_.path(), fmt::format("{}/p(0) = {}: must be 0", group_, start.front()));
    for (std::size_t j = 1; j < start.size(); ++j)
      if (start[j] < start[j - 1] || start[j] > nzmax)
        throw FclibError(file_.path(), fmt::format("{}/p({}) = {}: must rise to at most {}", group_,
                                                   j, start[j], nzmax));
  }

  void add(int row, int column, double value) {
    if (row >= m_ || column >= n_ || !std::isfinite(value))
      throw FclibError(
          file_.path(),
          fmt::format("{} has the entry ({}, {}) = {}: expected a number within {} x {}", group_,
                      row, column, value, m_, n_));
    entries_.emplace_back(row, column, value);
  }

  const FclibFile& file_;
  const std::string& group_;
  int m_, n_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

Eigen::SparseMatrix<double> read_matrix(const FclibFile& file, const std::string& group) {
  return Entries(file, group).matrix();
}

}  // namespace slipwave::contact
