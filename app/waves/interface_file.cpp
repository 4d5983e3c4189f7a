#include "app/waves/interface_file.hpp"

#include "app/hdf5.hpp"
#include "app/new_file.hpp"
#include "app/output_folder.hpp"
#include "app/user_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

namespace {

/// The unit of a dataset, put together from the labels of a case; empty where they are not given.
std::string unit_of(const std::string& dataset, const std::map<std::string, std::string>& units) {
  const auto label = [&](const char* quantity) {
    const auto found = units.find(quantity);
    return found == units.end() ? std::string() : found->second;
  };
  const std::string length = label("length"), time = label("time");
  if (dataset == "time") return time;
  if (dataset == "pressure" || dataset == "shear") return label("stress");
  if (dataset == "slip_velocity") return time.empty() ? length : fmt::format("{}/{}", length, time);
  if (dataset == "area") return length.empty() ? length : fmt::format("{}^2", length);
  return length;
}

void write_unit(hid_t parent, const std::string& name,
                const std::map<std::string, std::string>& units) {
  hdf5::write_attribute(hdf5::open_dataset(parent, name), "unit", unit_of(name, units));
}

void write_points(hid_t group, const std::string& name, const Eigen::Matrix2Xd& points) {
  // Columns of two, one after the other, are the rows of the transposed.
  hdf5::write_array(group, name, points.data(), static_cast<hsize_t>(points.cols()), 2);
}

void write_layout(hid_t group, const LineHistory& line,
                  const std::map<std::string, std::string>& units) {
  const auto n = static_cast<hsize_t>(line.node_count());
  write_points(group, "place", line.place);
  write_points(group, "tangent", line.tangent);
  hdf5::write_array(group, "x", line.x.data(), n);
  hdf5::write_array(group, "area", line.area.data(), n);
  hdf5::write_array(group, "piece", line.piece.data(), n);
  hdf5::write_array(group, "node", line.node.data(), n);
  for (const char* name : {"place", "x", "area"}) write_unit(group, name, units);
  hdf5::write_attribute(group, "friction", line.friction);
  hdf5::write_attribute(group, "c_p", line.speeds.pressure);
  hdf5::write_attribute(group, "c_s", line.speeds.shear);
  hdf5::write_attribute(group, "c_R", line.speeds.rayleigh);
}

void create_line(hid_t file, const LineHistory& line,
                 const std::map<std::string, std::string>& units, hsize_t chunk) {
  const hdf5::Id group = hdf5::create_group(file, line.name);
  const auto n = static_cast<hsize_t>(line.node_count());
  write_layout(group, line, units);
  hdf5::create_table<std::uint8_t>(group, "status", n, chunk);
  for (const LineField& field : line_fields()) {
    hdf5::create_table<float>(group, field.name, n, chunk);
    write_unit(group, field.name, units);
  }
}

void create_interface_file(const std::filesystem::path& path, const InterfaceHistory& history,
                           const std::map<std::string, std::string>& units, hsize_t chunk) {
  const hdf5::Id file = hdf5::create_file(path.string());
  hdf5::write_attribute(file, "format", "Slipwave interface history, version 1");
  hdf5::create_table<double>(file, "time", 0, chunk);
  hdf5::create_table<int>(file, "step", 0, chunk);
  write_unit(file, "time", units);
  for (const LineHistory& line : history.lines) create_line(file, line, units, chunk);
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
      hdf5::read_rows(lines[k].status, line.status.data(), count, first);
      for (std::size_t f = 0; f < line_fields().size(); ++f)
        hdf5::read_rows(lines[k].fields[f], (line.*line_fields()[f].values).data(), count, first);
    }
  }

  hdf5::Id file, time, step;
  std::vector<Line> lines;
};

InterfaceFile::InterfaceFile(const std::filesystem::path& file, const InterfaceHistory& lines,
                             const std::map<std::string, std::string>& units, int rows_at_once,
                             int kept)
    : file_(file) {
  const hdf5::Quiet quiet;
  NewFile part(file);
  try {
    create_interface_file(part.path(), lines, units, static_cast<hsize_t>(rows_at_once));
    tables_ = std::make_unique<Tables>(hdf5::open_file_to_append(part.path().string()), lines);
  } catch (const std::runtime_error& error) {
    throw OutputError(fmt::format("{}: {}", file.string(), error.what()));
  }
  if (kept > 0) copy_rows(lines, rows_at_once, kept);
  part.commit();
}

InterfaceFile::~InterfaceFile() = default;

void InterfaceFile::sync() const { sync_to_disk(file_); }

/// From the file that still has the name, a block at a time.
void InterfaceFile::copy_rows(InterfaceHistory block, int rows_at_once, int count) {
  try {
    const Tables old(hdf5::open_file_to_read(file_.string()), block);
    if (static_cast<int>(hdf5::shape_of(old.time).first) < count)
      throw std::runtime_error(fmt::format("has fewer than the {} rows of the checkpoint", count));
    for (int first = 0; first < count; first += rows_at_once) {
      const int rows = std::min(rows_at_once, count - first);
      block.resize(rows);
      old.read(block, first, rows);
      append(block, rows);
    }
  } catch (const OutputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UserError(fmt::format("{}: {}: this run cannot be resumed; start it anew with --force",
                                file_.string(), error.what()));
  }
}

/// Time comes last: what a reader counts by it is there in every table.
void InterfaceFile::append(const InterfaceHistory& history, int rows) {
  const hdf5::Quiet quiet;
  const auto count = static_cast<hsize_t>(rows);
  try {
    for (std::size_t k = 0; k < history.lines.size(); ++k) {
      const LineHistory& line = history.lines[k];
      hdf5::append_rows(tables_->lines[k].status, line.status.data(), count);
      for (std::size_t f = 0; f < line_fields().size(); ++f)
        hdf5::append_rows(tables_->lines[k].fields[f], (line.*line_fields()[f].values).data(),
                          count);
    }
    hdf5::append_rows(tables_->step, history.step.data(), count);
    hdf5::append_rows(tables_->time, history.t.data(), count);
  } catch (const std::runtime_error& error) {
    throw OutputError(fmt::format("{}: {} (is the disk full?)", file_.string(), error.what()));
  }
}

namespace {

template <class Vector>
void read_list(hid_t parent, const std::string& name, Vector& values) {
  const hdf5::Id dataset = hdf5::open_dataset(parent, name);
  const auto [rows, columns] = hdf5::shape_of(dataset);
  values.resize(static_cast<Eigen::Index>(rows * columns));
  hdf5::read_rows(dataset, values.data(), rows);
}

void read_points(hid_t parent, const std::string& name, Eigen::Matrix2Xd& points) {
  Eigen::VectorXd values;
  read_list(parent, name, values);
  points = Eigen::Map<Eigen::Matrix2Xd>(values.data(), 2, values.size() / 2);
}

/// The first rows of a table that must have one column per node.
template <class Value>
void read_table(hid_t parent, const std::string& name, SpaceTime<Value>& values) {
  const hdf5::Id dataset = hdf5::open_dataset(parent, name);
  const auto [rows, columns] = hdf5::shape_of(dataset);
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
  return line;
}

InterfaceHistory read_history(const std::string& name) {
  const hdf5::Id file = hdf5::open_file_to_read(name);
  InterfaceHistory history;
  read_list(file, "time", history.t);
  read_list(file, "step", history.step);
  history.step.conservativeResize(std::min(history.step.size(), history.t.size()));
  history.t.conservativeResize(history.step.size());
  for (const std::string& group : hdf5::groups_of(file))
    history.lines.push_back(read_line(file, group, history.t.size()));
  return history;
}

}  // namespace

InterfaceHistory read_interface_history(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    throw UserError(
        fmt::format("{}: there is no such file; runs write it where they have a [[contact]] and "
                    "output.interface_every is not 0",
                    file.string()));
  const hdf5::Quiet quiet;
  try {
    return read_history(file.string());
  } catch (const std::runtime_error& error) {
    const std::string what = error.what();
    throw UserError(what.starts_with(file.string()) ? what
                                                    : fmt::format("{}: {}", file.string(), what));
  }
}

}  // namespace slipwave::app
