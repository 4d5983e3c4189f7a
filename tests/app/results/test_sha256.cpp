#include "app/messages/user_error.hpp"
#include "app/results/mesh_digest.hpp"
#include "app/results/sha256.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace slipwave;
using namespace slipwave::app;

namespace {

fem::Mesh one_triangle() {
  fem::Mesh mesh;
  mesh.nodes.resize(2, 3);
  mesh.nodes << 0.0, 1.0, 0.0, 0.0, 0.0, 1.0;
  mesh.triangles.resize(3, 1);
  mesh.triangles << 0, 1, 2;
  mesh.node_tags = {1, 2, 3};
  mesh.curves["bottom"] = {{0, 1}};
  mesh.surfaces["body"] = {0};
  return mesh;
}

}  // namespace

// FIPS 180-4, examples of SHA-256.
TEST_CASE("app/sha256: the digests of the standard's examples") {
  CHECK(sha256_of_text("abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("app/sha256: pieces give the digest of the whole, and so does a file") {
  const std::string text(200000, 'x');
  Sha256 hash;
  hash.update(std::string_view(text).substr(0, 70000));
  CHECK(hash.hex() == sha256_of_text(text.substr(0, 70000)));
  hash.update(std::string_view(text).substr(70000));
  CHECK(hash.hex() == sha256_of_text(text));
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "test_sha256_file";
  std::ofstream(file) << text;
  CHECK(sha256_of_file(file) == sha256_of_text(text));
  std::filesystem::remove(file);
}

TEST_CASE("app/sha256: a file that cannot be read is named") {
  CHECK_THROWS_WITH_AS(sha256_of_file("/no/such/file"), "/no/such/file: cannot be read", UserError);
  CHECK_THROWS_AS(sha256_of_file("/"), UserError);
}

TEST_CASE("app/mesh_digest: changes with a coordinate, a triangle, a group and a group's name") {
  const std::string digest = mesh_digest(one_triangle());
  fem::Mesh same = one_triangle();
  same.source = "another/file.msh";
  CHECK(mesh_digest(same) == digest);
  fem::Mesh moved = one_triangle();
  moved.nodes(0, 1) = 1.0 + 1e-15;
  CHECK(mesh_digest(moved) != digest);
  fem::Mesh turned = one_triangle();
  turned.triangles << 1, 2, 0;
  CHECK(mesh_digest(turned) != digest);
  fem::Mesh longer = one_triangle();
  longer.curves["bottom"].push_back({1, 2});
  CHECK(mesh_digest(longer) != digest);
  fem::Mesh renamed = one_triangle();
  renamed.surfaces = {{"bodies", {0}}};
  CHECK(mesh_digest(renamed) != digest);
}
