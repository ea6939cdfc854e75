// A parameter that describe() does not name.
#define UNDESCRIBED
#include "must_not_compile/law_to_break.hpp"

static_assert(asperity::fully_described<asperity::testing::LawToBreak<double>>, "a parameter is missing from describe");
