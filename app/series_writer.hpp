#pragma once

#include "app/contact_line.hpp"
#include "app/model.hpp"
#include "app/recorder.hpp"
#include "dynamics/integrator.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// A ParaView collection: NAME.pvd listing NAME/NAME_KKKKKKK.ext with their times, rewritten whole
/// after every file so that a running job can be opened.
class Series {
 public:
  Series(std::filesystem::path folder, std::string name, std::string extension);
  /// Where the file of a step goes, relative to the folder and whole.
  std::filesystem::path file_of(int step) const;
  /// Lists the step's file, which must be there.
  void add(int step, double t);

 private:
  std::filesystem::path folder_;
  std::string name_, extension_;
  std::string entries_;  // the lines of the collection so far
};

/// Writes the time series for ParaView: the body as frames/*.vtu and the contact lines as
/// contact/*.vtp, both zlib-compressed XML.
class SeriesWriter : public Recorder {
 public:
  SeriesWriter(const std::filesystem::path& folder, const Body& body, bool frames);

  /// The body and the contacts after a step (or before the first one, state.step = 0).
  /// The integrator must be a SystemIntegrator.
  void write_frame(const dynamics::Integrator& any, const dynamics::State& state) override;

 private:
  void write_body(const dynamics::SystemIntegrator& integrator, const dynamics::State& state);
  void write_contact(const dynamics::SystemIntegrator& integrator, const dynamics::State& state);

  const Body& body_;
  std::optional<Series> frames_;
  std::optional<Series> contact_;
};

/// Version of VTK, such as "9.1.0".
std::string vtk_version();

}  // namespace slipwave::app
