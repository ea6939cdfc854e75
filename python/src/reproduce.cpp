// The experiments of the papers.
#include <algorithm>

#include "asperity/reproduce/carry_out.hpp"
#include "asperity/reproduce/facts_json.hpp"
#include "asperity/reproduce/gallery.hpp"
#include "bindings.hpp"

namespace asperity::python {
namespace {

using reproduce::Experiment;

py::tuple tuple_of(const reproduce::Fact& fact) {
  const auto& expected = fact.expected;
  return py::make_tuple(fact.name, fact.value, fact.unit, std::string(verdict(fact)),
                        expected ? py::cast(expected->value) : py::none(), expected ? py::cast(expected->tolerance) : py::none(),
                        expected ? std::string(to_text(expected->source)) + ": " + expected->from : std::string(), fact.at);
}

py::dict dict_of(const reproduce::Result& result) {
  py::dict found;
  found["id"] = result.experiment->id;
  found["failure"] = result.failure;
  found["passed"] = result.passed();
  py::list facts, pictures;
  for (const reproduce::Fact& fact : result.findings.facts) facts.append(tuple_of(fact));
  for (const reproduce::Picture& picture : result.findings.pictures)
    pictures.append(py::make_tuple(picture.caption, reproduce::to_svg(picture)));
  found["facts"] = facts;
  found["pictures"] = pictures;
  found["differs"] = result.findings.differs;
  found["doubts"] = lines_of(result.findings.doubts);
  found["doubted"] = result.findings.doubted;
  return found;
}

/// `ids` are known ones.
py::dict run_experiments(const std::vector<std::string>& ids, int threads, py::object progress) {
  LongCall call(std::move(progress));
  std::vector<const Experiment*> chosen;
  for (const Experiment& one : reproduce::experiments())
    if (std::find(ids.begin(), ids.end(), one.id) != ids.end()) chosen.push_back(&one);
  std::vector<reproduce::Result> results;
  std::string page, json;
  {
    const py::gil_scoped_release without_python;
    const Hooks hooks = call.hooks();
    results = reproduce::carry_out(
        chosen, threads,
        [&](const reproduce::Progress& now) {
          hooks.progress({now.cost_done, now.cost_all, 0, now.at_work.empty() ? "" : now.at_work.front()});
        },
        hooks.stop);
    page = reproduce::gallery_page(results);
    json = reproduce::facts_json(results);
  }
  py::dict found;
  py::list list;
  for (const reproduce::Result& result : results) list.append(dict_of(result));
  found["results"] = list;
  found["page"] = page;
  found["json"] = json;
  found["error"] = call.error.value();
  return found;
}

}  // namespace

void add_reproduce(py::module_& module) {
  module.def("experiments", [] {
    py::list list;
    for (const Experiment& one : reproduce::experiments())
      list.append(py::make_tuple(one.id, one.paper, one.where, one.title, one.about));
    return list;
  });
  module.def("reproduce", &run_experiments);
}

}  // namespace asperity::python
