// A parameter that does not say what it does, and a law that lacks a part: the error names it.
#define NO_ROLE
#include "asperity/law_list.hpp"
#include "law_to_break.hpp"

static_assert(asperity::admitted<asperity::testing::LawToBreak<double>>());
