#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace slipwave::contact {

/// Runs work that reads a file in a child process and returns its bytes: HDF5 1.10 does not survive
/// every damaged file, and what ends it there is a message here. Throws FclibError with the words
/// that the work threw, and where the child crashed or used more than 10 s and 10 s per MiB of the
/// file of computing, or more than 256 MiB and 64 bytes per byte of memory. Costs a few
/// milliseconds. Throws std::system_error where the system has no process to give.
std::string bytes_from_child(const std::filesystem::path& file,
                             const std::function<std::string()>& work);

}  // namespace slipwave::contact
