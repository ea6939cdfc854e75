#include "identify_stick_slip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "asperity/csv.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/identify/stick_slip.hpp"
#include "asperity/identify/study.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

/// What was typed, as a request.
class StickSlipReader {
 public:
  explicit StickSlipReader(const StickSlipCommand& typed) {
    request.dash = "--";
    request.laws = comma_list(typed.laws);
    for (const std::string& text : typed.fix) {
      const std::size_t equals = text.rfind('=');
      const auto value = equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
      if (!value) problems.push_back(fmt::format("--fix {}: must be NAME=VALUE, in SI units", text));
      else request.fixed.emplace_back(text.substr(0, equals), *value);
    }
    request.spring = quantity("--spring", typed.spring, "N/m").value_or(1);
    request.pull = quantity("--pull", typed.pull, "m/s").value_or(1);
    if (typed.pull.empty()) problems.emplace_back("--pull: must be given with --spring: how fast its far end is pulled");
    request.load_is_free = typed.load == "free";
    if (!request.load_is_free) request.load = quantity("--load", typed.load, "N");
    request.mass = quantity("--mass", typed.mass, "kg");
    request.least = quantity("--slip", typed.slip, "N");
    request.predicted_spring = quantity("--predict", typed.predict, "N/m").value_or(0);
    request.map = identify::read_map(typed.map, problems);
    if (!typed.validate.empty()) request.other.emplace().name = typed.validate;
    // What is wrong with laws comes first.
    Problems found = problems_of(request);
    const auto others = std::stable_partition(found.begin(), found.end(), [](const std::string& line) {
      return line.starts_with("--law") || line.starts_with("--fix,");
    });
    problems.insert(problems.begin(), found.begin(), others);
    problems.insert(problems.end(), others, found.end());
    if (!problems.empty()) return;
    request.data.name = typed.data;
    for (identify::Source* source : {&request.data, request.other ? &*request.other : nullptr})
      if (source)
        if (auto table = read_table(source->name, problems)) source->table = std::move(*table);
  }

  Problems problems;
  identify::SlipRequest request;

 private:
  std::optional<double> quantity(const char* option, const std::string& text, const char* unit) {
    if (text.empty()) return std::nullopt;
    std::string why;
    const auto value = read_quantity(text, unit, why);
    if (!value) problems.push_back(fmt::format("{} {}: {}", option, text, why));
    else if (!(*value > 0) || !std::isfinite(*value)) problems.push_back(fmt::format("{} {}: must be > 0", option, text));
    else return value;
    return 1;  // one line per problem
  }
};

}  // namespace

int run_stick_slip(const StickSlipCommand& typed) {
  StickSlipReader reader(typed);
  Problems problems = reader.problems;
  identify::SlipStudy study;
  Problems objections;
  if (!typed.folder.empty()) objections = identify::slip_folder_objections(typed.folder, reader.request.laws);
  if (problems.empty()) {
    LongCall call(!typed.json);
    reader.request.hooks = call.hooks();
    if (!objections.empty()) reader.request.hooks.stop = [] { return true; };  // what is wrong with the data is said, too
    study = run(reader.request);
    if (!study.stopped) problems = study.problems;
  }
  if (stop_signal() != 0) return interrupted("identify");
  problems.insert(problems.end(), objections.begin(), objections.end());
  if (!problems.empty()) {
    report("identify", problems);
    if (typed.json) print("identify", identify::refusal_facts(problems));
    return bad_input;
  }
  if (!typed.folder.empty())
    if (auto problem = write_folder(typed.folder, study)) {
      report("identify", {*problem});
      return run_failed;
    }
  const std::string opened =
      typed.folder.empty() ? "" : fmt::format("Open {}\n", (std::filesystem::path(typed.folder) / "stick_slip.svg").string());
  return print("identify", typed.json ? slip_facts(study) : slip_text(study) + opened) ? fine : run_failed;
}

}  // namespace asperity::cli
