#pragma once

#include "app/model/body.hpp"
#include "app/model/contact_line.hpp"
#include "app/results/background_writer.hpp"
#include "app/results/recorder.hpp"
#include "dynamics/integrator.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// The entries of a collection up to a mark, as they are in the file. Throws UserError where they
/// were changed.
std::string entries_to(const std::filesystem::path& collection, const FileMark& mark);

/// A ParaView collection: NAME.pvd listing NAME/NAME_KKKKKKK.ext with their times, rewritten whole
/// after every file so that a running job can be opened.
class Series {
 public:
  Series(std::filesystem::path folder, std::string name, std::string extension);
  /// Goes on with the entries up to a mark; the files of later ones go. Warns of files that are
  /// gone. Throws UserError where the collection was changed.
  void keep(const FileMark& mark);
  /// Where the file of a step goes, which is about to be written.
  std::filesystem::path begin(int step) const;
  /// Lists the step's file, which must be there.
  void add(int step, double t);
  /// Of the entries so far.
  FileMark mark() const;
  /// Returns when every file so far would survive the machine's going out.
  void sync();

 private:
  std::string name_of(int step) const;
  std::string file_in(const std::string& entry) const;
  void write_collection() const;

  std::filesystem::path folder_;
  std::string name_, extension_;
  std::string entries_;                          // the lines of the collection so far
  std::vector<std::filesystem::path> unsynced_;  // files since the last sync()
};

/// Writes the time series for ParaView: the body as frames/*.vtu and the contact lines as
/// contact/*.vtp, both zlib-compressed XML, while the solver goes on.
class SeriesWriter {
 public:
  /// Body and background writer must outlive it.
  SeriesWriter(const std::filesystem::path& folder, const Body& body, BackgroundWriter& writer);
  /// Goes on after the marks of an earlier run into the same folder.
  void keep(const OutputMarks& marks);
  /// Adds those of the collections; no frame may be waiting.
  void mark(OutputMarks& marks) const;
  /// Returns when every frame so far would survive the machine's going out; none may be waiting.
  void sync();

  /// The body and the contacts after a step (or before the first one, state.step = 0).
  void write_frame(const dynamics::SystemIntegrator& integrator, const dynamics::State& state);

 private:
  /// What frames show of a step, copied out of the solver's hands.
  struct Frame {
    int step = 0;
    double t = 0.0;
    Eigen::VectorXd q, v, reaction;
    /// Per contact; of u_T, p and the displacements as the solver has them.
    Eigen::VectorXd gap, p_N, p_T, pressure, shear, u_T, contact_q, contact_v;
    std::vector<int> status;
  };

  Frame copy(const dynamics::SystemIntegrator& integrator, const dynamics::State& state) const;
  void copy_contacts(const dynamics::SystemIntegrator& integrator, const dynamics::State& state,
                     Frame& frame) const;
  void write(const Frame& frame);
  void write_body(const Frame& frame);
  void write_contact(const Frame& frame);

  const Body& body_;
  BackgroundWriter& writer_;
  Series frames_;
  std::optional<Series> contact_;
};

/// Version of VTK, such as "9.1.0".
std::string vtk_version();

}  // namespace slipwave::app
