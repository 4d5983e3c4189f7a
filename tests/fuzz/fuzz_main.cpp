#include "tests/fuzz/targets.hpp"

#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>

/// Called once. What a library does to a child process of ours is no finding: there the fuzzer must
/// not listen.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  pthread_atfork(nullptr, nullptr, [] {
    __sanitizer_set_death_callback(nullptr);
    for (const int number : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGSEGV, SIGTERM,
                             SIGXFSZ, SIGUSR1, SIGUSR2})
      std::signal(number, SIG_DFL);
  });
  return 0;
}

/// What libFuzzer calls; the target is one of tests/fuzz/targets.hpp.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slipwave::fuzz::SLIPWAVE_FUZZ_TARGET(std::string(data, data + size));
  return 0;
}
