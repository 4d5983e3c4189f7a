#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace slipwave::contact::tests {

/// A file that is no problem any more: one of ours with one thing wrong.
struct Mutation {
  std::string name;
  std::function<void(const std::filesystem::path&)> write;
};

/// More than a hundred of them: local, global, in both forms.
std::vector<Mutation> mutations();

/// Good files in the same three ways, the same for the same seed.
void write_local(const std::filesystem::path& file);
/// The same in global form, in 3D.
void write_global(const std::filesystem::path& file);
/// The same in both forms, in 3D.
void write_both(const std::filesystem::path& file);

}  // namespace slipwave::contact::tests
