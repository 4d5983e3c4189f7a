#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace slipwave::files {

/// SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  /// The digest of everything so far as 64 hexadecimal digits; more bytes may follow.
  std::string hex() const;

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// SHA-256 of a text as 64 hexadecimal digits.
std::string sha256_of_text(std::string_view text);

/// SHA-256 of what a file holds. Throws InputError naming a file that cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace slipwave::files
