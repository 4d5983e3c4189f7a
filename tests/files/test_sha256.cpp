#include "files/file_error.hpp"
#include "files/sha256.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

using namespace slipwave::files;

// FIPS 180-4, examples of SHA-256.
TEST_CASE("files/sha256: the digests of the standard's examples") {
  CHECK(sha256_of_text("abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("files/sha256: pieces give the digest of the whole, and so does a file") {
  const std::string text(200000, 'x');
  Sha256 hash;
  hash.update(std::string_view(text).substr(0, 70000));
  CHECK(hash.hex() == sha256_of_text(text.substr(0, 70000)));
  hash.update(std::string_view(text).substr(70000));
  CHECK(hash.hex() == sha256_of_text(text));
  const slipwave::tests::TemporaryFolder folder;
  CHECK(sha256_of_file(folder.write("text", text)) == sha256_of_text(text));
}

TEST_CASE("files/sha256: a file that cannot be read is named") {
  CHECK_THROWS_WITH_AS(sha256_of_file("/no/such/file"), "/no/such/file: cannot be read",
                       InputError);
  CHECK_THROWS_AS(sha256_of_file("/"), InputError);
}
