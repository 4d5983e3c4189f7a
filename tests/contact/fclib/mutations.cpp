#include "tests/contact/fclib/mutations.hpp"

#include "contact/fclib/write_fclib.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

namespace slipwave::contact::tests {

namespace fs = std::filesystem;

namespace {

using Write = std::function<void(const fs::path&)>;
using Edit = std::function<void(hid_t)>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_int = std::numeric_limits<int>::max();

/// A base file that HDF5 itself changes.
Mutation edited(const std::string& name, const Write& base, const Edit& edit) {
  return {name, [base, edit](const fs::path& file) {
            base(file);
            change(file, edit);
          }};
}

std::vector<double> numbers_of(hid_t file, const std::string& name) {
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT), space = H5Dget_space(set);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  REQUIRE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

void remove(hid_t file, const std::string& name) {
  REQUIRE(H5Ldelete(file, name.c_str(), H5P_DEFAULT) >= 0);
}

/// An edit that puts other numbers, made from those that are there.
template <class Change>
Edit with(const std::string& name, const Change& alter) {
  return [name, alter](hid_t file) {
    std::vector<double> values = numbers_of(file, name);
    alter(values);
    put(file, name, values);
  };
}

/// Puts a data set of a type and a shape, to which nothing is written.
void put_unwritten(hid_t file, const std::string& name, hid_t type,
                   const std::vector<hsize_t>& shape, hsize_t chunk = 0) {
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0) remove(file, name);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (chunk > 0) {
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_deflate(list, 9);
  }
  const hid_t set = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  REQUIRE(set >= 0);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

void put_text(hid_t file, const std::string& name, hsize_t count) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 8);
  put_unwritten(file, name, type, {count});
  H5Tclose(type);
}

/// Each value that no size and no kind of storage can have.
void add_bad_sizes(std::vector<Mutation>& all, const Write& base, const std::string& name) {
  for (const double value : {-7.0, 0.5, 1e18, largest_int + 1.0, nan, infinity, -infinity})
    all.push_back(edited(name + " = " + std::to_string(value), base,
                         [=](hid_t file) { put(file, name, {value}); }));
  all.push_back(edited(name + " twice", base, [=](hid_t file) { put(file, name, {2.0, 2.0}); }));
  all.push_back(edited(name + " as text", base, [=](hid_t file) { put_text(file, name, 1); }));
  all.push_back(edited("no " + name, base, [=](hid_t file) { remove(file, name); }));
}

/// What a list of numbers cannot be: too long, empty, of another kind.
void add_bad_lists(std::vector<Mutation>& all, const Write& base, const std::string& name) {
  const auto add = [&](const std::string& what, const Edit& edit) {
    all.push_back(edited(name + " " + what, base, edit));
  };
  add("missing", [=](hid_t file) { remove(file, name); });
  add("empty", with(name, [](std::vector<double>& values) { values.clear(); }));
  add("one too many", with(name, [](std::vector<double>& values) { values.push_back(0.0); }));
  add("as text", [=](hid_t file) { put_text(file, name, numbers_of(file, name).size()); });
  add("as a table", [=](hid_t file) {
    put_unwritten(file, name, H5T_NATIVE_DOUBLE, {numbers_of(file, name).size(), 1});
  });
  add("of terabytes",
      [=](hid_t file) { put_unwritten(file, name, H5T_NATIVE_DOUBLE, {hsize_t{1} << 40}); });
  add("with nan", with(name, [](std::vector<double>& values) { values.back() = nan; }));
  add("with infinity", with(name, [](std::vector<double>& values) { values[0] = infinity; }));
}

void add_bad_indices(std::vector<Mutation>& all, const Write& base, const std::string& name) {
  for (const double value : {-1.0, 0.5, 1e6, largest_int, 1e12})
    all.push_back(edited(name + " with " + std::to_string(value), base,
                         with(name, [=](std::vector<double>& values) { values.back() = value; })));
}

/// Both sizes of W are the largest that there are, and so are those of mu, q and p, of which
/// nothing is written.
void claim_terabytes(hid_t file, hsize_t chunk) {
  const hsize_t rows = (hsize_t{1} << 31) - 2;
  for (const char* name : {"/fclib_local/W/m", "/fclib_local/W/n"})
    put(file, name, {static_cast<double>(rows)});
  put_unwritten(file, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, {rows / 2}, chunk);
  put_unwritten(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, {rows}, chunk);
  put_unwritten(file, "/fclib_local/W/p", H5T_NATIVE_INT, {rows + 1}, chunk);
  remove(file, "/solution");
}

void add_local(std::vector<Mutation>& all) {
  for (const char* name : {"spacedim", "W/m", "W/n", "W/nz", "W/nzmax"})
    add_bad_sizes(all, write_local, "/fclib_local/" + std::string(name));
  for (const char* name : {"vectors/mu", "vectors/q", "W/p", "W/i", "W/x"})
    add_bad_lists(all, write_local, "/fclib_local/" + std::string(name));
  for (const char* name : {"W/p", "W/i"})
    add_bad_indices(all, write_local, "/fclib_local/" + std::string(name));
  const auto add = [&](const std::string& name, const Edit& edit) {
    all.push_back(edited(name, write_local, edit));
  };
  add("negative mu", [](hid_t file) { put(file, "/fclib_local/vectors/mu", {0.5, -1e-9}); });
  add("rows are no whole contacts", [](hid_t file) { put(file, "/fclib_local/spacedim", {3}); });
  add("one dimension", [](hid_t file) { put(file, "/fclib_local/spacedim", {1}); });
  add("rolling friction", [](hid_t file) { put(file, "/fclib_local/spacedim", {5}); });
  add("mu_r", [](hid_t file) { put(file, "/fclib_local/vectors/mu_r", {0.1, 0.1}); });
  add("largest sizes", [](hid_t file) {
    for (const char* name : {"/fclib_local/W/m", "/fclib_local/W/n"})
      put(file, name, {largest_int});
  });
  add("terabytes claimed", [](hid_t file) { claim_terabytes(file, 0); });
  add("terabytes claimed, packed", [](hid_t file) { claim_terabytes(file, 1 << 20); });
  add("triplets said, columns stored", [](hid_t file) { put(file, "/fclib_local/W/nz", {14}); });
  add("rows said, triplets stored", [](hid_t file) {
    put(file, "/fclib_local/W/nz", {-2});
    put(file, "/fclib_local/W/p", {0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2});
  });
  add("no contacts", [](hid_t file) {
    remove(file, "/fclib_local/W");
    put_matrix(file, "/fclib_local/W", 0, 0);
  });
  add("equations V", [](hid_t file) { put_matrix(file, "/fclib_local/V", 4, 1); });
  add("equations R", [](hid_t file) { put_matrix(file, "/fclib_local/R", 1, 1); });
  add("sum beyond a double", [](hid_t file) {
    put(file, "/fclib_local/W/nz", {2});
    for (const char* name : {"/fclib_local/W/i", "/fclib_local/W/p"}) put(file, name, {1, 1});
    put(file, "/fclib_local/W/x", {1e308, 1e308});
  });
  add("title is a number", [](hid_t file) { put(file, "/fclib_local/info/title", {1}); });
}

void add_global(std::vector<Mutation>& all) {
  for (const char* name : {"spacedim", "M/m", "H/n", "H/m", "H/nz"})
    add_bad_sizes(all, write_global, "/fclib_global/" + std::string(name));
  for (const char* name : {"vectors/f", "vectors/w", "vectors/mu", "H/x", "H/i", "M/p"})
    add_bad_lists(all, write_global, "/fclib_global/" + std::string(name));
  for (const char* name : {"H/i", "H/p"})
    add_bad_indices(all, write_global, "/fclib_global/" + std::string(name));
  for (const char* name : {"r", "u", "v"})
    add_bad_lists(all, write_global, "/solution/" + std::string(name));
  const auto add = [&](const std::string& name, const Edit& edit) {
    all.push_back(edited(name, write_global, edit));
  };
  add("nz beyond the entries", with("/fclib_global/H/nz", [](auto& values) { values[0] += 1.0; }));
  add("H is turned", [](hid_t file) {
    put(file, "/fclib_global/H/m", {6});
    put(file, "/fclib_global/H/n", {7});
  });
  add("equations G", [](hid_t file) { put_matrix(file, "/fclib_global/G", 7, 2); });
  add("group of rolling friction", [](hid_t file) {
    REQUIRE(H5Lmove(file, "/fclib_global", file, "/fclib_global_rolling", H5P_DEFAULT,
                    H5P_DEFAULT) >= 0);
  });
}

void add_both(std::vector<Mutation>& all) {
  const auto add = [&](const std::string& name, const Edit& edit) {
    all.push_back(edited(name, write_both, edit));
  };
  const auto two_forms = [&](const std::string& name, int contacts, int dimension) {
    all.push_back({name, [=](const fs::path& file) {
                     std::mt19937_64 generator(3);
                     const fs::path other = file.string() + ".other";
                     write_global(file);
                     write_local_problem(other, random_problem(contacts, dimension, generator));
                     copy_group(other, file, "/fclib_local");
                     fs::remove(other);
                   }});
  };
  two_forms("18 rows beside 6", 6, 3);
  two_forms("4 rows beside 6", 2, 2);
  two_forms("3 contacts in 2D beside 2 in 3D", 3, 2);
  add("two mu", [](hid_t file) { put(file, "/fclib_local/vectors/mu", {0.1, 0.71}); });
  add("solution of another size", [](hid_t file) { put(file, "/solution/r", {1, 2, 3, 4}); });
  add("q of another size", [](hid_t file) { put(file, "/fclib_local/vectors/q", {1, 2, 3, 4}); });
  add("w of another size", [](hid_t file) { put(file, "/fclib_global/vectors/w", {1, 2, 3}); });
  add("local form without W", [](hid_t file) { remove(file, "/fclib_local/W"); });
  add("global form without H", [](hid_t file) { remove(file, "/fclib_global/H"); });
}

/// What is no group, no data set, or nowhere.
void add_links(std::vector<Mutation>& all) {
  for (const std::string name : {"/fclib_local", "/fclib_local/W", "/fclib_local/vectors"}) {
    const auto add = [&](const std::string& what, const Edit& edit) {
      all.push_back(edited(name + what, write_local, edit));
    };
    add(" missing", [=](hid_t file) { remove(file, name); });
    add(" is a list", [=](hid_t file) { put(file, name, {1, 2}); });
    add(" leads nowhere", [=](hid_t file) {
      remove(file, name);
      H5Lcreate_soft("/nowhere", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    });
    add(" leads to itself", [=](hid_t file) {
      remove(file, name);
      H5Lcreate_soft(name.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    });
    add(" leads to another file", [=](hid_t file) {
      remove(file, name);
      H5Lcreate_external("/dev/null", name.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    });
  }
  all.push_back(edited("q lies in another file", write_local, [](hid_t file) {
    const std::string name = "/fclib_local/vectors/q";
    remove(file, name);
    const hsize_t size = 4;
    const hid_t space = H5Screate_simple(1, &size, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, "/dev/zero", 0, 32);
    H5Dclose(
        H5Dcreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list);
    H5Sclose(space);
  }));
}

/// Files that are cut or are something else.
void add_bytes(std::vector<Mutation>& all) {
  for (const auto& [form, base] :
       {std::pair<std::string, Write>("local", write_local), {"global", write_global}})
    for (const double part : {0.0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.9999})
      all.push_back(
          {form + " cut at " + std::to_string(part), [=, base = base](const fs::path& file) {
             base(file);
             const auto size = static_cast<double>(fs::file_size(file));
             fs::resize_file(file, static_cast<std::uintmax_t>(part * size));
           }});
  all.push_back({"text", [](const fs::path& file) { std::ofstream(file) << "W = 1\n"; }});
  all.push_back({"signature alone", [](const fs::path& file) {
                   std::ofstream(file, std::ios::binary) << "\x89HDF\r\n\x1a\n";
                 }});
  all.push_back({"zeros after the signature", [](const fs::path& file) {
                   write_local(file);
                   std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
                   bytes.seekp(8);
                   bytes << std::string(400, '\0');
                 }});
  all.push_back({"nothing in it", [](const fs::path& file) {
                   H5Fclose(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
                 }});
}

}  // namespace

void write_local(const fs::path& file) {
  std::mt19937_64 generator(1);
  write_local_problem(
      file, random_problem(2, 2, generator),
      StoredSolution{random_matrix(4, 1, generator), random_matrix(4, 1, generator), {}});
}

void write_global(const fs::path& file) {
  std::mt19937_64 generator(2);
  write_global_problem(
      file, random_global(7, 2, 3, generator),
      StoredSolution{random_matrix(6, 1, generator), random_matrix(6, 1, generator),
                     random_matrix(7, 1, generator)});
}

void write_both(const fs::path& file) {
  std::mt19937_64 generator(2);
  const StoredGlobalProblem global = random_global(7, 2, 3, generator);
  StoredProblem local = random_problem(2, 3, generator);
  local.mu = global.mu;
  const fs::path other = file.string() + ".other";
  write_global(file);
  write_local_problem(other, local);
  copy_group(other, file, "/fclib_local");
  fs::remove(other);
}

std::vector<Mutation> mutations() {
  std::vector<Mutation> all;
  add_local(all);
  add_global(all);
  add_both(all);
  add_links(all);
  add_bytes(all);
  return all;
}

}  // namespace slipwave::contact::tests
