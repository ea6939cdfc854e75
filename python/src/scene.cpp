// Scenes: read, checked, run in memory; runs written, read back and compared.
#include <algorithm>
#include <stdexcept>

#include "asperity/inclusion/text.hpp"
#include "asperity/job/check.hpp"
#include "asperity/job/compare.hpp"
#include "asperity/job/job.hpp"
#include "asperity/report/columns.hpp"
#include "asperity/scene/swap_law.hpp"
#include "bindings.hpp"

namespace asperity::python {

std::vector<std::tuple<std::string, std::size_t, std::string>> tuples_of(const std::vector<SceneProblem>& problems) {
  std::vector<std::tuple<std::string, std::size_t, std::string>> list;
  for (const SceneProblem& problem : problems) list.emplace_back(problem.file, problem.line, problem.text);
  return list;
}

std::string_view word_of(Mode mode) {
  switch (mode) {
    case Mode::open:
      return "open";
    case Mode::touching:
      return "touching";
    case Mode::held:
      return "held";
    case Mode::slipping:
      return "slipping";
    case Mode::none:
      break;
  }
  return "none";
}

namespace {

using Read = std::pair<std::optional<HeldScene>, std::vector<std::tuple<std::string, std::size_t, std::string>>>;

Read read(const std::string& text, const std::string& file, const std::vector<std::string>& settings) {
  std::vector<SceneProblem> problems;
  std::shared_ptr<const Scene> scene;
  {
    const py::gil_scoped_release without_python;
    scene = read_scene(text, file, settings, problems);
  }
  if (!scene) return {std::nullopt, tuples_of(problems)};
  return {HeldScene{scene}, tuples_of(problems)};
}

Facts facts_of(const std::string& json) {
  std::string why;
  auto facts = facts_from_json(json, why);
  if (!facts) throw py::value_error("no facts of a run: " + why);
  return *facts;
}

std::string_view end_word(JobOutcome::End end) {
  switch (end) {
    case JobOutcome::End::refused:
      return "refused";
    case JobOutcome::End::failed:
      return "failed";
    case JobOutcome::End::stopped:
      return "stopped";
    case JobOutcome::End::finished:
      break;
  }
  return "finished";
}
py::dict dict_of(JobOutcome outcome, LongCall& call) {
  py::dict result;
  result["end"] = end_word(outcome.end);
  result["problems"] = outcome.problems;
  result["facts"] = py::none();
  result["verdict"] = py::none();
  if (outcome.facts) {
    result["verdict"] = to_text(outcome.facts->verdict);
    result["facts"] = HeldFacts{std::make_shared<const Facts>(std::move(*outcome.facts))};
  }
  py::list held;
  for (const Hold& hold : outcome.held) held.append(py::make_tuple(hold.element, word_of(hold.mode), hold.since));
  result["held"] = held;
  result["columns"] = columns_of(std::move(outcome.data));
  result["error"] = call.error.value();
  return result;
}

py::dict run(const HeldScene& held, bool strict, std::optional<int> threads, const std::string& folder, const std::string& format,
             py::object progress) {
  LongCall call(std::move(progress));
  JobOutcome outcome;
  {
    const py::gil_scoped_release without_python;
    outcome =
        run_job(*held.scene, {.folder = folder, .format = format, .strict = strict, .threads = threads, .hooks = call.hooks()});
  }
  return dict_of(std::move(outcome), call);
}

py::dict resume(const std::string& folder, py::object progress) {
  LongCall call(std::move(progress));
  JobOutcome outcome;
  {
    const py::gil_scoped_release without_python;
    outcome = resume_job(folder, {.hooks = call.hooks()});
  }
  return dict_of(std::move(outcome), call);
}

py::dict check(const HeldScene& held, bool strict, bool deep, py::object progress) {
  LongCall call(std::move(progress));
  SceneCheck found;
  std::string text, json;
  {
    const py::gil_scoped_release without_python;
    found = check_scene(*held.scene, {.strict = strict, .deep = deep, .hooks = call.hooks()});
    json = to_json(found);
    if (found.can_run()) text = to_text(found);
  }
  py::dict result;
  result["ok"] = found.ok();
  result["problems"] = found.problems;
  result["json"] = json;
  result["text"] = text;
  result["error"] = call.error.value();
  return result;
}

std::string explanation(const HeldScene& held, const std::string& form) {
  const Scene& scene = *held.scene;
  if (!scene.inclusion) throw py::value_error(scene.file + ": has bodies and elements, no [inclusion]");
  return explain(*scene.inclusion,
                 form == "latex" ? Explanation::latex
                 : form == "cpp" ? Explanation::cpp
                                 : Explanation::text,
                 scene.title);
}

py::tuple swap(const HeldScene& held, const std::string& element, const std::string& law) {
  std::vector<std::string> problems;
  const auto swapped = swap_law(*held.scene, element, law, problems);
  return py::make_tuple(problems, swapped ? swapped->scene : "", swapped ? swapped->assumed : "");
}

using Columns = std::vector<std::tuple<std::string, std::string, Doubles>>;

std::optional<std::string> save(const HeldScene& held, const std::string& facts, const Columns& columns,
                                const std::string& folder) {
  JobOutcome outcome;
  outcome.facts = facts_of(facts);
  outcome.data = table_of(columns);
  const py::gil_scoped_release without_python;
  return save_job(*held.scene, outcome, folder);
}

/// What stands in the folder of a run: facts, columns, the resolved scene.
py::tuple read_folder(const std::string& folder) {
  std::vector<std::string> problems;
  const auto facts = read_facts(folder, problems);
  std::optional<Table> table;
  if (facts) table = read_table(folder + "/" + facts->files.data, problems);
  if (!table) return py::make_tuple(problems, py::none(), py::none(), py::none());
  return py::make_tuple(problems, to_json(*facts), columns_of(std::move(*table)), folder + "/" + facts->files.scene);
}

py::dict compare_runs(const std::string& label_a, const std::string& facts_a, const Columns& a, const std::string& label_b,
                      const std::string& facts_b, const Columns& b) {
  const RunComparison both = compare({label_a, facts_of(facts_a), table_of(a)}, {label_b, facts_of(facts_b), table_of(b)});
  py::list columns;
  for (const RunComparison::Column& column : both.columns)
    columns.append(py::make_tuple(column.quantity.name, column.quantity.unit, column.final[0], column.final[1],
                                  column.apart.difference, column.apart.time));
  py::dict result;
  result["text"] = to_text(both);
  result["page"] = to_page(both);
  result["columns"] = columns;
  return result;
}

}  // namespace

void add_scenes(py::module_& module) {
  module.def("read_scene", &read);
  module.def("scene_reference", &scene_format_markdown);
  module.def("run", &run);
  module.def("resume", &resume);
  module.def("check", &check);
  module.def("explain", &explanation);
  module.def("swap_law", &swap);
  module.def("save", &save);
  module.def("read_folder", &read_folder);
  module.def("compare", &compare_runs);
  module.def("summary", [](const std::string& facts) { return summary_of(facts_of(facts)); });
  module.def("doubts", [](const std::string& facts) { return doubts_of(facts_of(facts)); });
  module.def("page", [](const std::string& facts, const Columns& columns, const std::string& scene) {
    return report_page(facts_of(facts), table_of(columns), scene);
  });
  module.def("integration_methods", [] {
    std::vector<std::pair<std::string, bool>> list;
    for (const AboutMethod& method : integration_methods())
      if (method.available) list.emplace_back(method.name, method.adaptive);
    return list;
  });
  py::class_<HeldFacts>(module, "Facts").def("json", [](const HeldFacts& held) { return to_json(*held.facts); });
  py::class_<HeldScene>(module, "Scene")
      .def_property_readonly("title", [](const HeldScene& held) { return held.scene->title; })
      .def_property_readonly("resolved", [](const HeldScene& held) { return held.scene->resolved; })
      .def_property_readonly("is_inclusion", [](const HeldScene& held) { return held.scene->inclusion != nullptr; })
      .def_property_readonly("duration", [](const HeldScene& held) { return held.scene->run.duration; })
      .def_property_readonly("step", [](const HeldScene& held) { return held.scene->run.step; })
      .def_property_readonly("method", [](const HeldScene& held) { return held.scene->run.method; })
      .def_property_readonly("bodies",
                             [](const HeldScene& held) {
                               std::vector<std::string> names;
                               for (const SceneBody& body : held.scene->bodies) names.push_back(body.name);
                               return names;
                             })
      .def_property_readonly("elements",
                             [](const HeldScene& held) {
                               std::vector<std::pair<std::string, std::string>> names;
                               for (const SceneElement& element : held.scene->elements)
                                 names.emplace_back(element.name, element.law);
                               return names;
                             })
      .def_property_readonly("parameters", [](const HeldScene& held) {
        py::list list;
        for (const SceneParameter& p : held.scene->parameters)
          list.append(py::make_tuple(p.component, p.name, p.value, p.unit, p.meaning, p.is_default));
        return list;
      });
}

}  // namespace asperity::python
