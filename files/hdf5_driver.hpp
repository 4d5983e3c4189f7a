#pragma once

#include <hdf5.h>

namespace slipwave::files::hdf5 {

/// Lets a file be written so that the library never learns of a write that failed: HDF5 1.10 may
/// crash while it closes such a file. The first failure is kept in `error` as errno has it, 0 while
/// there is none; nothing is written after it, so that on the disk the file stays as if its writer
/// had been killed there. Whoever writes asks `error` before trusting what was written; it must
/// outlive the file. A new file never follows a link that has its name.
/// Throws std::runtime_error where the library has no room for the driver.
void write_through(hid_t access, int& error);

}  // namespace slipwave::files::hdf5
