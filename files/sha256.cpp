#include "files/sha256.hpp"

#include "files/file_error.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace slipwave::files {

namespace {

/// libcrypto says 1 when all is well.
void require(int answer) {
  if (answer != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::update(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::hex() const {
  const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
  std::array<unsigned char, 32> digest{};
  require(EVP_MD_CTX_copy_ex(copy.get(), context_.get()));
  require(EVP_DigestFinal_ex(copy.get(), digest.data(), nullptr));
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256_of_text(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 16);
  Sha256 hash;
  // The last block is short: reading it sets the end of the file.
  while (in && (in.read(block.data(), static_cast<std::streamsize>(block.size())), !in.bad()))
    hash.update({block.data(), static_cast<std::size_t>(in.gcount())});
  if (!in.eof()) throw InputError(fmt::format("{}: cannot be read", file.string()));
  return hash.hex();
}

}  // namespace slipwave::files
