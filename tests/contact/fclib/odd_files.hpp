#pragma once

#include "contact/fclib/fclib.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>
#include <Eigen/Core>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

/// Problems that we make, as files with something odd about them.
namespace slipwave::contact::tests {

using slipwave::tests::TemporaryFolder;

/// Normally distributed entries.
inline Eigen::MatrixXd random_matrix(int rows, int columns, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = normal(generator);
  return matrix;
}

/// A local problem with a positive definite W that has two zeros.
inline StoredProblem random_problem(int contacts, int dimension, std::mt19937_64& generator) {
  const int rows = contacts * dimension;
  const Eigen::MatrixXd G = random_matrix(rows, rows, generator);
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(rows, rows) + G * G.transpose() / rows;
  W(0, rows - 1) = W(rows - 1, 0) = 0.0;  // an entry that is not stored
  StoredProblem problem;
  problem.dimension = dimension;
  problem.W = W.sparseView();
  problem.b = random_matrix(rows, 1, generator);
  problem.mu = Eigen::VectorXd::Constant(contacts, 0.3);
  problem.title = "random";
  problem.description = "no meaning: 1 < 2, µ = 0.3";
  return problem;
}

/// A global problem with M positive definite.
inline StoredGlobalProblem random_global(int unknowns, int contacts, int dimension,
                                         std::mt19937_64& generator) {
  const Eigen::MatrixXd G = random_matrix(unknowns, unknowns, generator);
  StoredGlobalProblem problem;
  problem.dimension = dimension;
  problem.M = Eigen::MatrixXd(Eigen::MatrixXd::Identity(unknowns, unknowns) + G * G.transpose())
                  .sparseView();
  problem.H = random_matrix(unknowns, dimension * contacts, generator).sparseView(0.5, 1.0);
  problem.f = random_matrix(unknowns, 1, generator);
  problem.w = random_matrix(dimension * contacts, 1, generator);
  problem.mu = Eigen::VectorXd::LinSpaced(contacts, 0.1, 0.7);
  problem.title = "global";
  return problem;
}

/// A valid file with something changed by HDF5 itself.
inline void change(const std::filesystem::path& file, const std::function<void(hid_t)>& edit) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(id >= 0);
  edit(id);
  H5Fclose(id);
}

/// Puts numbers in place of what is there, of a type of HDF5 in the file.
inline void put(hid_t file, const std::string& name, const std::vector<double>& values,
                hid_t type = H5T_NATIVE_DOUBLE) {
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0)
    REQUIRE(H5Ldelete(file, name.c_str(), H5P_DEFAULT) >= 0);
  const hsize_t size = values.size();
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t set =
      H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(set >= 0);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Sclose(space);
}

/// Puts a matrix without entries.
inline void put_matrix(hid_t file, const std::string& group, double rows, double columns) {
  H5Gclose(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  put(file, group + "/m", {rows});
  put(file, group + "/n", {columns});
  put(file, group + "/nz", {0});
  put(file, group + "/nzmax", {0});
  for (const std::string name : {"/p", "/i", "/x"}) put(file, group + name, {});
}

/// Puts a group of one file into another, which then has both forms.
inline void copy_group(const std::filesystem::path& from, const std::filesystem::path& to,
                       const char* group) {
  const hid_t source = H5Fopen(from.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t target = H5Fopen(to.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE((source >= 0 && target >= 0));
  REQUIRE(H5Ocopy(source, group, target, group, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(target);
  H5Fclose(source);
}

/// What doing something with a file says; empty where nothing is wrong.
inline std::string complaint(const std::function<void()>& read) {
  try {
    read();
  } catch (const FclibError& error) {
    return error.what();
  }
  return "";
}

/// What reading all of a file says.
inline std::string complaint_about(const std::filesystem::path& file) {
  return complaint([&] {
    const StoredForm form = stored_form(file);
    if (form != StoredForm::global) (void)read_local_problem(file);
    if (form != StoredForm::local) (void)read_global_problem(file);
    (void)read_solution(file);
  });
}

}  // namespace slipwave::contact::tests
