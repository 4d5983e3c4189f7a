#pragma once

namespace slipwave::linear {

/// Four doubles that the processor handles at once, wherever they stand in memory.
using Four = double __attribute__((vector_size(32), aligned(8)));

/// Four doubles from memory.
inline Four load(const double* from) { return *reinterpret_cast<const Four*>(from); }
/// Four doubles to memory.
inline void store(const Four& value, double* to) { *reinterpret_cast<Four*>(to) = value; }
/// Their sum.
inline double sum(const Four& value) { return (value[0] + value[1]) + (value[2] + value[3]); }

}  // namespace slipwave::linear
