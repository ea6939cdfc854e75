// A struct without react() is no law, and the error says so.
#define NO_REACT
#include "asperity/law_list.hpp"
#include "law_to_break.hpp"

static_assert(asperity::admitted<asperity::testing::LawToBreak<double>>());
