#include "contact/fclib/reader_process.hpp"

#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipwave::contact::tests {

namespace {

const std::string crashed = "p.hdf5: is damaged: HDF5 ended while it read it";

std::string said_of(const std::function<std::string()>& work) {
  return complaint([&] { (void)bytes_from_child("p.hdf5", work); });
}

}  // namespace

TEST_CASE("contact/reader_process: what the work returns comes through, byte for byte") {
  std::string bytes(1'000'000, '\0');
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(k * k >> 3);
  CHECK(bytes_from_child("p.hdf5", [&] { return bytes; }) == bytes);
  CHECK(bytes_from_child("p.hdf5", [] { return std::string(); }) == "");
}

TEST_CASE("contact/reader_process: an error of the work comes through with its words") {
  CHECK(said_of([]() -> std::string { throw FclibError("p.hdf5", "is odd"); }) == "p.hdf5: is odd");
}

TEST_CASE("contact/reader_process: whatever ends the work is a message") {
  CHECK(said_of([]() -> std::string { std::raise(SIGSEGV), std::abort(); }) == crashed);
  CHECK(said_of([]() -> std::string { std::exit(0); }) == crashed);
  CHECK(said_of([]() -> std::string { throw std::runtime_error("of a library"); }) == crashed);
  CHECK(said_of([]() -> std::string { throw std::bad_alloc(); }) ==
        "p.hdf5: needs more memory than 64 times its size");
}

#ifndef SLIPWAVE_SANITIZED
TEST_CASE("contact/reader_process: memory beyond the limit is refused to the child") {
  CHECK(said_of([] { return std::string(300'000'000, 'x'); }) ==
        "p.hdf5: needs more memory than 64 times its size");
}
#endif

}  // namespace slipwave::contact::tests
