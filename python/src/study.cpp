// Studies: plans, points, chunks.
#include "asperity/study/study.hpp"

#include <chrono>
#include <cmath>
#include <future>
#include <map>

#include "asperity/study/sensitivity.hpp"
#include "bindings.hpp"

namespace asperity::python {
namespace {

using study::Plan;
using Trusts = py::array_t<std::uint8_t, py::array::c_style>;
using Numbers = py::array_t<std::uint64_t, py::array::c_style>;
using Problems = std::map<std::size_t, std::string>;

constexpr std::uint8_t not_run = 255;

/// A plan that Python holds, with its points.
struct HeldPlan {
  explicit HeldPlan(Plan given) : plan(std::make_shared<const Plan>(std::move(given))) {}
  std::shared_ptr<const Plan> plan;
  std::shared_ptr<const study::Points> points = std::make_shared<const study::Points>(*plan);
};

py::tuple read_plan(const std::string& text, const std::string& file, const std::string& more, const std::vector<std::string>& vary,
                    const std::vector<std::string>& set, bool measured_elsewhere,
                    const std::optional<std::pair<std::string, std::string>>& scene) {
  study::PlanOptions options;
  options.more = more, options.vary = vary, options.set = set, options.measured_elsewhere = measured_elsewhere,
  options.scene = scene;
  std::vector<std::string> problems;
  std::optional<Plan> plan;
  {
    const py::gil_scoped_release without_python;
    plan = study::plan_of(text, file, options, problems);
  }
  return py::make_tuple(plan ? py::cast(HeldPlan(std::move(*plan))) : py::none(), problems);
}

/// Measures point by point, how far to trust each, and the problems there are.
py::tuple tuple_of(const std::vector<study::Result>& results, std::size_t measures) {
  std::vector<double> numbers;
  numbers.reserve(results.size() * measures);
  Trusts trusts(static_cast<py::ssize_t>(results.size()));
  py::dict problems;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const study::Result& one = results[i];
    const bool is_run = one.measures.size() == measures;
    for (std::size_t m = 0; m < measures; ++m) numbers.push_back(is_run ? one.measures[m] : std::nan(""));
    trusts.mutable_at(static_cast<py::ssize_t>(i)) = is_run ? std::uint8_t(one.trust) : not_run;
    if (!one.problem.empty()) problems[py::int_(i)] = one.problem;
  }
  return py::make_tuple(array_of(std::move(numbers)), trusts, problems);
}

std::vector<study::Result> results_of(const Doubles& measures, const Trusts& trusts, const Problems& problems) {
  std::vector<study::Result> results(std::size_t(trusts.size()));
  const std::size_t each = results.empty() ? 0 : std::size_t(measures.size()) / results.size();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double* const from = measures.data() + i * each;
    results[i].measures.assign(from, from + each);
    results[i].trust = study::Trust(trusts.data()[i]);
    if (const auto found = problems.find(i); found != problems.end()) results[i].problem = found->second;
  }
  return results;
}

std::string_view end_word(study::StudyOutcome::End end) {
  return std::array<std::string_view, 5>{"refused", "failed", "stopped", "part", "finished"}[std::size_t(end)];
}

/// The threads of the study know nothing of Python: this one waits for them, and looks for Ctrl-C meanwhile.
py::dict run_study(const HeldPlan& held, std::uint64_t first, std::uint64_t count, int threads, const std::string& folder,
                   bool resume, bool merge, bool page, py::object progress) {
  LongCall call(std::move(progress));
  study::StudyOutcome outcome;
  {
    const py::gil_scoped_release without_python;
    std::atomic<bool> stop = false;
    std::atomic<double> done = 0, all = double(held.plan->points());
    study::StudyOptions options;
    options.folder = folder, options.threads = threads, options.resume = resume, options.merge = merge, options.page = page;
    options.first = first, options.count = count;
    options.hooks.stop = [&] { return stop.load(std::memory_order_relaxed); };
    options.hooks.progress = [&](const Progress& now) { done = now.done, all = now.all; };
    auto work = std::async(std::launch::async, [&] { return study::run_study(*held.plan, options); });
    const Hooks hooks = call.hooks();
    while (work.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready && !stop) {
      hooks.progress({done, all, 0, {}});
      stop = hooks.stop();
    }
    outcome = work.get();
  }
  py::dict found;
  found["end"] = end_word(outcome.end);
  found["problems"] = outcome.problems;
  found["notes"] = outcome.notes;
  found["summary"] = outcome.summary;
  found["results"] = tuple_of(outcome.results, held.plan->measures.size());
  found["values"] = array_of(std::move(outcome.values));
  found["crossings"] = array_of(std::move(outcome.crossings));
  found["error"] = call.error.value();
  return found;
}

py::tuple open(const HeldPlan& held, const std::string& folder, bool resume) {
  std::vector<std::uint64_t> chunks;
  study::StudyOutcome outcome;
  {
    const py::gil_scoped_release without_python;
    outcome = study::open_study(*held.plan, {.folder = folder, .resume = resume}, chunks);
  }
  return py::make_tuple(end_word(outcome.end), outcome.problems, chunks);
}

std::optional<std::string> put(const HeldPlan& held, const std::string& folder, std::uint64_t number, const Doubles& measures,
                               const Trusts& trusts, const Problems& problems) {
  return study::put_chunk(*held.plan, folder, number, results_of(measures, trusts, problems));
}

/// With other names of measures than the plan has, where functions of Python have measured.
std::optional<std::string> write(const HeldPlan& held, const std::vector<std::string>& names, const std::string& path,
                                 const Numbers& points, const Doubles& values, const Doubles& measures, const Trusts& trusts,
                                 const Problems& problems) {
  Plan plan = *held.plan;
  plan.measures.clear();
  for (const std::string& name : names) plan.measures.push_back({name, ""});
  return study::write_table(plan, path, {points.data(), std::size_t(points.size())}, {values.data(), std::size_t(values.size())},
                            results_of(measures, trusts, problems));
}

/// One tuple for each parameter, as the columns of sensitivity.csv.
py::list sensitivity(const HeldPlan& held, const Doubles& values) {
  const Plan& plan = *held.plan;
  const std::span<const double> all(values.data(), std::size_t(values.size()));
  py::list list;
  if (plan.sensitivity == study::Sensitivity::sobol) {
    const auto found = study::sobol_indices(all, plan.axes.size(), plan.seed);
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
      const study::Estimate &s = found.first[i], &t = found.total[i];
      list.append(py::make_tuple(plan.axes[i].path, s.value, s.low, s.high, t.value, t.low, t.high, found.used, found.left_out));
    }
  } else if (plan.sensitivity == study::Sensitivity::morris) {
    const auto found = study::morris_effects(plan, *held.points, all);
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
      const auto& e = found.effects[i];
      list.append(py::make_tuple(plan.axes[i].path, e.mean_size, e.mean, e.deviation, found.used, found.left_out));
    }
  }
  return list;
}

py::array_t<double> values_at(const HeldPlan& held, std::uint64_t first, std::uint64_t count) {
  const std::size_t axes = held.plan->axes.size();
  if (first > held.points->count() || count > held.points->count() - first) throw py::value_error("no such points");
  std::vector<double> values(count * axes);
  for (std::uint64_t i = 0; i < count; ++i) held.points->at(first + i, {values.data() + i * axes, axes});
  return array_of(std::move(values));
}

}  // namespace

void add_study(py::module_& module) {
  module.def("study_plan", &read_plan);
  module.def("study_run", &run_study);
  module.def("study_open", &open);
  module.def("study_put", &put);
  module.def("study_write", &write);
  module.def("study_sensitivity", &sensitivity);
  module.def("study_verdicts", [] {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < study::trust_levels; ++i) words.push_back(to_text(study::Trust(i)));
    return words;
  });
  py::class_<HeldPlan>(module, "StudyPlan")
      .def_property_readonly("toml", [](const HeldPlan& held) { return study::to_toml(*held.plan); })
      .def_property_readonly("title", [](const HeldPlan& held) { return held.plan->title; })
      .def_property_readonly("total", [](const HeldPlan& held) { return held.plan->total(); })
      .def_property_readonly("count", [](const HeldPlan& held) { return held.points->count(); })
      .def_property_readonly("chunk", [](const HeldPlan& held) { return study::chunk_size(*held.plan); })
      .def_property_readonly("scene", [](const HeldPlan& held) { return std::pair(held.plan->scene_file, held.plan->scene_text); })
      .def_property_readonly("is_border", [](const HeldPlan& held) { return held.plan->border.has_value(); })
      .def_property_readonly(
          "sensitivity",
          [](const HeldPlan& held) {
            const auto of = held.plan->sensitivity;
            return of == study::Sensitivity::sobol ? "sobol" : of == study::Sensitivity::morris ? "morris" : "none";
          })
      .def_property_readonly("measures",
                             [](const HeldPlan& held) {
                               std::vector<std::pair<std::string, std::string>> list;
                               for (const study::Measure& one : held.plan->measures) list.emplace_back(one.name, one.formula);
                               return list;
                             })
      .def_property_readonly("axes",
                             [](const HeldPlan& held) {
                               py::list list;
                               for (const study::Axis& axis : held.plan->axes)
                                 list.append(py::make_tuple(axis.path, axis.unit, axis.log, axis.random.has_value(),
                                                            py::array(py::cast(axis.values)), axis.words));
                               return list;
                             })
      .def("values", &values_at)
      .def("settings",
           [](const HeldPlan& held, const std::vector<double>& values) {
             std::vector<std::string> all = held.plan->settings;
             for (std::string& one : held.points->settings(values)) all.push_back(std::move(one));
             return all;
           })
      .def("command",
           [](const HeldPlan& held, const std::vector<double>& values) { return study::command_of(*held.plan, values); });
}

}  // namespace asperity::python
