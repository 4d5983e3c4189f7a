#pragma once

#include <filesystem>
#include <set>
#include <string>

struct seccomp_notif;

namespace slipwave::fem {

/// Whether this system can confine a process: Linux has Landlock since 5.13, seccomp's
/// notifications since 5.5, and an administrator may have left either out.
bool can_confine();

/// Confines the calling process for good. It may read the folder of `file`, `file` itself and the
/// system's libraries. It may not write, not even there, start a program or a process, open a
/// socket, send a signal to others, or change its limits; threads are free. Returns a descriptor
/// for the Watcher of another process, which must answer: every opening of a file waits for it.
/// Throws std::system_error where the system refuses.
int confine(const std::filesystem::path& file);

/// Something that a confined process may not do.
struct Deed {
  enum class Kind { none, program, writing, reading, network };
  Kind kind = Kind::none;
  std::string path;  ///< of what it would write or read
};

/// Answers a confined process, and notes what it reads. Before it opens `file` what it may not do
/// fails quietly: libraries look for their own files when they start. After that the first such
/// deed is noted. Names that end with .opt do not exist for it: Gmsh obeys such a file beside
/// whatever it reads.
class Watcher {
 public:
  Watcher(int listener, const std::filesystem::path& file);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  int listener() const { return listener_; }
  /// Answers one question, which must be there: poll the listener.
  void answer();
  const Deed& forbidden() const { return forbidden_; }
  /// The files of the folder of `file` that were opened, without `file`.
  const std::set<std::filesystem::path>& opened() const { return opened_; }

 private:
  int error_for(const seccomp_notif& request);
  int error_for_opening(const std::string& name, bool writes);
  int refuse(Deed::Kind kind, const std::string& path);

  int listener_;
  std::filesystem::path file_, folder_;
  bool has_opened_file_ = false;
  Deed forbidden_;
  std::set<std::filesystem::path> opened_;
};

}  // namespace slipwave::fem
