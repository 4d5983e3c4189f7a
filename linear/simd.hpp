#pragma once

namespace slipwave::linear {

/// Four doubles that the processor handles at once, wherever they stand in memory. Whether one is
/// passed in a register depends on the flags of whoever compiles: so no call ever passes one.
using Four = double __attribute__((vector_size(32), aligned(8)));

/// Four doubles from memory.
[[gnu::always_inline]] inline Four load(const double* from) {
  return *reinterpret_cast<const Four*>(from);
}
/// Four doubles to memory.
[[gnu::always_inline]] inline void store(const Four& value, double* to) {
  *reinterpret_cast<Four*>(to) = value;
}
/// Their sum.
[[gnu::always_inline]] inline double sum(const Four& value) {
  return (value[0] + value[1]) + (value[2] + value[3]);
}

}  // namespace slipwave::linear
