#include "app/results/interface_writer.hpp"

#include "app/results/contact_sample.hpp"
#include "app/results/file_list.hpp"
#include "fem/boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace slipwave::app {

namespace {

/// The direction of a straight line of points, its larger component positive; zero if not straight.
Eigen::Vector2d direction_of(const Eigen::Matrix2Xd& place) {
  const Eigen::Vector2d whole = place.rightCols<1>() - place.leftCols<1>();
  const double length = whole.norm();
  if (!(length > 0.0)) return Eigen::Vector2d::UnitX();
  const Eigen::Vector2d e = whole / length, normal(-e[1], e[0]);
  const Eigen::Matrix2Xd from_first = place.colwise() - Eigen::Vector2d(place.leftCols<1>());
  if ((normal.transpose() * from_first).cwiseAbs().maxCoeff() > 1e-9 * length)
    return Eigen::Vector2d::Zero();
  return (std::abs(e[0]) >= std::abs(e[1]) ? e[0] : e[1]) > 0.0 ? e : Eigen::Vector2d(-e);
}

Eigen::VectorXd arc_length(const Eigen::Matrix2Xd& place, const Eigen::VectorXi& piece) {
  Eigen::VectorXd s = Eigen::VectorXd::Zero(place.cols());
  for (Eigen::Index i = 1; i < place.cols(); ++i)
    s[i] = s[i - 1] + (piece[i] == piece[i - 1] ? (place.col(i) - place.col(i - 1)).norm() : 0.0);
  return s;
}

/// The contacts of a line so that x does not fall: as one walks along it, or by the coordinate.
std::vector<int> sorted_contacts(const ContactLine& line, const fem::Mesh& mesh) {
  std::vector<int> order(line.line.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  Eigen::Matrix2Xd place(2, static_cast<Eigen::Index>(order.size()));
  for (std::size_t i = 0; i < order.size(); ++i)
    place.col(static_cast<Eigen::Index>(i)) = mesh.nodes.col(line.line.nodes[i]);
  const Eigen::RowVectorXd x = direction_of(place).transpose() * place;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x[a] < x[b]; });
  return order;
}

ReferenceSpeeds speeds_at(const Body& body, const std::string& curve) {
  const int triangle = fem::boundary_edges(body.mesh, curve).front().triangle;
  const fem::WaveSpeeds speeds = fem::wave_speeds(body.materials.at(triangle));
  return {speeds.pressure, speeds.shear, speeds.rayleigh};
}

/// All of a line that does not change, its nodes in the given order.
LineHistory layout_of(const Body& body, const ContactLine& line, const std::vector<int>& order,
                      const dynamics::System& system) {
  const auto n = static_cast<Eigen::Index>(order.size());
  LineHistory layout;
  layout.place.resize(2, n);
  layout.tangent.resize(2, n);
  layout.area.resize(n);
  layout.piece.resize(n);
  layout.node.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const int from = order[static_cast<std::size_t>(k)];
    const auto i = static_cast<std::size_t>(from);
    const int node = line.line.nodes[i];
    layout.place.col(k) = body.mesh.nodes.col(node);
    layout.tangent.col(k) = system.H.own_block(line.first_contact + from).row(1).transpose();
    layout.area[k] = line.area[i];
    layout.piece[k] = line.line.piece[i];
    layout.node[k] = static_cast<int>(body.mesh.node_tags[static_cast<std::size_t>(node)]);
  }
  const Eigen::Vector2d e = direction_of(layout.place);
  layout.x = e.isZero() ? arc_length(layout.place, layout.piece)
                        : Eigen::VectorXd(layout.place.transpose() * e);
  layout.friction =
      largest_friction(system.contacts[static_cast<std::size_t>(line.first_contact)].law.friction);
  layout.speeds = speeds_at(body, line.group);
  return layout;
}

/// The curve's name; a curve with two obstacles appears twice, and a slash would be a subgroup.
std::string group_name(std::string curve, const std::set<std::string>& taken) {
  std::replace(curve.begin(), curve.end(), '/', '_');
  if (!taken.contains(curve)) return curve;
  int number = 2;
  while (taken.contains(fmt::format("{}_{}", curve, number))) ++number;
  return fmt::format("{}_{}", curve, number);
}

/// Chunks of up to 256 steps and a megabyte of each field.
int rows_in_chunk(const InterfaceHistory& history) {
  int nodes = 1;
  for (const LineHistory& line : history.lines) nodes = std::max(nodes, line.node_count());
  return std::clamp(262144 / nodes, 1, 256);
}

}  // namespace

InterfaceWriter::InterfaceWriter(const std::filesystem::path& folder, const Case& c,
                                 const Body& body, const dynamics::System& system,
                                 const dynamics::State& initial, int resumed_at,
                                 BackgroundWriter& writer)
    : writer_(writer), block_(std::make_shared<InterfaceHistory>()) {
  std::set<std::string> names{"time", "step"};
  for (const ContactLine& line : body.lines) {
    const std::vector<int> order = sorted_contacts(line, body.mesh);
    LineHistory layout = layout_of(body, line, order, system);
    layout.name = group_name(line.group, names);
    names.insert(layout.name);
    Columns columns{order, Eigen::VectorXd(layout.node_count())};
    for (int k = 0; k < layout.node_count(); ++k) {
      int& contact = columns.contact[static_cast<std::size_t>(k)] += line.first_contact;
      columns.initial_slip[k] = system.H.row_times(contact, 1, initial.q);
    }
    columns_.push_back(std::move(columns));
    block_->lines.push_back(std::move(layout));
  }
  rows_at_once_ = rows_in_chunk(*block_);
  block_->resize(rows_at_once_);
  list_file(folder, "interface.h5");
  file_ = std::make_shared<InterfaceFile>(folder / "interface.h5", *block_, c.units, rows_at_once_,
                                          resumed_at / c.interface_every);
}

void InterfaceWriter::write_step(const dynamics::SystemIntegrator& integrator,
                                 const dynamics::State& state) {
  block_->t[rows_] = state.time(integrator.h());
  block_->step[rows_] = state.step;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    write_line(integrator, state, columns_[k], block_->lines[k]);
  if (++rows_ == rows_at_once_) flush();
}

void InterfaceWriter::write_line(const dynamics::SystemIntegrator& integrator,
                                 const dynamics::State& state, const Columns& columns,
                                 LineHistory& line) const {
  const contact::Jacobian& H = integrator.system().H;
  for (int k = 0; k < line.node_count(); ++k) {
    const int a = columns.contact[static_cast<std::size_t>(k)];
    const ContactSample contact = sample_contact(integrator, state, a, line.area[k]);
    const auto store = [&](SpaceTime<float>& field, double value) {
      field(rows_, k) = static_cast<float>(value);
    };
    line.status(rows_, k) = static_cast<std::uint8_t>(contact.status);
    store(line.pressure, contact.pressure);
    store(line.shear, contact.shear);
    store(line.slip_velocity, contact.u_T);
    store(line.slip, H.row_times(a, 1, state.q) - columns.initial_slip[k]);
    store(line.gap, contact.gap);
  }
}

void InterfaceWriter::flush() {
  if (rows_ == 0) return;
  const auto sent = std::make_shared<InterfaceHistory>(*block_);
  writer_.post([file = file_, sent, rows = rows_] { file->append(*sent, rows); });
  rows_ = 0;
}

}  // namespace slipwave::app
