#pragma once

#include "app/study/member_runs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// Writes OUT/submit.sbatch, a job array of the members that are not finished, at most options.jobs
/// at once, with options.threads cores each. Submits it with sbatch, and waits for its end if asked
/// to. Returns the number of jobs, 0 if nothing is left. Throws UserError if sbatch is missing or
/// refuses, or if an earlier array of this folder is still in the queue.
std::size_t submit_to_slurm(const Study& study, const std::vector<StudyMember>& members,
                            const std::filesystem::path& out, const JobOptions& options, bool wait);

/// Writes OUT/Snakefile: a rule for each member that is not finished, whose output is its
/// summary.json, and one that collects all. Snakemake never repeats a finished member: it has no
/// rule. Where a member fails, the tables of the others are written all the same.
void write_snakefile(const Study& study, const std::string& study_file,
                     const std::vector<StudyMember>& members, const std::filesystem::path& out,
                     const JobOptions& options);

}  // namespace slipwave::app
