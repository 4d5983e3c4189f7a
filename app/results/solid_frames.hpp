#pragma once

#include "app/model/solids_model.hpp"
#include "app/results/frames.hpp"
#include "app/results/recorder.hpp"
#include "app/results/solid_surfaces.hpp"
#include "dynamics/solids/solids_integrator.hpp"

#include <filesystem>
#include <vector>

namespace slipwave::app {

/// The time series of rigid bodies for ParaView: all bodies in one frames/*.vtp, the contacts of
/// the step in one contact/*.vtp.
class SolidFrames {
 public:
  /// Makes the collections, or goes on with those of the run whose checkpoint has these marks. The
  /// model must outlive it.
  SolidFrames(const std::filesystem::path& folder, const SolidsModel& model,
              const OutputMarks& marks);

  void write(const dynamics::SolidsIntegrator& integrator, const dynamics::State& state);
  /// Adds those of the collections.
  void mark(OutputMarks& marks) const;
  /// Returns when every frame so far would survive the machine's going out.
  void sync();

 private:
  void write_bodies(const dynamics::State& state, double h);
  void write_contacts(const dynamics::SolidsIntegrator& integrator, const dynamics::State& state);

  const SolidsModel& model_;
  std::vector<Surface> surfaces_;  // per body
  Series frames_, contact_;
};

}  // namespace slipwave::app
