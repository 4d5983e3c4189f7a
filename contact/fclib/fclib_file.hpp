#pragma once

#include "files/hdf5.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::contact {

/// An HDF5 file, open to read a problem from it. Nothing that it says is believed: what a data set
/// would take in memory is compared with what it takes in the file before any is allocated. All
/// members throw FclibError naming the file, the data set and what was expected.
class FclibFile {
 public:
  explicit FclibFile(std::filesystem::path file);

  const std::filesystem::path& path() const { return file_; }
  /// Whether there is a group or a data set of this name, such as "/fclib_local/W".
  bool has(const std::string& name) const;
  /// The names in a group.
  std::vector<std::string> names(const std::string& group) const;

  /// Fails unless a data set has so many numbers. Reads none of them.
  void require_count(const std::string& name, long count) const;
  /// The numbers of a data set; there must be `least` to `most` of them.
  std::vector<double> numbers(const std::string& name, long least, long most) const;
  /// The same where all must be finite and of one number.
  std::vector<double> finite_numbers(const std::string& name, long count) const;
  /// A data set of one integer, which must be at least so large.
  int integer(const std::string& name, int least) const;
  /// Indices: whole numbers from 0; there must be `least` to `most` of them.
  std::vector<int> indices(const std::string& name, long least, long most) const;
  /// A text; empty where there is none, and where its length is variable: libfclib writes none so.
  std::string text(const std::string& name) const;

 private:
  files::hdf5::Id data_set(const std::string& name) const;
  files::hdf5::Id type_of(hid_t set, const std::string& name) const;
  long count_of(hid_t set, const std::string& name) const;
  void require_stored(hid_t set, const std::string& name, long count, std::size_t size) const;

  files::hdf5::Quiet quiet_;
  std::filesystem::path file_;
  files::hdf5::Id id_;
};

}  // namespace slipwave::contact
