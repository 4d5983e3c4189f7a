#include "files/base64.hpp"

#include <doctest/doctest.h>

#include <openssl/evp.h>

#include <span>
#include <string>
#include <vector>

namespace {

std::string text(const std::string& bytes) {
  return slipwave::files::base64(std::as_bytes(std::span(bytes)));
}

}  // namespace

TEST_CASE("files/base64: bytes are those of RFC 4648") {
  CHECK(text("") == "");
  CHECK(text("f") == "Zg==");
  CHECK(text("fo") == "Zm8=");
  CHECK(text("foo") == "Zm9v");
  CHECK(text("foobar") == "Zm9vYmFy");
}

TEST_CASE("files/base64: many bytes come back, whatever the remainder of their number by three") {
  for (const int size : {3'200'000, 3'200'001, 3'200'002}) {
    std::string bytes;
    for (unsigned i = 0; i < static_cast<unsigned>(size); ++i)
      bytes.push_back(static_cast<char>(i * i >> 3));
    const std::string encoded = text(bytes);
    std::vector<unsigned char> back(encoded.size());
    REQUIRE(EVP_DecodeBlock(back.data(), reinterpret_cast<const unsigned char*>(encoded.data()),
                            static_cast<int>(encoded.size())) >= size);
    CHECK(std::string(back.begin(), back.begin() + size) == bytes);
  }
}
