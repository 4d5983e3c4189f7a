// Compiled as the rest is, and nothing but a number: it says what the compiler was told it may use.
#include "app/commands/processor.hpp"

namespace slipwave::app {

extern constinit const InstructionSets compiled_for = 0
#ifdef __POPCNT__
                                                      | 1U << 0
#endif
#ifdef __SSE4_2__
                                                      | 1U << 1
#endif
#ifdef __AVX__
                                                      | 1U << 2
#endif
#ifdef __FMA__
                                                      | 1U << 3
#endif
#ifdef __BMI__
                                                      | 1U << 4
#endif
#ifdef __BMI2__
                                                      | 1U << 5
#endif
#ifdef __AVX2__
                                                      | 1U << 6
#endif
#ifdef __AVX512F__
                                                      | 1U << 7
#endif
#ifdef __AVX512CD__
                                                      | 1U << 8
#endif
#ifdef __AVX512DQ__
                                                      | 1U << 9
#endif
#ifdef __AVX512BW__
                                                      | 1U << 10
#endif
#ifdef __AVX512VL__
                                                      | 1U << 11
#endif
#ifdef __AVX512VBMI__
                                                      | 1U << 12
#endif
#ifdef __AVX512VNNI__
                                                      | 1U << 13
#endif
    ;

}  // namespace slipwave::app
