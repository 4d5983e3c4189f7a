#include "app/forces_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace slipwave::app {

namespace {

constexpr Eigen::Index per_line = 4, per_group = 2;

/// The name without what separates the cells and lines of a table, and unlike those before it.
std::string column_name(std::string name, std::set<std::string>& taken) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return c == ',' || c == '"' || c < 0x20 || c == 0x7f; }, '_');
  std::string own = name;
  for (int number = 2; !taken.insert(own).second; ++number)
    own = fmt::format("{}_{}", name, number);
  return own;
}

ForceLayout::Line line_of(const ContactLine& line, const contact::Obstacle& obstacle,
                          const dynamics::System& system, std::string name) {
  ForceLayout::Line result{std::move(name), line.first_contact,
                           static_cast<int>(line.line.nodes.size())};
  if (std::holds_alternative<contact::Circle>(obstacle))
    for (int k = 0; k < result.contact_count; ++k)
      result.frames.push_back(
          system.contacts[static_cast<std::size_t>(line.first_contact + k)].frame);
  return result;
}

/// The sums of the contacts' impulses, (N, T) each in its frame and (x, y).
Eigen::Vector4d impulses_of(const ForceLayout::Line& line, const Eigen::VectorXd& p) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (int k = 0; k < line.contact_count; ++k) {
    const Eigen::Vector2d impulse = p.segment<2>(2 * (line.first_contact + k));
    sum.head<2>() += impulse;
    if (!line.frames.empty())
      sum.tail<2>() += line.frames[static_cast<std::size_t>(k)].transpose() * impulse;
  }
  return sum;
}

}  // namespace

std::vector<std::string> ForceLayout::columns() const {
  std::vector<std::string> names{"step", "t"};
  for (const Line& line : lines) {
    for (const char* what : {"F_N", "F_T", "apparent_friction"})
      names.push_back(line.name + "." + what);
    if (line.frames.empty()) continue;
    names.push_back(line.name + ".resultant_x");
    names.push_back(line.name + ".resultant_y");
  }
  for (const Group& group : groups) {
    names.push_back(group.name + ".F_x");
    names.push_back(group.name + ".F_y");
  }
  return names;
}

ForceLayout force_layout(const Case& c, const Body& body, const dynamics::System& system) {
  ForceLayout layout;
  std::set<std::string> line_names, group_names;
  for (std::size_t k = 0; k < body.lines.size(); ++k)
    layout.lines.push_back(line_of(body.lines[k], c.contacts[k].obstacle, system,
                                   column_name(body.lines[k].group, line_names)));
  std::vector<std::string> curves;  // of the groups, as the mesh calls them
  for (std::size_t i = 0; i < c.prescribed.size(); ++i) {
    const PrescribedEntry& entry = c.prescribed[i];
    const auto place = std::find(curves.begin(), curves.end(), entry.on) - curves.begin();
    if (place == std::ssize(curves)) {
      curves.push_back(entry.on);
      layout.groups.push_back({column_name(entry.on, group_names)});
    }
    std::vector<int>& dofs = layout.groups[static_cast<std::size_t>(place)]
                                 .dofs[static_cast<std::size_t>(entry.component)];
    const std::vector<int>& more = system.prescribed[i].dofs;
    dofs.insert(dofs.end(), more.begin(), more.end());
  }
  return layout;
}

ForceLayout force_layout(const FiniteModel& model) {
  ForceLayout layout;
  for (int a = 0; a < model.contact_count(); ++a)
    layout.lines.push_back({fmt::format("contact_{}", a + 1), a, 1});
  return layout;
}

ForcesWriter::ForcesWriter(const std::filesystem::path& file, ForceLayout layout, int every,
                           const OutputMarks& marks)
    : layout_(std::move(layout)),
      every_(every),
      file_(marks.step > 0
                ? AppendedFile(file, marks.forces_bytes)
                : AppendedFile(file, fmt::format("{}\n", fmt::join(layout_.columns(), ",")))),
      since_row_(marks.step > 0
                     ? marks.impulses
                     : Eigen::VectorXd::Zero(
                           1 + per_line * static_cast<Eigen::Index>(layout_.lines.size()) +
                           per_group * static_cast<Eigen::Index>(layout_.groups.size()))) {}

void ForcesWriter::write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                              bool is_last) {
  if (state.step == 0) return;
  if (!is_last) add_impulses(integrator);
  const bool regular = state.step % every_ == 0;
  if (regular != is_last) write_row(state.step, state.time(integrator.h()));
}

void ForcesWriter::add_impulses(const dynamics::Integrator& integrator) {
  since_row_[0] += integrator.h();
  Eigen::Index at = 1;
  for (const ForceLayout::Line& line : layout_.lines) {
    since_row_.segment<per_line>(at) += impulses_of(line, integrator.contact().solution().p);
    at += per_line;
  }
  if (layout_.groups.empty()) return;
  const Eigen::VectorXd& reaction =
      dynamic_cast<const dynamics::SystemIntegrator&>(integrator).reaction_impulse();
  for (const ForceLayout::Group& group : layout_.groups)
    for (const std::vector<int>& dofs : group.dofs) {
      for (const int dof : dofs) since_row_[at] += reaction[dof];
      ++at;
    }
}

void ForcesWriter::write_row(int step, double t) {
  const Eigen::VectorXd F = since_row_ / since_row_[0];
  fmt::memory_buffer row;
  const auto put = [&](double force) { fmt::format_to(std::back_inserter(row), ",{}", force); };
  fmt::format_to(std::back_inserter(row), "{},{}", step, t);
  Eigen::Index at = 1;
  for (const ForceLayout::Line& line : layout_.lines) {
    put(F[at]);
    put(F[at + 1]);
    if (F[at] > 0.0)
      put(std::abs(F[at + 1]) / F[at]);
    else
      row.push_back(',');
    if (!line.frames.empty())
      for (const double force : {F[at + 2], F[at + 3]}) put(force);
    at += per_line;
  }
  for (; at < F.size(); ++at) put(F[at]);
  row.push_back('\n');
  file_.add(fmt::to_string(row));
  since_row_.setZero();
}

void ForcesWriter::mark(OutputMarks& marks) const {
  marks.forces_bytes = file_.length();
  marks.impulses = since_row_;
}

}  // namespace slipwave::app
