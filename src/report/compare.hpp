// In what two runs differ.
#pragma once

#include "panels.hpp"

namespace asperity::report {

/// {"columns": [{"name", "unit", "a", "b", "most", "at"}], "only": [[...], [...]], "parameters": [...], "events": [...],
///  "energy": [...]}
Json differences(const Table& a, const Table& b, const Json& facts_a, const Json& facts_b);

}  // namespace asperity::report
