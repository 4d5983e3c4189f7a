#pragma once

/// Stands before a function that a step spends its time in. The program is compiled for any x86-64;
/// such a function is compiled, with all that it calls inside it, once for any and once for those
/// with AVX2 and FMA, and the loader takes the one for the processor at hand
/// (docs/decisions/0012-any-processor.md). Nothing where all is compiled for AVX2 anyhow, or by
/// another compiler, or with a sanitizer, which is not ready when the loader asks.
#if defined(__x86_64__) && defined(__linux__) && defined(__OPTIMIZE__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__AVX2__) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(__SANITIZE_THREAD__) && !defined(SLIPWAVE_SANITIZED)
#define SLIPWAVE_CLONES [[gnu::target_clones("arch=x86-64-v3", "default"), gnu::flatten]]
#else
#define SLIPWAVE_CLONES
#endif
