#include "app/messages/user_error.hpp"
#include "app/results/checkpoint.hpp"
#include "files/new_file.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

#include <stdexcept>

namespace slipwave::fuzz {

namespace {

/// Takes numbers off an input; zeros when there are no more.
class Numbers {
 public:
  explicit Numbers(const std::string& bytes) : bytes_(bytes) {}
  int next() { return place_ < bytes_.size() ? static_cast<unsigned char>(bytes_[place_++]) : 0; }
  int signed_number() { return next() - 128; }
  Eigen::VectorXd vector() { return Eigen::VectorXd::Constant(next() % 8, signed_number()); }
  template <class Value>
  std::vector<Value> list() {
    std::vector<Value> values(static_cast<std::size_t>(next() % 8));
    for (Value& value : values) value = static_cast<Value>(signed_number());
    return values;
  }

 private:
  const std::string& bytes_;
  std::size_t place_ = 0;
};

/// Parts that fit together or do not.
app::Checkpoint made_from(Numbers number) {
  app::Checkpoint c{.memory = {{{contact::Solution(number.next() % 8), {}}, {}},
                               {contact::Solution(number.next() % 8), {}}},
                    .statistics = app::RunStatistics({})};
  c.state.step = number.signed_number();
  c.state.q = number.vector();
  c.state.v = number.vector();
  c.piece = number.signed_number();
  c.pieces.assign(static_cast<std::size_t>(number.next() % 4), {1.0, number.next()});
  contact::SequenceMemory& sequence = c.memory.contact.sequence;
  sequence.solution.p = number.vector();
  sequence.solver.factor.valid = number.next() % 2 == 1;
  sequence.solver.factor.reference = number.list<contact::Status>();
  sequence.solver.factor.columns = number.list<int>();
  sequence.solver.factor.changed_rows = number.list<int>();
  sequence.solver.factor.changed_to = number.list<contact::Status>();
  c.memory.contact.activation.was_closed = number.list<char>();
  return c;
}

bool is_read(const std::filesystem::path& file) {
  try {
    (void)app::read_checkpoint(file);
  } catch (const app::UserError&) {
    return false;
  }
  return true;
}

/// One that was written whole is read, if its parts fit together, and not with another byte in it.
void write_and_damage(const std::filesystem::path& folder, const std::string& bytes) {
  app::write_checkpoint(folder, made_from(Numbers(bytes)));
  const std::filesystem::path file = folder / "checkpoint.h5";
  (void)is_read(file);
  std::string damaged = files::text_of(file);
  std::size_t place = bytes.size();
  for (const char byte : bytes) place = 31 * place + static_cast<unsigned char>(byte);
  damaged[place % damaged.size()] ^= static_cast<char>(1 + place % 255);
  if (is_read(InputFile(damaged, ".h5").path()))
    throw std::logic_error("a damaged checkpoint was read");
}

}  // namespace

void checkpoint(const std::string& bytes) {
  (void)is_read(InputFile(bytes, ".h5").path());
  const std::filesystem::path folder =
      "/dev/shm/slipwave_fuzz_" + std::to_string(getpid()) + "_folder";
  std::filesystem::create_directories(folder);
  write_and_damage(folder, bytes);
  std::filesystem::remove_all(folder);
}

}  // namespace slipwave::fuzz
