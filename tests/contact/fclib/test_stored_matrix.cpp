#include "contact/fclib/stored_matrix.hpp"

#include "contact/fclib/write_fclib.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <string>
#include <vector>

namespace slipwave::contact::tests {

namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Numbers = std::vector<double>;

/// A matrix as its data sets say it.
struct Stored {
  double m, n, nz, nzmax;
  Numbers p, i, x;
};

/// Writes a file with one matrix and reads it.
MatrixXd read_back(const Stored& matrix) {
  const TemporaryFolder folder;
  const fs::path file = folder / "matrix.hdf5";
  H5Fclose(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  change(file, [&](hid_t id) {
    put_matrix(id, "/A", matrix.m, matrix.n);
    put(id, "/A/nz", {matrix.nz}, H5T_STD_I32LE);
    put(id, "/A/nzmax", {matrix.nzmax}, H5T_STD_I32LE);
    put(id, "/A/p", matrix.p, H5T_STD_I32LE);
    put(id, "/A/i", matrix.i, H5T_STD_I64BE);
    put(id, "/A/x", matrix.x, H5T_IEEE_F32LE);
  });
  return read_matrix(FclibFile(file), "/A");
}

/// What reading says after the name of the file.
std::string fault_of(const Stored& matrix) {
  const std::string said = complaint([&] { (void)read_back(matrix); });
  const auto name = said.find(".hdf5: ");
  return name == std::string::npos ? said : said.substr(name + 7);
}

const Numbers by_rows{1, 2, 3, 4, 5}, by_columns{1, 3, 4, 2, 5};  // of wide()
const Numbers rows{0, 0, 1, 1, 1}, columns{0, 2, 0, 1, 2};        // of by_rows

MatrixXd wide() {
  MatrixXd A(2, 3);
  A << 1.0, 0.0, 2.0, 3.0, 4.0, 5.0;
  return A;
}

MatrixXd unsymmetric() {
  MatrixXd A(2, 2);
  A << 1.0, 2.0, 0.0, 3.0;
  return A;
}

}  // namespace

TEST_CASE("contact/stored_matrix: of a triplet, i is the row and p the column") {
  CHECK(read_back({2, 3, 5, 5, columns, rows, by_rows}) == wide());
  CHECK(read_back({3, 2, 5, 5, rows, columns, by_rows}) == wide().transpose());
}

TEST_CASE("contact/stored_matrix: triplets that fit their matrix only the other way are read so") {
  CHECK(read_back({2, 3, 5, 5, rows, columns, by_rows}) == wide());
}

TEST_CASE("contact/stored_matrix: in a square, where both ways fit, i is the row") {
  CHECK(read_back({2, 2, 3, 3, {0, 1, 1}, {0, 0, 1}, {1, 2, 3}}) == unsymmetric());
  CHECK(read_back({2, 2, 3, 3, {0, 0, 1}, {0, 1, 1}, {1, 2, 3}}) == unsymmetric().transpose());
}

TEST_CASE("contact/stored_matrix: triplets that fit neither way are refused by the first outside") {
  CHECK(fault_of({2, 3, 3, 3, {0, 2, 1}, {0, 1, 2}, {7, 8, 9}}) ==
        "/A has the entry (2, 1) = 9: expected a number within 2 x 3");
  CHECK(fault_of({2, 3, 1, 1, {3}, {0}, {7}}) ==
        "/A has the entry (0, 3) = 7: expected a number within 2 x 3");
}

TEST_CASE("contact/stored_matrix: room for more triplets than there are is not read") {
  const double garbage = 1e9;
  CHECK(read_back({2, 3, 5, 8, columns, rows, by_rows}) == wide());
  Numbers more_columns = columns, more_rows = rows, more_values = by_rows;
  for (Numbers* list : {&more_columns, &more_rows, &more_values}) list->resize(8, garbage);
  CHECK(read_back({2, 3, 5, 8, more_columns, more_rows, more_values}) == wide());
  CHECK(read_back({2, 3, 5, 8, columns, rows, more_values}) == wide());
  CHECK(fault_of({2, 3, 5, 8, columns, more_rows, by_rows}) ==
        "/A/i has 8 number(s) and /A/p 5: expected as many, since nz = 5 says triplets");
  CHECK(fault_of({2, 3, 6, 8, columns, rows, by_rows}) == "/A/i has 5 number(s): expected 6");
}

TEST_CASE("contact/stored_matrix: triplets and entries of columns at one place add up") {
  CHECK(read_back({2, 3, 3, 3, {2, 2, 0}, {1, 1, 0}, {1, 2, 4}})(1, 2) == 3.0);
  CHECK(read_back({1, 1, -1, 2, {0, 2}, {0, 0}, {1, 2}})(0, 0) == 3.0);
}

TEST_CASE("contact/stored_matrix: compressed columns and rows are the same matrix as triplets") {
  CHECK(read_back({2, 3, -1, 5, {0, 2, 3, 5}, {0, 1, 1, 0, 1}, by_columns}) == wide());
  CHECK(read_back({2, 3, -2, 5, {0, 2, 5}, columns, by_rows}) == wide());
  CHECK(read_back({2, 2, -1, 3, {0, 1, 3}, {0, 0, 1}, {1, 2, 3}}) == unsymmetric());
  CHECK(read_back({2, 2, -2, 3, {0, 2, 3}, {0, 1, 1}, {1, 2, 3}}) == unsymmetric());
}

TEST_CASE("contact/stored_matrix: columns in any order within, and room at the end") {
  CHECK(read_back({2, 3, -1, 7, {0, 2, 3, 5}, {1, 0, 1, 1, 0, 9, 9}, {3, 1, 4, 5, 2, 9, 9}}) ==
        wide());
}

TEST_CASE("contact/stored_matrix: columns that do not begin at 0 or do not rise are refused") {
  CHECK(fault_of({2, 2, -1, 3, {1, 2, 3}, {0, 0, 1}, {1, 2, 3}}) == "/A/p(0) = 1: must be 0");
  CHECK(fault_of({2, 2, -1, 3, {0, 2, 1}, {0, 0, 1}, {1, 2, 3}}) ==
        "/A/p(2) = 1: must rise to at most 3");
  CHECK(fault_of({2, 2, -1, 3, {0, 1, 4}, {0, 0, 1}, {1, 2, 3}}) ==
        "/A/p(2) = 4: must rise to at most 3");
}

TEST_CASE("contact/stored_matrix: a matrix without entries is zero") {
  CHECK(read_back({2, 3, 0, 0, {}, {}, {}}) == MatrixXd::Zero(2, 3));
  CHECK(read_back({2, 3, -1, 0, {0, 0, 0, 0}, {}, {}}) == MatrixXd::Zero(2, 3));
}

}  // namespace slipwave::contact::tests
