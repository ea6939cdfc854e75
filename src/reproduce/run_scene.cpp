#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

#include "asperity/parameters.hpp"
#include "asperity/reproduce/experiment.hpp"
#include "embedded_scenes.hpp"

namespace asperity::reproduce {
namespace {

std::string_view text_of(std::string_view name) {
  std::vector<std::string> known;
  for (const EmbeddedScene& scene : embedded_scenes()) {
    if (scene.name == name) return scene.text;
    known.emplace_back(scene.name);
  }
  const auto near = nearest(std::string(name), known);
  throw std::runtime_error(fmt::format("no scene {} among those of the papers{}", name, near ? "; is it " + *near + "?" : ""));
}

thread_local std::vector<Doubt> doubts;
thread_local const std::atomic<bool>* stopping = nullptr;

}  // namespace

void end_when(const std::atomic<bool>* stop) noexcept { stopping = stop; }

std::vector<Doubt> take_doubts() { return std::exchange(doubts, {}); }

const std::vector<double>& Outcome::operator[](std::string_view column) const {
  if (const Table::Column* found = data.find(column)) return found->values;
  std::vector<std::string> known;
  for (const Table::Column& other : data.columns) known.push_back(other.quantity.name);
  const auto near = nearest(std::string(column), known);
  throw std::invalid_argument(fmt::format("no column {} was recorded{}", column, near ? "; is it " + *near + "?" : ""));
}

Outcome run_scene(std::string_view name, const std::vector<std::string>& settings) {
  Outcome outcome;
  std::vector<SceneProblem> problems;
  outcome.scene = read_scene(text_of(name), fmt::format("scenes/papers/{}.toml", name), settings, problems);
  if (!outcome.scene) {
    std::vector<std::string> lines;
    for (const SceneProblem& problem : problems) lines.push_back(to_text(problem));
    throw std::runtime_error(fmt::format("{}", fmt::join(lines, "\n")));
  }
  RunOptions options = outcome.scene->run;
  if (options.record.columns.empty()) options.record.columns = {"*"};
  const auto sink = std::make_shared<MemorySink>();
  options.record.sink = sink;
  outcome.run = std::make_unique<Run>(outcome.scene->world, options);
  while (outcome.run->step())
    if (stopping && stopping->load(std::memory_order_relaxed)) throw std::runtime_error("stopped");
  if (outcome.run->failure())
    throw std::runtime_error(fmt::format("scenes/papers/{}.toml: {}", name, outcome.run->failure()->text));
  for (const Finding& finding : outcome.run->findings())
    if (finding.severity != Finding::Severity::remark)
      doubts.push_back(
          {fmt::format("{}{}{}", name, settings.empty() ? "" : ", ", fmt::join(settings, ", ")), finding.severity, finding.text});
  for (const Quantity& quantity : sink->columns()) outcome.data.columns.push_back({quantity, sink->column(quantity.name)});
  return outcome;
}

}  // namespace asperity::reproduce
