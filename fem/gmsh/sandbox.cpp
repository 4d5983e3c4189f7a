#include "fem/gmsh/sandbox.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <system_error>
#include <vector>

namespace slipwave::fem {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// The system as far as Gmsh, its libraries and the C library read it.
const std::initializer_list<const char*> system_places{
    "/usr",       "/lib",          "/lib64",        "/etc/ld.so.cache", "/etc/localtime",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",       "/sys/devices/system",
    "/dev/null",  "/dev/urandom"};
/// Where programs look in vain without harm.
const std::initializer_list<const char*> quiet_places{"/proc", "/sys", "/dev", "/etc/passwd",
                                                      "/etc/nsswitch.conf"};

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t truncating = 1ULL << 14;  // LANDLOCK_ACCESS_FS_TRUNCATE, Linux 6.2

int landlock_version() {
  return static_cast<int>(
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

/// Every right to files that this kernel's Landlock knows of, so that it takes away each.
std::uint64_t all_rights() {
  const int version = landlock_version();
  std::uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= truncating;
  return rights;
}

/// Gives back the right to a place. What is not there needs none.
void allow(int rules, const fs::path& place, std::uint64_t rights) {
  const int descriptor = open(place.c_str(), O_PATH | O_CLOEXEC);
  if (descriptor < 0) return;
  if (!fs::is_directory(place)) rights &= ~std::uint64_t{LANDLOCK_ACCESS_FS_READ_DIR};
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights;
  rule.parent_fd = descriptor;
  const auto added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  const int error = errno;
  close(descriptor);
  if (added != 0) fail(error, "Landlock refuses a rule");
}

void confine_files(const fs::path& file) {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = all_rights();
  const int rules = static_cast<int>(
      syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0));
  if (rules < 0) fail(errno, "Landlock is missing");
  for (const char* place : system_places) allow(rules, place, reading);
  allow(rules, "/dev/null", reading | LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow(rules, fs::absolute(file).parent_path(), reading);
  allow(rules, file, reading);  // it may be a link to elsewhere
  const auto confined = syscall(SYS_landlock_restrict_self, rules, 0);
  const int error = errno;
  close(rules);
  if (confined != 0) fail(error, "Landlock refuses to confine");
}

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

void add(const Filter& filter, std::uint32_t action, std::initializer_list<int> calls) {
  for (const int call : calls)
    if (const int error = seccomp_rule_add(filter.get(), action, call, 0); error != 0)
      fail(-error, "seccomp refuses a rule");
}

/// The condition: which argument, how compared, with what; with a mask, the mask and what is left.
void add_if(const Filter& filter, std::uint32_t action, int call, scmp_arg_cmp condition) {
  if (const int error = seccomp_rule_add(filter.get(), action, call, 1, condition); error != 0)
    fail(-error, "seccomp refuses a rule");
}

/// What reaches beyond this process and is no opening of a file. A list of what is forbidden, not
/// of what is allowed: the calls that a C library or a sanitizer makes change from year to year,
/// and files are Landlock's.
void forbid_calls(const Filter& filter) {
  const std::uint32_t never = SCMP_ACT_ERRNO(EPERM);
  add(filter, never,
      {SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
       SCMP_SYS(process_madvise), SCMP_SYS(kcmp), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd),
       SCMP_SYS(pidfd_send_signal), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo),
       SCMP_SYS(tkill)});
  add(filter, never,
      {SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(socketpair), SCMP_SYS(shmget),
       SCMP_SYS(shmat), SCMP_SYS(msgget), SCMP_SYS(semget), SCMP_SYS(mq_open)});
  add(filter, never,
      {SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
       SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(open_by_handle_at), SCMP_SYS(move_mount),
       SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(mount_setattr)});
  add(filter, never, {SCMP_SYS(bpf),           SCMP_SYS(perf_event_open),
                      SCMP_SYS(userfaultfd),   SCMP_SYS(io_uring_setup),
                      SCMP_SYS(keyctl),        SCMP_SYS(add_key),
                      SCMP_SYS(request_key),   SCMP_SYS(init_module),
                      SCMP_SYS(finit_module),  SCMP_SYS(delete_module),
                      SCMP_SYS(kexec_load),    SCMP_SYS(kexec_file_load),
                      SCMP_SYS(reboot),        SCMP_SYS(swapon),
                      SCMP_SYS(swapoff),       SCMP_SYS(settimeofday),
                      SCMP_SYS(clock_settime), SCMP_SYS(adjtimex),
                      SCMP_SYS(clock_adjtime), SCMP_SYS(sethostname),
                      SCMP_SYS(setdomainname), SCMP_SYS(acct),
                      SCMP_SYS(quotactl),      SCMP_SYS(syslog),
                      SCMP_SYS(setrlimit)});
  // Of files what Landlock leaves free.
  add(filter, never,
      {SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown),
       SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(futimesat),
       SCMP_SYS(utimensat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr),
       SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), SCMP_SYS(truncate)});
  const auto self = static_cast<scmp_datum_t>(getpid());
  add_if(filter, never, SCMP_SYS(kill), {0, SCMP_CMP_NE, self, 0});
  add_if(filter, never, SCMP_SYS(tgkill), {0, SCMP_CMP_NE, self, 0});
  add_if(filter, never, SCMP_SYS(prlimit64), {2, SCMP_CMP_NE, 0, 0});
  add_if(filter, never, SCMP_SYS(ioctl), {1, SCMP_CMP_EQ, TIOCSTI, 0});
  // Their arguments are in memory, out of the filter's sight; C libraries then use the older ones.
  add(filter, SCMP_ACT_ERRNO(ENOSYS), {SCMP_SYS(clone3), SCMP_SYS(openat2)});
}

/// What the watcher is asked about.
void ask_about_calls(const Filter& filter) {
  add(filter, SCMP_ACT_NOTIFY,
      {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(creat), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
       SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(socket)});
  add_if(filter, SCMP_ACT_NOTIFY, SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0});
}

/// A text in the memory of another process, empty where it cannot be read. Page by page: the next
/// one need not be there.
std::string text_at(pid_t process, std::uint64_t address) {
  constexpr std::size_t page = 4096, longest = 4096;
  std::string text;
  while (text.size() < longest) {
    std::array<char, page> buffer{};
    const std::size_t count = page - address % page;
    const iovec here{buffer.data(), count};
    const iovec there{reinterpret_cast<void*>(address), count};
    const ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
    if (got <= 0) return {};
    const auto end = std::find(buffer.begin(), buffer.begin() + got, '\0');
    text.append(buffer.begin(), end);
    if (end != buffer.begin() + got) return text;
    address += count;
  }
  return text;
}

/// Whether a path is a place or below it.
bool is_below(const fs::path& path, const fs::path& place) {
  const auto [left, right] = std::mismatch(place.begin(), place.end(), path.begin(), path.end());
  return left == place.end();
}

bool is_below_any(const fs::path& path, std::initializer_list<const char*> places) {
  return std::any_of(places.begin(), places.end(),
                     [&](const char* place) { return is_below(path, place); });
}

/// The path without links, or as it is where there are none to follow.
fs::path real(const fs::path& path) {
  std::error_code none;
  const fs::path result = fs::weakly_canonical(path, none);
  return none ? path : result;
}

}  // namespace

bool can_confine() { return landlock_version() >= 1 && seccomp_api_get() >= 5; }

int confine(const fs::path& file) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(errno, "no_new_privs");
  confine_files(file);
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (!filter) fail(ENOMEM, "seccomp");
  forbid_calls(filter);
  ask_about_calls(filter);
  if (const int error = seccomp_load(filter.get()); error != 0)
    fail(-error, "seccomp refuses to confine");
  return seccomp_notify_fd(filter.get());
}

Watcher::Watcher(int listener, const fs::path& file)
    : listener_(listener), file_(real(file)), folder_(real(fs::absolute(file).parent_path())) {}

Watcher::~Watcher() { close(listener_); }

int Watcher::refuse(Deed::Kind kind, const std::string& path) {
  if (has_opened_file_ && forbidden_.kind == Deed::Kind::none) forbidden_ = {kind, path};
  return EACCES;
}

int Watcher::error_for_opening(const std::string& name, bool writes) {
  if (writes) return name == "/dev/null" ? 0 : refuse(Deed::Kind::writing, name);
  if (name.ends_with(".opt")) return ENOENT;
  const fs::path path = real(name);
  if (path == file_) {
    has_opened_file_ = true;
  } else if (is_below(path, folder_)) {
    if (fs::is_regular_file(path)) opened_.insert(path);
  } else if (!is_below_any(path, system_places) && !is_below_any(path, quiet_places) &&
             fs::exists(path)) {
    return refuse(Deed::Kind::reading, name);
  }
  return 0;  // Landlock has the last word
}

int Watcher::error_for(const seccomp_notif& request) {
  const auto process = static_cast<pid_t>(request.pid);
  const auto text = [&](int argument) { return text_at(process, request.data.args[argument]); };
  const auto writes = [&](int argument) {
    const auto flags = static_cast<int>(request.data.args[argument]);
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  };
  const int call = request.data.nr;
  if (call == SCMP_SYS(openat)) return error_for_opening(text(1), writes(2));
  if (call == SCMP_SYS(open)) return error_for_opening(text(0), writes(1));
  if (call == SCMP_SYS(creat)) return error_for_opening(text(0), true);
  if (call == SCMP_SYS(mkdir)) return refuse(Deed::Kind::writing, text(0));
  if (call == SCMP_SYS(mkdirat)) return refuse(Deed::Kind::writing, text(1));
  if (call == SCMP_SYS(socket)) return refuse(Deed::Kind::network, "");
  return refuse(Deed::Kind::program, "");
}

void Watcher::answer() {
  seccomp_notif* request = nullptr;  // made anew each time: the kernel wants it empty
  seccomp_notif_resp* response = nullptr;
  if (const int error = seccomp_notify_alloc(&request, &response); error != 0)
    fail(-error, "seccomp's notifications");
  if (seccomp_notify_receive(listener_, request) == 0) {  // else its process has ended
    const int error = error_for(*request);
    response->id = request->id;
    response->error = -error;
    response->flags = error == 0 ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    (void)seccomp_notify_respond(listener_, response);
  }
  seccomp_notify_free(request, response);
}

}  // namespace slipwave::fem
