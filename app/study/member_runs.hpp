#pragma once

#include "app/study/members.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// How far a member's run came.
struct MemberOutcome {
  bool finished = false;
  std::string reason;               ///< why not
  std::optional<double> seconds{};  ///< that it took, if finished without a stop
};

/// The folder of a member's results, below that of the study.
std::filesystem::path member_folder(const std::filesystem::path& out, const StudyMember& member);

/// Whether the results of this very case are there, to its end.
MemberOutcome outcome_of(const std::filesystem::path& out, const StudyMember& member);

/// How many runs at once, and with how many threads each.
struct JobOptions {
  int jobs = 1;
  int threads = 1;
  bool trust = false;  ///< let Gmsh do all that the mesh file says
};

/// The command that runs a member, or goes on with it where it has a checkpoint, as words; the
/// first is the program.
std::vector<std::string> command_of(const Study& study, const StudyMember& member,
                                    const std::filesystem::path& out, const JobOptions& options);

/// Runs the members that are not finished, each in a process of its own that ends with this one,
/// the expensive ones first, and shows progress on stderr. A member that fails leaves
/// members/NAME.log; the others go on. Returns false if it was interrupted.
bool run_members(const Study& study, const std::vector<StudyMember>& members,
                 const std::filesystem::path& out, const JobOptions& options);

}  // namespace slipwave::app
