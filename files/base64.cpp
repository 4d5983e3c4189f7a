#include "files/base64.hpp"

#include <openssl/evp.h>

#include <algorithm>

namespace slipwave::files {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::size_t most = 3 << 20;                    // at once: libcrypto counts in int
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // it ends its text with a zero
  auto* out = reinterpret_cast<unsigned char*>(text.data());
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(most, bytes.size())))
    out += EVP_EncodeBlock(out, reinterpret_cast<const unsigned char*>(bytes.data()),
                           static_cast<int>(std::min(most, bytes.size())));
  text.pop_back();
  return text;
}

}  // namespace slipwave::files
