#include "asperity/plot.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "asperity/report/columns.hpp"
#include "asperity/report/report.hpp"
#include "commands.hpp"
#include "files/whole.hpp"
#include "text.hpp"

namespace asperity::cli {

int run_plot(const PlotCommand& typed) {
  Problems problems;
  const auto data = report::read_data(typed.data, true, problems);
  const std::string output = typed.output.value_or((data ? data->name : "plot") + ".svg");
  const bool page = output.ends_with(".html"), to_standard_output = output == "-";
  if (!page && !to_standard_output && !output.ends_with(".svg"))
    problems.push_back(fmt::format("-o {}: must end with .svg or .html, or be - for standard output", output));
  std::error_code none;
  if (std::filesystem::equivalent(output, typed.data, none))
    problems.push_back(fmt::format("-o {}: must not be the file that is drawn", output));
  report::Choice choice;
  if (data) choice = report::choose(data->table, typed.x, typed.y, problems);
  if (problems.empty() && !typed.output && std::filesystem::exists(output, none))
    problems.push_back(fmt::format("{0}: is there already; to replace it: -o {0}", output));
  if (problems.empty()) {
    std::string text;
    if (page) {
      text = plot_page({data->title, choice.x, choice.y}, data->table);
    } else {
      plot::Figure figure = report::figure_of(data->table, choice);
      figure.title = data->title;
      text = plot::to_svg(figure);
    }
    if (to_standard_output) return print("plot", text) ? fine : run_failed;
    if (auto problem = files::write_whole(output, text)) problems.push_back(*problem);
  }
  report("plot", problems);
  if (!problems.empty()) return bad_input;
  return print("plot", fmt::format("wrote {}\n", output)) ? fine : run_failed;
}

}  // namespace asperity::cli
