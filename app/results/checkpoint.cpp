#include "app/results/checkpoint.hpp"

#include "app/case/toml_reader.hpp"
#include "app/messages/say.hpp"
#include "app/messages/user_error.hpp"
#include "app/results/file_list.hpp"
#include "app/results/run_folder.hpp"
#include "files/hdf5.hpp"
#include "files/new_file.hpp"
#include "files/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <ostream>
#include <sstream>
#include <string_view>
#include <type_traits>

namespace slipwave::app {

namespace hdf5 = files::hdf5;

namespace fs = std::filesystem;

namespace {

constexpr const char* newest = "checkpoint.h5";
constexpr const char* previous = "checkpoint.previous.h5";
constexpr std::size_t header_size = 512;
constexpr std::string_view first_words = "Slipwave checkpoint, version ";
constexpr int present_version = 4;

/// What stands before the HDF5 file, which may begin after 512 bytes.
std::string header_for(std::string_view content) {
  std::string header = fmt::format("{}{}\n{} bytes follow, with SHA-256\n{}\n", first_words,
                                   present_version, content.size(), files::sha256_of_text(content));
  header.resize(header_size, '\0');
  return header;
}

/// Puts values under their names into a file.
class Writer {
 public:
  explicit Writer(hid_t file) : file_(file) {}

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const std::string& name, Number value) const {
    hdf5::write_attribute(file_, name, static_cast<double>(value));
  }
  void operator()(const std::string& name, const std::string& text) const {
    write<std::uint8_t>(name, text);
  }
  void operator()(const std::string& name, const Eigen::VectorXd& values) const {
    write<double>(name, values);
  }
  template <class Value>
  void operator()(const std::string& name, const std::vector<Value>& values) const {
    write<int>(name, values);
  }

 private:
  /// Stored as `Stored`, whatever small type they have.
  template <class Stored, class Values>
  void write(const std::string& name, const Values& values) const {
    std::vector<Stored> stored;
    std::transform(values.begin(), values.end(), std::back_inserter(stored),
                   [](auto value) { return static_cast<Stored>(value); });
    hdf5::write_array(file_, name, stored.data(), stored.size());
  }

  hid_t file_;
};

/// Gets them out again.
class Reader {
 public:
  explicit Reader(hid_t file) : file_(file) {}

  template <class Number>
  void operator()(const std::string& name, Number& value) const {
    value = static_cast<Number>(hdf5::read_attribute(file_, name));
  }
  void operator()(const std::string& name, std::string& text) const {
    const std::vector<std::uint8_t> values = read<std::uint8_t>(name);
    text.assign(values.begin(), values.end());
  }
  void operator()(const std::string& name, Eigen::VectorXd& values) const {
    const std::vector<double> read_values = read<double>(name);
    values = Eigen::Map<const Eigen::VectorXd>(read_values.data(),
                                               static_cast<Eigen::Index>(read_values.size()));
  }
  template <class Value>
  void operator()(const std::string& name, std::vector<Value>& values) const {
    values.clear();
    for (const int value : read<int>(name)) values.push_back(static_cast<Value>(value));
  }

 private:
  template <class Stored>
  std::vector<Stored> read(const std::string& name) const {
    const hdf5::Id dataset = hdf5::open_dataset(file_, name);
    std::vector<Stored> values(hdf5::shape_of(dataset).first);
    if (!values.empty()) hdf5::read_rows(dataset, values.data(), values.size());
    return values;
  }

  hid_t file_;
};

// What is in a checkpoint, once for both directions.

template <class Archive, class Sequence>
void visit_sequence(const Archive& value, const std::string& name, Sequence& sequence) {
  value(name + ".p", sequence.solution.p);
  value(name + ".w", sequence.solution.w);
  value(name + ".status", sequence.solution.status);
  auto& solver = sequence.solver;
  value(name + ".credit", solver.credit);
  value(name + ".usual_sweeps", solver.usual_sweeps);
  value(name + ".factor_serves", solver.factor_serves);
  value(name + ".factor.valid", solver.factor.valid);
  value(name + ".factor.reference", solver.factor.reference);
  value(name + ".factor.columns", solver.factor.columns);
  value(name + ".factor.changed_rows", solver.factor.changed_rows);
  value(name + ".factor.changed_to", solver.factor.changed_to);
  value(name + ".factor.spent", solver.factor.spent);
  value(name + ".factor.mu", solver.factor.mu);
}

/// A key as two numbers of 32 bits.
std::vector<int> words_of(const std::vector<contact::Key>& keys) {
  std::vector<int> words;
  for (const contact::Key key : keys)
    for (const contact::Key word : {key >> 32, key & 0xffffffffU})
      words.push_back(static_cast<int>(static_cast<std::uint32_t>(word)));
  return words;
}

void set_from_words(const std::vector<int>& words, std::vector<contact::Key>& keys) {
  keys.clear();
  for (std::size_t k = 0; k + 1 < words.size(); k += 2)
    keys.push_back((static_cast<contact::Key>(static_cast<std::uint32_t>(words[k])) << 32) |
                   static_cast<std::uint32_t>(words[k + 1]));
}
void set_from_words(const std::vector<int>& /*words*/, const std::vector<contact::Key>& /*keys*/) {}

/// The names of the columns, one a line.
std::string names_of(const contact::LawColumns& columns) {
  std::string names;
  for (const auto& [name, column] : columns) names += name + "\n";
  return names;
}
Eigen::VectorXd& column_of(contact::LawColumns& columns, const std::string& name) {
  return columns[name];
}
const Eigen::VectorXd& column_of(const contact::LawColumns& columns, const std::string& name) {
  return columns.at(name);
}

/// Which contacts these are, and what their friction laws remember, by name.
template <class Archive, class Memory>
void visit_keys_and_laws(const Archive& value, Memory& memory) {
  std::vector<int> words = words_of(memory.keys);
  value("contact.keys", words);
  set_from_words(words, memory.keys);
  std::string names = names_of(memory.laws);
  value("contact.laws", names);
  std::istringstream lines(names);
  for (std::string name; std::getline(lines, name);)
    value("contact.laws." + name, column_of(memory.laws, name));
}

template <class Archive, class State>
void visit_state(const Archive& value, State& state) {
  value("step", state.step);
  value("first_step", state.first_step);
  value("first_time", state.first_time);
  value("q", state.q);
  value("v", state.v);
  value("a", state.a);
  value("filtered_q", state.filtered_q);
  value("filtered_v", state.filtered_v);
  value("filtered_F", state.filtered_F);
}

template <class Archive, class Energy>
void visit_energy(const Archive& value, const std::string& name, Energy& energy) {
  value(name + ".kinetic", energy.kinetic);
  value(name + ".strain", energy.strain);
  value(name + ".algorithmic", energy.algorithmic);
}

template <class Archive, class Statistics>
void visit_statistics(const Archive& value, Statistics& s) {
  visit_energy(value, "initial_energy", s.initial_energy);
  visit_energy(value, "final_energy", s.final_energy);
  for (const dynamics::WorkTerm& term : dynamics::work_terms)
    value(std::string("works.") + term.name, s.works.*term.value);
  value("exchanged", s.exchanged);
  value("worst_balance", s.worst_balance);
  value("worst_raw", s.worst_raw);
  value("worst_scaled", s.worst_scaled);
  value("max_tangential_work", s.max_tangential_work);
  value("min_tangential_work", s.min_tangential_work);
  value("max_normal_work", s.max_normal_work);
  value("penetration", s.penetration);
  value("iterations", s.iterations);
  value("max_iterations", s.max_iterations);
  value("failed_steps", s.failed_steps);
  value("non_unique_steps", s.non_unique_steps);
  value("several_steps", s.several_steps);
  value("failed_projections", s.failed_projections);
  value("shared_node_steps", s.shared_node_steps);
  value("newton_steps", s.newton_steps);
  value("fallback_steps", s.fallback_steps);
  value("body_rotation", s.linearity.body_rotation);
  value("local_rotation", s.linearity.local_rotation);
  value("sliding", s.linearity.sliding);
  value("rotated_body", s.linearity.body);
  value("rotated_triangle", s.linearity.triangle);
  value("sliding_contact", s.linearity.contact);
}

template <class Archive, class Mark>
void visit_mark(const Archive& value, const std::string& name, Mark& mark) {
  value(name + "_bytes", mark.bytes);
  value(name + "_sha256", mark.sha256);
}

template <class Archive, class C>
void visit_checkpoint(const Archive& value, C& c) {
  value("version", c.version);
  value("case", c.case_text);
  value("mesh", c.mesh);
  visit_state(value, c.state);
  value("piece", c.piece);
  visit_sequence(value, "contact", c.memory.contact.sequence);
  value("contact.u_N", c.memory.contact.activation.u_N);
  value("contact.was_closed", c.memory.contact.activation.was_closed);
  visit_keys_and_laws(value, c.memory.contact);
  visit_sequence(value, "projection", c.memory.projection);
  visit_statistics(value, c.statistics);
  visit_mark(value, "energy", c.marks.energy);
  visit_mark(value, "trajectory", c.marks.trajectory);
  visit_mark(value, "forces", c.marks.forces);
  value("impulses", c.marks.impulses);
  visit_mark(value, "frames", c.marks.frames);
  visit_mark(value, "contact", c.marks.contact);
  visit_mark(value, "bodies", c.marks.bodies);
  visit_mark(value, "joints", c.marks.joints);
}

std::string bytes_of(const Checkpoint& checkpoint) {
  const hdf5::Id file = hdf5::create_image();
  const Writer value(file);
  visit_checkpoint(value, checkpoint);
  Eigen::VectorXd sizes(static_cast<Eigen::Index>(checkpoint.pieces.size()));
  std::vector<int> counts;
  for (std::size_t k = 0; k < checkpoint.pieces.size(); ++k) {
    sizes[static_cast<Eigen::Index>(k)] = checkpoint.pieces[k].step;
    counts.push_back(checkpoint.pieces[k].count);
  }
  value("pieces.step", sizes);
  value("pieces.count", counts);
  const std::string content = hdf5::bytes_of_image(file);
  return header_for(content) + content;
}

/// As many velocities as displacements, or 6 and 7 numbers per rigid body.
bool fit_together(const dynamics::State& state) {
  return state.v.size() == state.q.size() || 7 * state.v.size() == 6 * state.q.size();
}

/// What a program error, not a damaged file, would have put in.
void require_consistent(const Checkpoint& c) {
  const auto contacts = c.memory.contact.sequence.solution.status.size();
  const auto& sequence = c.memory.contact.sequence;
  const auto one = static_cast<Eigen::Index>(contacts), all = sequence.solution.p.size();
  const auto is_column = [&](const auto& column) { return column.second.size() == one; };
  const auto is_row = [&](int row) { return row >= 0 && row < all; };
  const auto& factor = sequence.solver.factor;
  const bool consistent =
      fit_together(c.state) && c.state.step >= 0 && c.piece >= 0 &&
      static_cast<std::size_t>(c.piece) < c.pieces.size() && (all == 2 * one || all == 3 * one) &&
      sequence.solution.w.size() == all &&
      c.memory.contact.activation.was_closed.size() == contacts &&
      (c.memory.contact.keys.empty() || c.memory.contact.keys.size() == contacts) &&
      std::all_of(c.memory.contact.laws.begin(), c.memory.contact.laws.end(), is_column) &&
      (factor.mu.size() == 0 || factor.mu.size() == one) &&
      (!factor.valid || factor.reference.size() == contacts) &&
      std::all_of(factor.columns.begin(), factor.columns.end(), is_row) &&
      std::all_of(factor.changed_rows.begin(), factor.changed_rows.end(), is_row) &&
      factor.changed_to.size() == factor.changed_rows.size();
  if (!consistent) throw std::runtime_error("its parts do not fit together");
}

Checkpoint checkpoint_from(const std::string& bytes) {
  const hdf5::Quiet quiet;
  const hdf5::Id file = hdf5::open_image(bytes);
  const Reader value(file);
  Checkpoint checkpoint{.memory = {{{contact::Solution(0), {}}, {}}, {contact::Solution(0), {}}},
                        .statistics = RunStatistics({})};
  visit_checkpoint(value, checkpoint);
  checkpoint.marks.step = checkpoint.state.step;
  Eigen::VectorXd sizes;
  std::vector<int> counts;
  value("pieces.step", sizes);
  value("pieces.count", counts);
  for (std::size_t k = 0; k < std::min(counts.size(), static_cast<std::size_t>(sizes.size())); ++k)
    checkpoint.pieces.push_back({sizes[static_cast<Eigen::Index>(k)], counts[k]});
  require_consistent(checkpoint);
  return checkpoint;
}

/// Every value of a case by its path, as text.
void flatten(const toml::node& node, const std::string& path,
             std::map<std::string, std::string>& values) {
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      flatten(value, path.empty() ? std::string(key.str()) : fmt::format("{}.{}", path, key.str()),
              values);
  } else if (const auto* array = node.as_array(); array && array->is_array_of_tables()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      flatten((*array)[i], fmt::format("{}[{}]", path, i), values);
  } else {
    values[path] = to_text(node);
  }
}

std::map<std::string, std::string> values_of(const std::string& case_text) {
  std::map<std::string, std::string> values;
  flatten(toml::parse(case_text), "", values);
  const auto may_change = [](const std::string& path) {
    return path == "time.end" || path.starts_with("time.steps") || path == "time.wall_limit" ||
           path == "output.checkpoint_every" || path == "mesh.file" || path == "mesh.time_limit" ||
           path == "mesh.memory_limit" || path.starts_with("limits.");
  };
  std::erase_if(values, [&](const auto& entry) { return may_change(entry.first); });
  return values;
}

std::vector<std::string> differences(const std::string& before, const std::string& now) {
  const auto old_values = values_of(before), new_values = values_of(now);
  std::vector<std::string> result;
  for (const auto& [path, value] : old_values) {
    const auto found = new_values.find(path);
    if (found == new_values.end())
      result.push_back(fmt::format("{} was {} and is not given now", path, value));
    else if (found->second != value)
      result.push_back(fmt::format("{} was {} and is {} now", path, value, found->second));
  }
  for (const auto& [path, value] : new_values)
    if (!old_values.contains(path))
      result.push_back(fmt::format("{} was not given and is {} now", path, value));
  return result;
}

/// Whether the steps up to the checkpoint are those of the case, which may go on differently.
bool same_steps(const Case& c, const Checkpoint& checkpoint) {
  int end = 0;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(checkpoint.piece); ++k) {
    if (k >= c.pieces.size() || c.pieces[k].step != checkpoint.pieces[k].step) return false;
    const bool present = k == static_cast<std::size_t>(checkpoint.piece);
    if (!present && c.pieces[k].count != checkpoint.pieces[k].count) return false;
    end += c.pieces[k].count;
  }
  return end >= checkpoint.state.step;
}

}  // namespace

void write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint) {
  for (const char* name : {newest, previous}) list_file(folder, name);
  files::NewFile part(folder / newest);
  part.write(bytes_of(checkpoint));
  part.sync();
  if (files::is_there(folder / newest)) files::rename_file(folder / newest, folder / previous);
  part.commit();
  files::sync_to_disk(folder);
}

void remove_previous_checkpoint(const fs::path& folder) {
  std::error_code none_there;
  fs::remove(folder / previous, none_there);
}

Checkpoint read_checkpoint(const fs::path& file) {
  const std::string bytes = files::text_of(file);
  if (bytes.size() <= header_size || !bytes.starts_with(first_words))
    throw UserError(file.string() + ": is not a checkpoint of Slipwave, or cut short");
  const int version = std::atoi(bytes.c_str() + first_words.size());
  if (version < present_version)
    throw UserError(file.string() +
                    ": was written by an earlier Slipwave, whose checkpoints say less; resume with "
                    "that");
  if (version > present_version)
    throw UserError(file.string() + ": was written by a newer Slipwave; resume with that");
  const std::string_view content = std::string_view(bytes).substr(header_size);
  if (bytes.compare(0, header_size, header_for(content)) != 0)
    throw UserError(file.string() + ": is damaged: its SHA-256 is not the one it was written with");
  try {
    return checkpoint_from(bytes);
  } catch (const std::runtime_error& error) {
    throw UserError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::optional<Checkpoint> newest_checkpoint(const fs::path& folder) {
  std::string complaints;
  for (const char* name : {newest, previous}) {
    if (!files::is_there(folder / name)) continue;
    try {
      Checkpoint found = read_checkpoint(folder / name);
      if (!complaints.empty())
        say(stderr, "warning: {}; going on from {}\n", complaints, (folder / name).string());
      return found;
    } catch (const UserError& error) {
      complaints += fmt::format("{}{}", complaints.empty() ? "" : "; ", error.what());
    }
  }
  if (complaints.empty()) return std::nullopt;
  throw UserError(complaints + ". There is nothing to go on from; start anew with --force");
}

void require_same_run(const Case& c, const std::string& mesh, const Checkpoint& checkpoint,
                      const fs::path& folder) {
  std::vector<std::string> changes = differences(checkpoint.case_text, c.resolved);
  if (changes.empty() && !same_steps(c, checkpoint))
    changes.push_back(fmt::format(
        "[time] no longer has the steps that led to the checkpoint, step {} at t = {:g}{}",
        checkpoint.state.step,
        checkpoint.state.time(checkpoint.pieces[static_cast<std::size_t>(checkpoint.piece)].step),
        c.unit("time")));
  if (changes.empty() && mesh != checkpoint.mesh)
    changes.push_back(c.has_mesh() ? fmt::format("the mesh of {} is another", c.mesh_file.string())
                                   : "a file that shapes are of is another");
  if (changes.empty()) return;
  constexpr std::size_t most = 5;
  const std::size_t more = changes.size() > most ? changes.size() - most : 0;
  changes.resize(changes.size() - more);
  throw UserError(fmt::format(
      "{}: cannot be resumed: {}{}. Take the old values, or choose another folder with --out",
      folder.string(), fmt::join(changes, "; "),
      more > 0 ? fmt::format("; and {} more", more) : ""));
}

}  // namespace slipwave::app
