#include "contact/fclib/fclib_file.hpp"

#include "contact/fclib/stored_problem.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <utility>

namespace slipwave::contact {

namespace fs = std::filesystem;
using files::hdf5::Id;

namespace {

/// What HDF5 opened; fails with the message where it is nothing.
Id opened(hid_t id, Id::Close close, const fs::path& file, const std::string& message) {
  if (id < 0) throw FclibError(file, message);
  return {id, close, message};
}

Id open(const fs::path& file) {
  const char* expected = "expected a frictional contact problem in FCLIB form (HDF5)";
  std::error_code error;
  if (!fs::exists(file, error)) throw FclibError(file, fmt::format("no such file; {}", expected));
  if (fs::is_directory(file, error))
    throw FclibError(file, fmt::format("is a folder; {}", expected));
  if (!fs::is_regular_file(file, error))
    throw FclibError(file, fmt::format("is no file of a disk; {}", expected));
  if (!std::ifstream(file)) throw FclibError(file, "cannot be read: no permission");
  if (H5Fis_hdf5(file.c_str()) <= 0)
    throw FclibError(file, fmt::format("is not HDF5; {}", expected));
  return opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, file,
                fmt::format("is damaged or truncated; {}", expected));
}

/// Whether a type is one that processors have; HDF5 1.10 itself does not survive some others.
bool is_number(hid_t type) {
  const std::initializer_list<hid_t> all{
      H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_STD_I32LE, H5T_STD_I32BE,
      H5T_STD_I64LE,  H5T_STD_I64BE,  H5T_STD_U32LE,  H5T_STD_U32BE,  H5T_STD_U64LE, H5T_STD_U64BE,
      H5T_STD_I16LE,  H5T_STD_I16BE,  H5T_STD_U16LE,  H5T_STD_U16BE,  H5T_STD_I8LE,  H5T_STD_U8LE};
  return std::any_of(all.begin(), all.end(), [&](hid_t one) { return H5Tequal(type, one) > 0; });
}

}  // namespace

FclibFile::FclibFile(fs::path file) : file_(std::move(file)), id_(open(file_)) {}

bool FclibFile::has(const std::string& name) const {
  return H5Lexists(id_, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> FclibFile::names(const std::string& group) const {
  const Id id = opened(H5Gopen2(id_, group.c_str(), H5P_DEFAULT), H5Gclose, file_,
                       fmt::format("has no group {}, or a damaged one", group));
  std::vector<std::string> all;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &all) < 0)
    throw FclibError(file_, fmt::format("has a damaged group {}", group));
  return all;
}

void FclibFile::require_count(const std::string& name, long count) const {
  const long found = count_of(data_set(name), name);
  if (found != count)
    throw FclibError(file_, fmt::format("{} has {} number(s): expected {}", name, found, count));
}

std::vector<double> FclibFile::numbers(const std::string& name, long least, long most) const {
  const Id set = data_set(name), type = type_of(set, name);
  if (!is_number(type)) throw FclibError(file_, name + " does not hold numbers");
  const long count = count_of(set, name);
  if (count < least || count > most)
    throw FclibError(file_, fmt::format("{} has {} number(s): expected {}", name, count, least));
  require_stored(set, name, count, H5Tget_size(type));
  std::vector<double> values(static_cast<std::size_t>(count));
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw FclibError(file_, name + " cannot be read: the file is damaged");
  return values;
}

std::vector<double> FclibFile::finite_numbers(const std::string& name, long count) const {
  std::vector<double> values = numbers(name, count, count);
  const auto bad = std::find_if_not(values.begin(), values.end(),
                                    [](double value) { return std::isfinite(value); });
  if (bad != values.end())
    throw FclibError(file_, fmt::format("{}({}) = {}: expected a finite number", name,
                                        bad - values.begin(), *bad));
  return values;
}

int FclibFile::integer(const std::string& name, int least) const {
  const double value = numbers(name, 1, 1)[0];
  if (!(value >= least && value <= std::numeric_limits<int>::max()) || value != std::floor(value))
    throw FclibError(
        file_, fmt::format("{} = {:.10g}: expected a whole number, at least {} and below 2^31",
                           name, value, least));
  return static_cast<int>(value);
}

std::vector<int> FclibFile::indices(const std::string& name, long least, long most) const {
  const std::vector<double> values = numbers(name, least, most);
  std::vector<int> all(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double value = values[k];
    if (!(value >= 0.0 && value <= std::numeric_limits<int>::max()) || value != std::floor(value))
      throw FclibError(
          file_, fmt::format("{}({}) = {:.10g}: expected an index, a whole number from 0", name, k,
                             value));
    all[k] = static_cast<int>(value);
  }
  return all;
}

std::string FclibFile::text(const std::string& name) const {
  if (!has(name)) return "";
  const Id set = data_set(name), type = type_of(set, name);
  if (H5Tget_class(type) != H5T_STRING || count_of(set, name) != 1)
    throw FclibError(file_, name + " is not a single text");
  if (H5Tis_variable_str(type) > 0) return "";
  const std::size_t size = H5Tget_size(type);
  require_stored(set, name, 1, size);
  std::string text(size, '\0');
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
    throw FclibError(file_, name + " cannot be read: the file is damaged");
  text.resize(strnlen(text.data(), size));
  return text;
}

Id FclibFile::data_set(const std::string& name) const {
  return opened(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose, file_,
                fmt::format("has no data set {}, or a damaged one", name));
}

Id FclibFile::type_of(hid_t set, const std::string& name) const {
  return opened(H5Dget_type(set), H5Tclose, file_, name + " has a damaged type");
}

/// Elements of a data set that is a scalar or a list.
long FclibFile::count_of(hid_t set, const std::string& name) const {
  const Id space = opened(H5Dget_space(set), H5Sclose, file_, name + " is of damaged size");
  if (H5Sget_simple_extent_ndims(space) > 1)
    throw FclibError(file_, name + " is a table: expected a list");
  return static_cast<long>(H5Sget_simple_extent_npoints(space));
}

/// Fails unless the file holds all elements of a data set, of so many bytes each. One that is
/// compressed may take 1032 times less than that, the most that deflate can; one that was never
/// written to takes nothing and is zero, as the solutions of some programs are: it has no more
/// numbers than the file has bytes.
void FclibFile::require_stored(hid_t set, const std::string& name, long count,
                               std::size_t size) const {
  constexpr double deflate = 1032.0;
  const Id list = opened(H5Dget_create_plist(set), H5Pclose, file_, name + " is damaged");
  if (H5Pget_layout(list) == H5D_VIRTUAL || H5Pget_external_count(list) > 0)
    throw FclibError(file_, name + " lies in another file");
  const bool is_packed = H5Pget_layout(list) == H5D_CHUNKED && H5Pget_nfilters(list) > 0;
  const auto stored = static_cast<double>(H5Dget_storage_size(set));
  const auto most = static_cast<double>(fs::file_size(file_));
  const double wanted = static_cast<double>(count) * static_cast<double>(size);
  const bool fits = stored > 0.0 ? stored <= most && wanted <= stored * (is_packed ? deflate : 1.0)
                                 : static_cast<double>(count) <= most;
  if (!fits)
    throw FclibError(file_, fmt::format("{} has {} number(s), which are not all in the file: it is "
                                        "damaged or was not written to its end",
                                        name, count));
}

}  // namespace slipwave::contact
