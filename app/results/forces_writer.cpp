#include "app/results/forces_writer.hpp"

#include "app/results/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace slipwave::app {

namespace {

/// The sums of the contacts' impulses, (N, T) each in its frame and (x, y).
Eigen::Vector4d impulses_of(const ForceLayout::Line& line, const Eigen::VectorXd& p) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (int k = 0; k < line.contact_count; ++k) {
    const Eigen::Vector2d impulse = p.segment<2>(2 * (line.first_contact + k));
    sum.head<2>() += impulse;
    if (line.curved)
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
    if (!line.curved) continue;
    names.push_back(line.name + ".resultant_x");
    names.push_back(line.name + ".resultant_y");
  }
  for (const Group& group : groups) {
    names.push_back(group.name + ".F_x");
    names.push_back(group.name + ".F_y");
    if (dimension == 3) names.push_back(group.name + ".F_z");
  }
  return names;
}

ForceLayout named_layout(const Case& c) {
  ForceLayout layout;
  std::set<std::string> lines, curves, groups;
  for (const ContactEntry& entry : c.contacts)
    layout.lines.push_back({.name = own_cell(entry.on, lines),
                            .curved = std::holds_alternative<contact::Circle>(entry.obstacle)});
  for (const PrescribedEntry& entry : c.prescribed)
    if (curves.insert(entry.on).second)
      layout.groups.push_back({.name = own_cell(entry.on, groups), .on = entry.on});
  return layout;
}

ForceLayout force_layout(const Case& c, const Body& body, const dynamics::System& system) {
  ForceLayout layout = named_layout(c);
  for (std::size_t k = 0; k < layout.lines.size(); ++k) {
    ForceLayout::Line& line = layout.lines[k];
    line.first_contact = body.lines[k].first_contact;
    line.contact_count = static_cast<int>(body.lines[k].line.nodes.size());
    for (int a = 0; line.curved && a < line.contact_count; ++a)
      line.frames.push_back(system.H.own_block(line.first_contact + a));
  }
  for (std::size_t i = 0; i < c.prescribed.size(); ++i) {
    const PrescribedEntry& entry = c.prescribed[i];
    const auto group = std::find_if(layout.groups.begin(), layout.groups.end(),
                                    [&](const auto& g) { return g.on == entry.on; });
    std::vector<int>& dofs = group->dofs.at(static_cast<std::size_t>(entry.component));
    dofs.insert(dofs.end(), system.prescribed[i].dofs.begin(), system.prescribed[i].dofs.end());
  }
  return layout;
}

ForceLayout force_layout(const FewDofsModel& model) {
  ForceLayout layout;
  for (int a = 0; a < model.contact_count(); ++a)
    layout.lines.push_back(
        {.name = fmt::format("contact_{}", a + 1), .first_contact = a, .contact_count = 1});
  return layout;
}

void add_impulses_of_lines(const ForceLayout& layout, const dynamics::Integrator& integrator,
                           Eigen::Ref<Eigen::VectorXd> sums) {
  Eigen::Index at = 0;
  for (const ForceLayout::Line& line : layout.lines) {
    sums.segment<sums_per_line>(at) += impulses_of(line, integrator.contact_impulses());
    at += sums_per_line;
  }
  if (layout.groups.empty()) return;
  const Eigen::VectorXd& reaction =
      dynamic_cast<const dynamics::SystemIntegrator&>(integrator).reaction_impulse();
  for (const ForceLayout::Group& group : layout.groups)
    for (const std::vector<int>& dofs : group.dofs) {
      for (const int dof : dofs) sums[at] += reaction[dof];
      ++at;
    }
}

ForcesWriter::ForcesWriter(const std::filesystem::path& file, ForceLayout layout, int every,
                           const OutputMarks& marks, AddImpulses add_impulses)
    : layout_(std::move(layout)),
      every_(every),
      add_impulses_(std::move(add_impulses)),
      file_(file, fmt::format("{}\n", fmt::join(layout_.columns(), ",")), marks.forces),
      since_row_(marks.step > 0
                     ? marks.impulses
                     : Eigen::VectorXd::Zero(
                           1 + sums_per_line * static_cast<Eigen::Index>(layout_.lines.size()) +
                           layout_.dimension * static_cast<Eigen::Index>(layout_.groups.size()))) {}

void ForcesWriter::write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                              bool is_last) {
  if (state.step == 0) return;
  if (!is_last) {
    since_row_[0] += integrator.h();
    add_impulses_(layout_, integrator, since_row_.tail(since_row_.size() - 1));
  }
  const bool regular = state.step % every_ == 0;
  if (regular != is_last) write_row(state.step, state.time(integrator.h()));
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
    if (line.curved)
      for (const double force : {F[at + 2], F[at + 3]}) put(force);
    at += sums_per_line;
  }
  for (; at < F.size(); ++at) put(F[at]);
  row.push_back('\n');
  file_.add(fmt::to_string(row));
  since_row_.setZero();
}

void ForcesWriter::mark(OutputMarks& marks) const {
  marks.forces = file_.mark();
  marks.impulses = since_row_;
}

}  // namespace slipwave::app
