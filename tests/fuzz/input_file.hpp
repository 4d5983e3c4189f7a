#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace slipwave::fuzz {

/// An input as a file in memory, for readers that open one; removed with this object.
class InputFile {
 public:
  InputFile(const std::string& bytes, const std::string& ending)
      : path_("/dev/shm/slipwave_fuzz_" + std::to_string(getpid()) + ending) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~InputFile() { std::filesystem::remove(path_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace slipwave::fuzz
