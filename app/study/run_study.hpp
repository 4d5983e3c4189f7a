#pragma once

#include "app/messages/user_error.hpp"

#include <string>

namespace slipwave::app {

/// The command line of `slipwave study`.
struct StudyOptions {
  std::string study_file;
  std::string out;                 ///< empty: results/STUDY
  std::string executor = "local";  ///< "local", "slurm" or "snakemake"
  int jobs = 1;                    ///< runs at once
  int threads = 0;                 ///< of each run; 0: the processor's, divided between the jobs
  bool resume = false;             ///< go on in a folder that has members
  bool collect = false;            ///< run nothing: tables of what is there
  bool wait = false;               ///< with slurm: until the jobs have ended
  bool trust = false;              ///< let Gmsh do all that the mesh file says
};

/// Runs the members of a study that are not finished and writes study.csv, study.json, study.md and
/// figures/*.svg of what they say, and what they cost to cost.csv. step_failed where a member
/// failed or a quantity missed what the study file asks of it. Throws UserError before anything
/// runs.
ExitCode run_study(const StudyOptions& options);

}  // namespace slipwave::app
