#include "app/results/provenance.hpp"

#include "app/results/mesh_digest.hpp"
#include "files/sha256.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>

namespace slipwave::app {

Provenance::Provenance(const std::filesystem::path& case_file, const std::string& resolved_case) {
  if (std::filesystem::is_regular_file(case_file))
    sha256_.emplace_back("case_file", files::sha256_of_file(case_file));
  sha256_.emplace_back("resolved_case", files::sha256_of_text(resolved_case));
}

void Provenance::add_mesh(const std::filesystem::path& file, const fem::Mesh& mesh) {
  sha256_.emplace_back("mesh_file", files::sha256_of_file(file));
  for (const std::string& other : mesh.included)
    included_.emplace_back(other, files::sha256_of_file(other));
  mesh_ = mesh_digest(mesh);
  sha256_.emplace_back("mesh", mesh_);
}

void Provenance::add_shape_files(const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files) {
    included_.emplace_back(file.string(), files::sha256_of_file(file));
    mesh_ += (mesh_.empty() ? "" : " ") + included_.back().second;
  }
}

std::string Provenance::started_text() const {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(started_)));
}

double Provenance::seconds_since_start() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_).count();
}

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string operating_system() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

}  // namespace slipwave::app
