#include "files/hdf5.hpp"

#include "files/hdf5_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

namespace slipwave::files::hdf5 {

namespace {

/// Everything is closed by whoever opened it. At the program's end the library would close what a
/// damaged file made it lose, and complain on stderr that it cannot. Must come before the first
/// call.
[[maybe_unused]] const herr_t leaves_without_a_word = H5dont_atexit();

}  // namespace

Id::Id(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
  if (id < 0) throw std::runtime_error(what);
}

void require(herr_t status, const std::string& what) {
  if (status < 0) throw std::runtime_error(what);
}

std::string version() {
  return fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
}

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &handler_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, handler_, data_); }

template <>
hid_t type_of<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t type_of<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t type_of<int>() {
  return H5T_NATIVE_INT;
}
template <>
hid_t type_of<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

namespace {

/// Readers of a file that is being written need the newest format.
Id newest_format() {
  Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 properties");
  require(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "HDF5 format");
  return access;
}

Id simple_space(hsize_t rows, hsize_t columns, hsize_t max_rows) {
  const std::array<hsize_t, 2> size{rows, columns}, limit{max_rows, columns};
  return {H5Screate_simple(columns == 0 ? 1 : 2, size.data(), limit.data()), H5Sclose,
          "HDF5 data space"};
}

/// The rows `first` to `first + count` of a dataset.
Id rows_of(hid_t dataset, hsize_t first, hsize_t count) {
  Id space(H5Dget_space(dataset), H5Sclose, "HDF5 data space");
  const std::array<hsize_t, 2> start{first, 0}, size{count, shape_of(dataset).second};
  require(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
          "HDF5 selection");
  return space;
}

Id create_dataset(hid_t parent, const std::string& name, hid_t type, hid_t space,
                  hid_t properties) {
  return {H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
          H5Dclose, "dataset " + name + " could not be created"};
}

}  // namespace

Id create_file(const std::string& file, int& error) {
  const Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "HDF5 properties");
  require(H5Pset_obj_track_times(creation, false), "HDF5 properties");
  const Id access = newest_format();
  write_through(access, error);
  return {H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose,
          file + ": could not be created"};
}

Id open_file_to_append(const std::string& file, int& error) {
  const Id access = newest_format();
  write_through(access, error);
  return {H5Fopen(file.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access), H5Fclose,
          file + ": could not be opened to write"};
}

Id open_file_to_read(const std::string& file) {
  const Id access = newest_format();
  // The library waits 2^k ns after attempt k for a writer to finish; its own 100 attempts are ages.
  constexpr unsigned attempts = 20;
  require(H5Pset_metadata_read_attempts(access, attempts), "HDF5 attempts");
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose,
          file + ": is not an HDF5 file, or damaged"};
}

bool is_closed(const std::string& file) {
  const Quiet quiet;
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, newest_format());
  if (opened >= 0) H5Fclose(opened);
  return opened >= 0;
}

namespace {

Id in_memory() {
  Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 properties");
  constexpr std::size_t growth = 1 << 20;
  require(H5Pset_fapl_core(access, growth, false), "HDF5 in memory");
  return access;
}

}  // namespace

Id create_image() {
  const Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "HDF5 properties");
  require(H5Pset_userblock(creation, 512), "HDF5 user block");
  return {H5Fcreate("image", H5F_ACC_TRUNC, creation, in_memory()), H5Fclose, "HDF5 in memory"};
}

std::string bytes_of_image(hid_t file) {
  require(H5Fflush(file, H5F_SCOPE_LOCAL), "HDF5 in memory");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  std::string bytes(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
  if (size <= 0 || H5Fget_file_image(file, bytes.data(), bytes.size()) != size)
    throw std::runtime_error("HDF5 in memory");
  return bytes;
}

Id open_image(const std::string& bytes) {
  const Id access = in_memory();
  std::string copy = bytes;  // the library wants to be able to write
  require(H5Pset_file_image(access, copy.data(), copy.size()), "HDF5 in memory");
  return {H5Fopen("image", H5F_ACC_RDONLY, access), H5Fclose, "is not an HDF5 file, or damaged"};
}

Id create_group(hid_t parent, const std::string& name) {
  const Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "HDF5 properties");
  require(H5Pset_obj_track_times(creation, false), "HDF5 properties");
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose,
          "group " + name + " could not be created"};
}

Id open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose,
          "there is no group " + name + ", or it is damaged"};
}

std::vector<std::string> groups_of(hid_t parent) {
  std::vector<std::string> names;
  const auto add = [](hid_t group, const char* name, const H5L_info_t*, void* list) -> herr_t {
    H5O_info_t info;
    if (H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) < 0) return -1;
    if (info.type == H5O_TYPE_GROUP) static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
  hsize_t position = 0;
  require(H5Literate(parent, H5_INDEX_NAME, H5_ITER_INC, &position, add, &names),
          "is damaged: its groups cannot be listed");
  return names;
}

haddr_t address_of(hid_t parent, const std::string& name) {
  H5O_info_t info;
  require(H5Oget_info_by_name(parent, name.c_str(), &info, H5P_DEFAULT), "HDF5 object " + name);
  return info.addr;
}

hsize_t size_of_file(hid_t object) {
  const Id file(H5Iget_file_id(object), H5Fclose, "HDF5 file");
  hsize_t size = 0;
  require(H5Fget_filesize(file, &size), "HDF5 file");
  return size;
}

Id open_dataset(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose,
          "there is no dataset " + name + ", or it is damaged"};
}

template <class Value>
void write_array(hid_t parent, const std::string& name, const Value* values, hsize_t rows,
                 hsize_t columns) {
  const Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "HDF5 properties");
  require(H5Pset_obj_track_times(properties, false), "HDF5 properties");
  const Id dataset =
      create_dataset(parent, name, type_of<Value>(), simple_space(rows, columns, rows), properties);
  require(H5Dwrite(dataset, type_of<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
          "dataset " + name + " could not be written");
}

namespace {

/// Chunks with a checksum, and no times of day.
Id chunked(hsize_t chunk_rows, hsize_t columns, bool packed) {
  Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "HDF5 properties");
  const std::array<hsize_t, 2> chunk{chunk_rows, columns};
  require(H5Pset_obj_track_times(properties, false), "HDF5 properties");
  require(H5Pset_chunk(properties, columns == 0 ? 1 : 2, chunk.data()), "HDF5 chunks");
  if (packed) {
    require(H5Pset_shuffle(properties), "HDF5 shuffle filter");
    require(H5Pset_deflate(properties, 1), "HDF5 deflate filter");
  }
  require(H5Pset_fletcher32(properties), "HDF5 checksum filter");
  return properties;
}

}  // namespace

template <class Value>
void write_checked_array(hid_t parent, const std::string& name, const Value* values, hsize_t rows,
                         hsize_t columns) {
  const Id dataset =
      create_dataset(parent, name, type_of<Value>(), simple_space(rows, columns, rows),
                     chunked(rows, columns, false));
  require(H5Dwrite(dataset, type_of<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
          "dataset " + name + " could not be written");
}

void write_attribute(hid_t object, const std::string& name, double value) {
  const Id space(H5Screate(H5S_SCALAR), H5Sclose, "HDF5 data space");
  const Id attribute(
      H5Acreate2(object, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, "attribute " + name);
  require(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value), "attribute " + name);
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Id space(H5Screate(H5S_SCALAR), H5Sclose, "HDF5 data space");
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose, "HDF5 text");
  require(H5Tset_size(type, value.size() + 1), "HDF5 text");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "HDF5 text");
  const Id attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose, "attribute " + name);
  require(H5Awrite(attribute, type, value.c_str()), "attribute " + name);
}

double read_attribute(hid_t object, const std::string& name) {
  const Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose,
                     "there is no attribute " + name + ", or it is damaged");
  const Id space(H5Aget_space(attribute), H5Sclose, "attribute " + name);
  if (H5Sget_simple_extent_npoints(space) != 1)
    throw std::runtime_error("attribute " + name + " is not a number");
  double value = 0.0;
  require(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "attribute " + name);
  return value;
}

template <class Value>
Id create_table(hid_t parent, const std::string& name, hsize_t columns, hsize_t chunk_rows) {
  return create_dataset(parent, name, type_of<Value>(), simple_space(0, columns, H5S_UNLIMITED),
                        chunked(chunk_rows, columns, true));
}

template <class Value>
void append_rows(hid_t dataset, const Value* values, hsize_t rows) {
  const auto [before, columns] = shape_of(dataset);
  const std::array<hsize_t, 2> size{before + rows, columns};
  require(H5Dset_extent(dataset, size.data()), "HDF5 table could not be extended");
  const Id memory = simple_space(rows, columns, rows);
  require(H5Dwrite(dataset, type_of<Value>(), memory, rows_of(dataset, before, rows), H5P_DEFAULT,
                   values),
          "HDF5 rows could not be written");
  require(H5Dflush(dataset), "HDF5 rows could not be written");
}

void copy_table(hid_t from, hid_t to) {
  const auto [rows, columns] = shape_of(from);
  const std::array<hsize_t, 2> size{rows, columns};
  require(H5Dset_extent(to, size.data()), "HDF5 table could not be extended");
  std::vector<char> bytes;
  const hsize_t chunk_rows = chunk_rows_of(from);
  for (hsize_t row = 0; row < rows; row += chunk_rows) {
    const std::array<hsize_t, 2> place{row, 0};
    hsize_t stored = 0;
    std::uint32_t skipped_filters = 0;
    require(H5Dget_chunk_storage_size(from, place.data(), &stored), "HDF5 chunk");
    bytes.resize(stored);
    require(H5Dread_chunk(from, H5P_DEFAULT, place.data(), &skipped_filters, bytes.data()),
            "HDF5 chunk");
    require(
        H5Dwrite_chunk(to, H5P_DEFAULT, skipped_filters, place.data(), bytes.size(), bytes.data()),
        "HDF5 chunk");
  }
}

std::pair<hsize_t, hsize_t> shape_of(hid_t dataset) {
  const Id space(H5Dget_space(dataset), H5Sclose, "HDF5 data space");
  std::array<hsize_t, 2> size{0, 1};
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > 2) throw std::runtime_error("a dataset is neither a list nor a table");
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  return {size[0], size[1]};
}

hsize_t chunk_rows_of(hid_t dataset) {
  const Id properties(H5Dget_create_plist(dataset), H5Pclose, "HDF5 properties");
  std::array<hsize_t, 2> chunk{0, 0};
  if (H5Pget_chunk(properties, 2, chunk.data()) < 1 || chunk[0] == 0)
    throw std::runtime_error("a dataset is not in chunks");
  return chunk[0];
}

template <class Value>
void read_rows(hid_t dataset, Value* values, hsize_t rows, hsize_t first) {
  const Id memory = simple_space(rows * shape_of(dataset).second, 0, H5S_UNLIMITED);
  require(H5Dread(dataset, type_of<Value>(), memory, rows_of(dataset, first, rows), H5P_DEFAULT,
                  values),
          "is damaged: a dataset cannot be read");
}

#define SLIPWAVE_HDF5_VALUES(Value)                                                            \
  template void write_array<Value>(hid_t, const std::string&, const Value*, hsize_t, hsize_t); \
  template void write_checked_array<Value>(hid_t, const std::string&, const Value*, hsize_t,   \
                                           hsize_t);                                           \
  template Id create_table<Value>(hid_t, const std::string&, hsize_t, hsize_t);                \
  template void append_rows<Value>(hid_t, const Value*, hsize_t);                              \
  template void read_rows<Value>(hid_t, Value*, hsize_t, hsize_t);
SLIPWAVE_HDF5_VALUES(double)
SLIPWAVE_HDF5_VALUES(float)
SLIPWAVE_HDF5_VALUES(int)
SLIPWAVE_HDF5_VALUES(std::uint8_t)
#undef SLIPWAVE_HDF5_VALUES

}  // namespace slipwave::files::hdf5
