#include "app/results/interface_file.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/run_folder.hpp"
#include "files/file_error.hpp"
#include "files/hdf5.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <limits>
#include <thread>

namespace slipwave::app {

namespace hdf5 = files::hdf5;

namespace {

/// The unit of a dataset, put together from the labels of a case; empty where they are not given.
std::string unit_of_dataset(const std::string& dataset, const Units& units) {
  const std::string length = unit_of(units, "length");
  if (dataset == "time") return unit_of(units, "time");
  if (dataset == "pressure" || dataset == "shear") return unit_of(units, "stress");
  if (dataset == "slip_velocity") return velocity_unit(units);
  if (dataset == "area") return length.empty() ? length : fmt::format("{}^2", length);
  return length;
}

void write_unit(hid_t parent, const std::string& name, const Units& units) {
  hdf5::write_attribute(hdf5::open_dataset(parent, name), "unit", unit_of_dataset(name, units));
}

void write_points(hid_t group, const std::string& name, const Eigen::Matrix2Xd& points) {
  // Columns of two, one after the other, are the rows of the transposed.
  hdf5::write_checked_array(group, name, points.data(), static_cast<hsize_t>(points.cols()), 2);
}

void write_layout(hid_t group, const LineHistory& line, const Units& units) {
  const auto n = static_cast<hsize_t>(line.node_count());
  write_points(group, "place", line.place);
  write_points(group, "tangent", line.tangent);
  hdf5::write_checked_array(group, "x", line.x.data(), n);
  hdf5::write_checked_array(group, "area", line.area.data(), n);
  hdf5::write_checked_array(group, "piece", line.piece.data(), n);
  hdf5::write_checked_array(group, "node", line.node.data(), n);
  for (const char* name : {"place", "x", "area"}) write_unit(group, name, units);
  hdf5::write_attribute(group, "friction", line.friction);
  hdf5::write_attribute(group, "c_p", line.speeds.pressure);
  hdf5::write_attribute(group, "c_s", line.speeds.shear);
  hdf5::write_attribute(group, "c_R", line.speeds.rayleigh);
}

void create_line(hid_t file, const LineHistory& line, const Units& units, hsize_t chunk) {
  const hdf5::Id group = hdf5::create_group(file, line.name);
  const auto n = static_cast<hsize_t>(line.node_count());
  write_layout(group, line, units);
  hdf5::create_table<std::uint8_t>(group, "status", n, chunk);
  for (const LineField& field : line_fields()) {
    hdf5::create_table<float>(group, field.name, n, chunk);
    write_unit(group, field.name, units);
  }
}

hdf5::Id create_interface_file(const std::filesystem::path& path, const InterfaceHistory& history,
                               const Units& units, hsize_t chunk, int& error) {
  hdf5::Id file = hdf5::create_file(path.string(), error);
  hdf5::write_attribute(file, "format", "Slipwave interface history, version 1");
  hdf5::create_table<double>(file, "time", 0, chunk);
  hdf5::create_table<int>(file, "step", 0, chunk);
  write_unit(file, "time", units);
  for (const LineHistory& line : history.lines) create_line(file, line, units, chunk);
  return file;
}

}  // namespace

/// The file and its tables, open for the whole run.
struct InterfaceFile::Tables {
  struct Line {
    hdf5::Id status;
    std::vector<hdf5::Id> fields;
  };

  Tables(hdf5::Id opened, const InterfaceHistory& history)
      : file(std::move(opened)),
        time(hdf5::open_dataset(file, "time")),
        step(hdf5::open_dataset(file, "step")) {
    for (const LineHistory& line : history.lines) {
      const hdf5::Id group = hdf5::open_group(file, line.name);
      lines.push_back({hdf5::open_dataset(group, "status"), {}});
      for (const LineField& field : line_fields())
        lines.back().fields.push_back(hdf5::open_dataset(group, field.name));
    }
  }

  /// Some rows into a history of the same lines.
  void read(InterfaceHistory& history, int first_row, int row_count) const {
    const auto first = static_cast<hsize_t>(first_row), count = static_cast<hsize_t>(row_count);
    hdf5::read_rows(time, history.t.data(), count, first);
    hdf5::read_rows(step, history.step.data(), count, first);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      LineHistory& line = history.lines[k];
      require_columns(k, line);
      hdf5::read_rows(lines[k].status, line.status.data(), count, first);
      for (std::size_t f = 0; f < line_fields().size(); ++f)
        hdf5::read_rows(lines[k].fields[f], (line.*line_fields()[f].values).data(), count, first);
    }
  }

  /// A file of another run may have other nodes.
  void require_columns(std::size_t k, const LineHistory& line) const {
    const auto fits = [n = static_cast<hsize_t>(line.node_count())](const hdf5::Id& table) {
      return hdf5::shape_of(table).second == n;
    };
    if (!fits(lines[k].status) ||
        !std::all_of(lines[k].fields.begin(), lines[k].fields.end(), fits))
      throw std::runtime_error(
          fmt::format("line {} has not the {} nodes of the case", line.name, line.node_count()));
  }

  /// All rows of tables of the same lines, packed as they are.
  void copy(const Tables& from) const {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      hdf5::copy_table(from.lines[k].status, lines[k].status);
      for (std::size_t f = 0; f < lines[k].fields.size(); ++f)
        hdf5::copy_table(from.lines[k].fields[f], lines[k].fields[f]);
    }
    hdf5::copy_table(from.step, step);
    hdf5::copy_table(from.time, time);
  }

  hdf5::Id file, time, step;
  std::vector<Line> lines;
};

namespace {

InterfaceHistory without_rows(const InterfaceHistory& history) {
  InterfaceHistory layout = history;
  layout.resize(0);
  return layout;
}

}  // namespace

InterfaceFile::InterfaceFile(const std::filesystem::path& file, const InterfaceHistory& lines,
                             const Units& units, int rows_at_once, int kept)
    : file_(file), layout_(without_rows(lines)), units_(units), rows_at_once_(rows_at_once) {
  const hdf5::Quiet quiet;
  files::NewFile part(file);
  create(part.path());
  if (kept > 0) copy_rows(kept);
  part.commit();
}

InterfaceFile::~InterfaceFile() {
  const hdf5::Quiet quiet;
  tables_.reset();
}

void InterfaceFile::sync() const { files::sync_to_disk(file_); }

void InterfaceFile::fail(const std::string& what) const {
  errno = error_;
  if (error_ != 0) files::fail_to_write(file_);
  throw files::OutputError(fmt::format("{}: {}", file_.string(), what));
}

void InterfaceFile::require_written() const {
  if (error_ != 0) fail("");
}

/// Others may read what is not in the library's memory any more: it is closed once before rows
/// come.
void InterfaceFile::create(const std::filesystem::path& part) {
  const auto chunk = static_cast<hsize_t>(rows_at_once_);
  try {
    create_interface_file(part, layout_, units_, chunk, error_);
    require_written();
    tables_ = std::make_unique<Tables>(hdf5::open_file_to_append(part.string(), error_), layout_);
  } catch (const files::OutputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  require_written();
}

/// From the file that still has the name, a block at a time.
void InterfaceFile::copy_rows(int count) {
  InterfaceHistory block = layout_;
  try {
    const Tables old(hdf5::open_file_to_read(file_.string()), block);
    if (static_cast<int>(hdf5::shape_of(old.time).first) < count)
      throw std::runtime_error(fmt::format("has fewer than the {} rows of the checkpoint", count));
    for (int first = 0; first < count; first += rows_at_once_) {
      const int rows = std::min(rows_at_once_, count - first);
      block.resize(rows);
      old.read(block, first, rows);
      append(block, rows);
    }
  } catch (const files::OutputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UserError(fmt::format("{}: {}: this run cannot be resumed; start it anew with --force",
                                file_.string(), error.what()));
  }
}

void InterfaceFile::append(const InterfaceHistory& history, int rows) {
  const hdf5::Quiet quiet;
  require_written();
  try {
    append_to_tables(history, rows);
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  require_written();
}

/// Time comes last: what a reader counts by it is there in every table.
void InterfaceFile::append_to_tables(const InterfaceHistory& history, int rows) {
  const auto count = static_cast<hsize_t>(rows);
  for (std::size_t k = 0; k < history.lines.size(); ++k) {
    const LineHistory& line = history.lines[k];
    hdf5::append_rows(tables_->lines[k].status, line.status.data(), count);
    for (std::size_t f = 0; f < line_fields().size(); ++f)
      hdf5::append_rows(tables_->lines[k].fields[f], (line.*line_fields()[f].values).data(), count);
  }
  hdf5::append_rows(tables_->step, history.step.data(), count);
  hdf5::append_rows(tables_->time, history.t.data(), count);
}

void InterfaceFile::finish() {
  const hdf5::Quiet quiet;
  tables_.reset();
  require_written();
  files::NewFile part(file_);
  try {
    write_compact(part.path());
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  require_written();
  part.sync();
  part.commit();
}

void InterfaceFile::write_compact(const std::filesystem::path& part) {
  const Tables written(hdf5::open_file_to_read(file_.string()), layout_);
  const Tables compact(
      create_interface_file(part, layout_, units_, static_cast<hsize_t>(rows_at_once_), error_),
      layout_);
  compact.copy(written);
}

namespace {

/// Deflate makes nothing smaller than a thousandth: what claims more is damaged, and would be asked
/// of the memory.
std::pair<hsize_t, hsize_t> plausible_shape(hid_t dataset, const std::string& name) {
  constexpr hsize_t most_per_byte = 1100;
  const auto [rows, columns] = hdf5::shape_of(dataset);
  if (rows > 0 && columns > most_per_byte * hdf5::size_of_file(dataset) / rows)
    throw std::runtime_error(
        fmt::format("is damaged: {} claims {} x {} values", name, rows, columns));
  return {rows, columns};
}

template <class Vector>
void read_list(hid_t parent, const std::string& name, Vector& values) {
  const hdf5::Id dataset = hdf5::open_dataset(parent, name);
  const auto [rows, columns] = plausible_shape(dataset, name);
  values.resize(static_cast<Eigen::Index>(rows * columns));
  hdf5::read_rows(dataset, values.data(), rows);
}

void read_points(hid_t parent, const std::string& name, Eigen::Matrix2Xd& points) {
  Eigen::VectorXd values;
  read_list(parent, name, values);
  points = Eigen::Map<Eigen::Matrix2Xd>(values.data(), 2, values.size() / 2);
}

/// Everything of a line by node, and nothing that the tracker of waves could stumble over.
void require_consistent(const LineHistory& line) {
  const Eigen::Index n = line.x.size();
  const bool by_node = n > 0 && line.place.cols() == n && line.tangent.cols() == n &&
                       line.area.size() == n && line.piece.size() == n && line.node.size() == n;
  if (!by_node || !line.x.allFinite() || !line.place.allFinite())
    throw std::runtime_error(fmt::format("is damaged: line {} is not whole", line.name));
  constexpr int most = 3;
  if (line.status.size() > 0 && line.status.cast<int>().maxCoeff() > most)
    throw std::runtime_error(
        fmt::format("is damaged: line {} has a status beyond {}", line.name, most));
}

/// The first rows of a table that must have one column per node.
template <class Value>
void read_table(hid_t parent, const std::string& name, SpaceTime<Value>& values) {
  const hdf5::Id dataset = hdf5::open_dataset(parent, name);
  const auto [rows, columns] = plausible_shape(dataset, name);
  if (static_cast<Eigen::Index>(rows) < values.rows() ||
      static_cast<Eigen::Index>(columns) != values.cols())
    throw std::runtime_error(fmt::format("{} has {} rows of {}, expected {} rows of {}", name, rows,
                                         columns, values.rows(), values.cols()));
  hdf5::read_rows(dataset, values.data(), static_cast<hsize_t>(values.rows()));
}

LineHistory read_line(hid_t file, const std::string& name, Eigen::Index rows) {
  const hdf5::Id group = hdf5::open_group(file, name);
  LineHistory line;
  line.name = name;
  read_list(group, "x", line.x);
  read_points(group, "place", line.place);
  read_points(group, "tangent", line.tangent);
  read_list(group, "area", line.area);
  read_list(group, "piece", line.piece);
  read_list(group, "node", line.node);
  line.friction = hdf5::read_attribute(group, "friction");
  line.speeds = {hdf5::read_attribute(group, "c_p"), hdf5::read_attribute(group, "c_s"),
                 hdf5::read_attribute(group, "c_R")};
  line.resize(rows);
  read_table(group, "status", line.status);
  for (const LineField& field : line_fields()) read_table(group, field.name, line.*field.values);
  require_consistent(line);
  return line;
}

bool increases(const Eigen::VectorXd& t) {
  return t.allFinite() && std::is_sorted(t.begin(), t.end(), std::less_equal<>());
}

InterfaceHistory read_history(const std::string& name) {
  const hdf5::Id file = hdf5::open_file_to_read(name);
  InterfaceHistory history;
  read_list(file, "time", history.t);
  read_list(file, "step", history.step);
  history.step.conservativeResize(std::min(history.step.size(), history.t.size()));
  history.t.conservativeResize(history.step.size());
  if (!increases(history.t)) throw std::runtime_error("is damaged: its times do not increase");
  for (const std::string& group : hdf5::groups_of(file))
    history.lines.push_back(read_line(file, group, history.t.size()));
  return history;
}

/// Changes when a run writes.
std::pair<std::filesystem::file_time_type, std::uintmax_t> trace_of(
    const std::filesystem::path& file) {
  std::error_code gone;
  return {std::filesystem::last_write_time(file, gone), std::filesystem::file_size(file, gone)};
}

/// Reads anew where a run was writing at what is read, a few times; what nobody writes at is
/// damaged.
template <class Read>
auto read_between_writes(const std::filesystem::path& file, const Read& read) {
  const hdf5::Quiet quiet;
  for (int left = 10;; --left) {
    const auto before = trace_of(file);
    try {
      return read(file.string());
    } catch (const std::runtime_error& error) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (left > 0 && trace_of(file) != before) continue;
      const std::string what = error.what();
      throw UserError(what.starts_with(file.string()) ? what
                                                      : fmt::format("{}: {}", file.string(), what));
    }
  }
}

/// The lines without rows, in the order in which they were made, and how many rows there are at
/// how many at once.
struct WrittenFile {
  InterfaceHistory lines;
  int rows = 0, rows_at_once = 1;
};

WrittenFile look_into(const std::string& name) {
  const hdf5::Id file = hdf5::open_file_to_read(name);
  std::map<hsize_t, std::string> groups;
  for (const std::string& group : hdf5::groups_of(file))
    groups[hdf5::address_of(file, group)] = group;
  WrittenFile written;
  for (const auto& [address, group] : groups)
    written.lines.lines.push_back(read_line(file, group, 0));
  const hdf5::Id time = hdf5::open_dataset(file, "time");
  written.rows = static_cast<int>(plausible_shape(time, "time").first);
  written.rows_at_once = static_cast<int>(hdf5::chunk_rows_of(time));
  return written;
}

}  // namespace

InterfaceHistory read_interface_history(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    throw UserError(
        fmt::format("{}: there is no such file; runs write it where they have a [[contact]] and "
                    "output.interface_every is not 0",
                    file.string()));
  return read_between_writes(file, read_history);
}

void finish_interface_file(const std::filesystem::path& file, const Units& units) {
  if (!std::filesystem::exists(file) || hdf5::is_closed(file.string())) return;
  const WrittenFile written = read_between_writes(file, look_into);
  InterfaceFile(file, written.lines, units, written.rows_at_once, written.rows).finish();
}

}  // namespace slipwave::app
