#pragma once

#include "fem/mesh.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace slipwave::app {

/// What a run was made from, and when it began: for summary.json.
class Provenance {
 public:
  /// The run begins now. A case file that cannot be read twice, a pipe, is left out.
  Provenance(const std::filesystem::path& case_file, const std::string& resolved_case);
  /// The file and what was read from it, which for a .geo depends on Gmsh too.
  void add_mesh(const std::filesystem::path& file, const fem::Mesh& mesh);

  /// The files that shapes of rigid bodies are of.
  void add_shape_files(const std::vector<std::filesystem::path>& files);

  /// Names and SHA-256 of the inputs.
  const std::vector<std::pair<std::string, std::string>>& sha256() const { return sha256_; }
  /// Paths and SHA-256 of the files that the mesh file included, or that shapes are of.
  const std::vector<std::pair<std::string, std::string>>& included() const { return included_; }
  /// SHA-256 of the mesh as it was read, or of those of the shapes' files; empty without.
  const std::string& mesh() const { return mesh_; }
  /// "2026-03-01T09:30:00Z".
  std::string started_text() const;
  double seconds_since_start() const;

 private:
  std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
  std::chrono::steady_clock::time_point clock_ = std::chrono::steady_clock::now();
  std::vector<std::pair<std::string, std::string>> sha256_, included_;
  std::string mesh_;
};

/// The processor's name, or "unknown" where /proc/cpuinfo has none.
std::string cpu_model();

/// Name, release and architecture of the operating system, such as "Linux 6.1.0-18-amd64 x86_64".
std::string operating_system();

}  // namespace slipwave::app
