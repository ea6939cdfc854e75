// The parts of a page that do not depend on the run; written by cmake/embed.cmake from web/.
#pragma once

#include <string_view>

namespace asperity::report {

extern const std::string_view page_script, page_style;
/// uPlot, as its package has it; empty if it was not there when this was built.
extern const std::string_view uplot_script, uplot_style, uplot_license;

}  // namespace asperity::report
