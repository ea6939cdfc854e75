// Inner loops as one function each: a call in them throws everything out of the registers.
#pragma once

// Not where speed is not asked for: it takes long to compile, and sanitized code is too large for it.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
#define ASPERITY_INNER_LOOP [[gnu::flatten]]
#else
#define ASPERITY_INNER_LOOP
#endif
