#include "app/results/mesh_digest.hpp"

#include "files/sha256.hpp"

#include <cstdint>
#include <vector>

namespace slipwave::app {

namespace {

/// Each array with its length first, so that no two meshes read as the same bytes.
template <class T>
void add_array(files::Sha256& hash, const T* values, std::size_t count) {
  const std::uint64_t length = count;
  hash.update(std::as_bytes(std::span(&length, 1)));
  hash.update(std::as_bytes(std::span(values, count)));
}

template <class T>
void add_groups(files::Sha256& hash, const std::map<std::string, std::vector<T>>& groups) {
  for (const auto& [name, members] : groups) {
    add_array(hash, name.data(), name.size());
    add_array(hash, members.data(), members.size());
  }
}

}  // namespace

std::string mesh_digest(const fem::Mesh& mesh) {
  files::Sha256 hash;
  add_array(hash, mesh.nodes.data(), static_cast<std::size_t>(mesh.nodes.size()));
  add_array(hash, mesh.triangles.data(), static_cast<std::size_t>(mesh.triangles.size()));
  add_array(hash, mesh.node_tags.data(), mesh.node_tags.size());
  hash.update("curves");
  add_groups(hash, mesh.curves);
  hash.update("surfaces");
  add_groups(hash, mesh.surfaces);
  return hash.hex();
}

}  // namespace slipwave::app
