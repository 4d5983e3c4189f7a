#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

namespace slipwave::files::hdf5 {

/// An identifier of the HDF5 library, closed when it goes.
class Id {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws std::runtime_error saying `what` could not be done if the identifier is none.
  Id(hid_t id, Close close, const std::string& what);
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Id() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }  // as the library's functions take it

 private:
  hid_t id_;
  Close close_;
};

/// Throws std::runtime_error saying `what` could not be done if a call failed.
void require(herr_t status, const std::string& what);

/// Version of the library, such as "1.10.8".
std::string version();

/// No messages of the library on stderr while it lives; errors come as exceptions.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

/// The library's type of a C++ type in memory: double, float, int, std::uint8_t.
template <class Value>
hid_t type_of();

/// A new file, in place of one that is there, without the times of day that would make two of the
/// same content differ. The first failure to write is noted in `error`, see write_through().
Id create_file(const std::string& file, int& error);
/// For one writer while others read; the same about `error`.
Id open_file_to_append(const std::string& file, int& error);
/// While another program may be writing. A damaged file is an error within milliseconds.
Id open_file_to_read(const std::string& file);

/// Whether a file is one that no writer has open, nor had when it was killed.
bool is_closed(const std::string& file);

/// A new file in memory, to stand behind 512 bytes of the user's; without the times of day that
/// would make two of the same content differ.
Id create_image();
/// The bytes of a file in memory, without the user's.
std::string bytes_of_image(hid_t file);
/// A file in memory to read, with the user's bytes.
Id open_image(const std::string& bytes);

/// A new group.
Id create_group(hid_t parent, const std::string& name);
/// A group that is there.
Id open_group(hid_t parent, const std::string& name);
/// The names of the groups in a group, in alphabetical order.
std::vector<std::string> groups_of(hid_t parent);
/// Where in its file an object begins: later ones have larger addresses.
haddr_t address_of(hid_t parent, const std::string& name);
/// Bytes of the file that an object is in.
hsize_t size_of_file(hid_t object);
/// A dataset that is there.
Id open_dataset(hid_t parent, const std::string& name);

/// Stores `rows` x `columns` values; columns = 0 for a list.
template <class Value>
void write_array(hid_t parent, const std::string& name, const Value* values, hsize_t rows,
                 hsize_t columns = 0);
/// The same with a checksum, so that damage is found when they are read; rows must not be 0.
template <class Value>
void write_checked_array(hid_t parent, const std::string& name, const Value* values, hsize_t rows,
                         hsize_t columns = 0);
/// Gives an object an attribute.
void write_attribute(hid_t object, const std::string& name, double value);
/// The same with text.
void write_attribute(hid_t object, const std::string& name, const std::string& value);
/// A number that is an attribute.
double read_attribute(hid_t object, const std::string& name);

/// An empty compressed table with checksums to which rows can be added; columns = 0 for a list.
template <class Value>
Id create_table(hid_t parent, const std::string& name, hsize_t columns, hsize_t chunk_rows);
/// Adds rows at the end of a table and hands them to readers.
template <class Value>
void append_rows(hid_t dataset, const Value* values, hsize_t rows);

/// Copies all rows of a table into an empty one of the same columns and chunks, packed as they are.
void copy_table(hid_t from, hid_t to);

/// Rows and columns of a dataset; a list has one column.
std::pair<hsize_t, hsize_t> shape_of(hid_t dataset);
/// How many rows of a table are packed together.
hsize_t chunk_rows_of(hid_t dataset);
/// Some rows of a dataset.
template <class Value>
void read_rows(hid_t dataset, Value* values, hsize_t rows, hsize_t first = 0);

}  // namespace slipwave::files::hdf5
