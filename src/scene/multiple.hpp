// A time that the steps of a run have to meet.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace asperity::detail {

/// What is wrong with a time that is no multiple of the step, with the longest shorter step of which it is one.
inline std::string not_a_multiple(const std::string& path, double time, double step) {
  return fmt::format("{} = {:g} s: must be a multiple of run.step = {:g} s; use run.step = \"{}/{:.0f}\"", path, time, step, time,
                     std::ceil(time / step));
}

}  // namespace asperity::detail
