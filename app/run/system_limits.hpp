#pragma once

#include <string>

namespace slipwave::app {

/// Throws UserError where fewer files may be open at once (`ulimit -n`) than a run needs. Raises
/// the soft limit where that is too low and the hard one is not.
void require_descriptors();

/// Throws UserError where a process that has yet to take so many bytes would meet the limit of its
/// address space (`ulimit -v`), which batch systems set: the libraries of linear algebra do not all
/// come back from there.
void require_address_space(double bytes);

/// What to say where a run of so many bytes at its peak is more than this machine, or the control
/// group of this process, has; empty where it fits or nothing is known.
std::string memory_warning(double bytes);

/// What to say of memory that was refused.
std::string out_of_memory_text();

}  // namespace slipwave::app
