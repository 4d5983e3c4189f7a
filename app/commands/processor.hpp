#pragma once

#include <cstdint>

namespace slipwave::app {

/// Instruction sets of x86-64 that a compiler may use with -march=native, as bits; see
/// processor.cpp for their names.
using InstructionSets = std::uint32_t;

/// What this program was compiled for, as numbers and not as code: it can be read on any
/// processor.
extern const InstructionSets compiled_for;

/// The name of the set of a bit; none beyond the last.
const char* name_of_set(unsigned bit);

}  // namespace slipwave::app
