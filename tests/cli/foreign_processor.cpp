// A program that was compiled for a processor that nobody has: it must say so and not reach main().
#include "app/commands/processor.hpp"

#include <cstdio>

namespace slipwave::app {
extern constinit const InstructionSets compiled_for = 1U << 14;
}

int main() { std::puts("main was reached"); }
