#pragma once

#include "app/model/body.hpp"
#include "app/model/few_dofs_model.hpp"
#include "app/results/appended_file.hpp"
#include "app/results/recorder.hpp"
#include "dynamics/integrator.hpp"

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace slipwave::app {

/// What the forces of a run are summed over, by the names of forces.csv; of a body also which
/// contacts and dofs these are.
struct ForceLayout {
  /// Neighbouring contacts of the system, or whatever else has F_N and F_T.
  struct Line {
    std::string name;
    int first_contact = 0, contact_count = 0;
    bool curved = false;                       ///< whether the contacts' frames differ
    std::vector<Eigen::Matrix2d> frames = {};  ///< of the contacts of a curved line
  };
  /// Dofs with a prescribed motion, along x and along y; each dof is in one group. Or whatever else
  /// has a force in the frame of space.
  struct Group {
    std::string name;
    std::string on;  ///< as the mesh calls it
    std::array<std::vector<int>, 2> dofs = {};
  };
  std::vector<Line> lines;
  std::vector<Group> groups;
  int dimension = 2;  ///< components of the groups' forces

  bool empty() const { return lines.empty() && groups.empty(); }
  /// The columns of forces.csv: step, t, NAME.F_N, NAME.F_T, NAME.apparent_friction per line, also
  /// NAME.resultant_x, NAME.resultant_y where its frames differ, and NAME.F_x, NAME.F_y (and
  /// NAME.F_z) per group.
  std::vector<std::string> columns() const;
};

/// Of a body: a line per [[contact]], a group per name in [[prescribed]]. A dof in two groups
/// counts in the first, whose motion it follows.
ForceLayout force_layout(const Case& c, const Body& body, const dynamics::System& system);
/// Of a few degrees of freedom: contact_1, contact_2, ...
ForceLayout force_layout(const FewDofsModel& model);
/// The lines and groups of a body by name, without their contacts and dofs.
ForceLayout named_layout(const Case& c);

/// Adds the impulses of the last step to sums: N, T, x, y per line and a layout's dimension of
/// numbers per group.
using AddImpulses =
    std::function<void(const ForceLayout& layout, const dynamics::Integrator& integrator,
                       Eigen::Ref<Eigen::VectorXd> sums)>;
/// The contacts and dofs of the layout.
void add_impulses_of_lines(const ForceLayout& layout, const dynamics::Integrator& integrator,
                           Eigen::Ref<Eigen::VectorXd> sums);
/// How many sums these are for each line.
inline constexpr Eigen::Index sums_per_line = 4;

/// forces.csv: the forces on the body in the units of the case, for its whole thickness. A row is
/// the mean over the time since the row before it, impulses divided by that time:
///     F_N = Σ_a p_{N,a} / Δt,   F_T = Σ_a p_{T,a} / Δt   over the contacts a of a line,
/// each in its own frame, and |F_T| / F_N, which no contact law lets exceed μ; empty where F_N = 0.
class ForcesWriter {
 public:
  /// Makes the file, or goes on with that of the run whose checkpoint has these marks. A row is
  /// written every so many steps.
  ForcesWriter(const std::filesystem::path& file, ForceLayout layout, int every,
               const OutputMarks& marks, AddImpulses add_impulses = add_impulses_of_lines);

  /// After every step: takes its impulses in. Again with is_last where the run ends: writes the
  /// row that was not due.
  void write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                  bool is_last);
  void mark(OutputMarks& marks) const;
  AppendedFile& file() { return file_; }

 private:
  void write_row(int step, double t);

  ForceLayout layout_;
  int every_;
  AddImpulses add_impulses_;
  AppendedFile file_;
  Eigen::VectorXd since_row_;  // Δt, then the sums
};

}  // namespace slipwave::app
