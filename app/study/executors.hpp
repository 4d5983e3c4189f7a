#pragma once

#include "app/study/member_runs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// Writes OUT/commands.sh, one line per member that is not finished, and OUT/submit.sbatch, a job
/// array that runs line by line, at most options.jobs at once, with options.threads cores each.
/// Submits it with sbatch, and waits for its end if asked to. Returns the number of jobs, 0 if
/// nothing is left. Throws UserError if sbatch is missing or refuses.
std::size_t submit_to_slurm(const Study& study, const std::vector<StudyMember>& members,
                            const std::filesystem::path& out, const JobOptions& options, bool wait);

/// Writes OUT/Snakefile: a rule for each member, whose output is its summary.json, and one that
/// collects them. Members that are finished are finished for Snakemake too.
void write_snakefile(const Study& study, const std::string& study_file,
                     const std::vector<StudyMember>& members, const std::filesystem::path& out,
                     const JobOptions& options);

}  // namespace slipwave::app
