// Laws from measured data.
#include "asperity/identify/identify.hpp"

#include <cmath>

#include "asperity/identify/stick_slip.hpp"
#include "bindings.hpp"

namespace asperity::python {
namespace {

using Columns = std::vector<std::tuple<std::string, std::string, Doubles>>;
using Fixed = std::vector<std::pair<std::string, double>>;

py::dict dict_of(const identify::Study& study, const identify::Judged& judged) {
  py::dict law;
  law["law"] = judged.law;
  py::list values;
  for (const Parameter& p : judged.fit.parameters)
    values.append(py::make_tuple(p.name, p.is_list ? py::cast(p.values) : py::cast(p.values.front())));
  law["parameters"] = values;
  py::list findings;
  for (const identify::Finding& one : judged.uncertainty.findings)
    findings.append(py::make_tuple(one.name, one.value, one.error, one.low, one.high, one.unit, one.remark));
  law["findings"] = findings;
  law["rms"] = judged.rms;
  law["unseen_rms"] = judged.unseen_rms;
  law["explained"] = judged.explained;
  law["states"] = judged.states;
  law["free"] = judged.uncertainty.parameters;
  law["mass"] = judged.fit.mass;
  law["viscous"] = judged.fit.viscous;
  law["offset"] = judged.fit.offset;
  law["identified"] = judged.is_identified();
  law["doubts"] = doubts(study, judged);
  law["scene"] = study_scene(study, judged);
  law["force"] = array_of(judged.fitted_force);
  return law;
}

py::dict run_identify(const std::vector<std::string>& laws, const std::string& name, const Columns& columns, const std::string& map,
                      const std::optional<Columns>& validate, const std::string& filter, std::optional<double> mass, bool viscous,
                      bool offset, int elements, bool robust, const Fixed& fixed,
                      const std::vector<std::tuple<std::string, double, double>>& bounds,
                      const std::optional<std::pair<double, double>>& train, const std::optional<std::pair<double, double>>& test,
                      py::object progress) {
  LongCall call(std::move(progress));
  std::vector<std::string> problems;
  identify::Request request;
  request.laws = laws;
  request.data = {name, table_of(columns)};
  request.map = identify::read_map(map, problems);
  if (!filter.empty())
    if (const auto read = identify::read_filter(filter, problems)) request.filter = *read;
  identify::FitSettings& settings = request.settings;
  settings.mass = mass;
  settings.viscous = viscous, settings.offset = offset, settings.robust = robust, settings.elements = elements;
  settings.fixed = fixed;
  for (const auto& [parameter, low, high] : bounds) settings.bounds.push_back({parameter, low, high});
  if (train) request.train = identify::Window{train->first, train->second, {}};
  if (test) request.test = identify::Window{test->first, test->second, {}};
  if (validate) request.validate = identify::Source{"validate", table_of(*validate)};
  identify::Outcome outcome;
  std::string page;
  {
    const py::gil_scoped_release without_python;
    request.hooks = call.hooks();
    if (problems.empty()) outcome = identify::run(request);
    if (outcome.study && !outcome.study->laws.empty()) page = study_page(*outcome.study, outcome.unseen());
  }
  problems.insert(problems.end(), outcome.problems.begin(), outcome.problems.end());
  py::dict found;
  found["problems"] = problems;
  found["stopped"] = outcome.stopped;
  found["error"] = call.error.value();
  py::list judged;
  if (outcome.study) {
    const identify::Study& study = *outcome.study;
    for (const identify::Judged& one : study.laws) judged.append(dict_of(study, one));
    if (!study.laws.empty()) {
      found["best"] = recommended(study.laws).law;
      found["advice"] = advice(study);
      found["text"] = study_text(study);
      found["json"] = study_facts(study);
      found["page"] = page;
    }
    found["notes"] = study.notes;
    found["t"] = array_of(outcome.data.samples.t);
    found["measured"] = array_of(outcome.data.samples.force);
    found["velocity"] = array_of(outcome.data.samples.velocity);
  }
  found["laws"] = judged;
  return found;
}

py::dict stick_slip(const std::vector<std::string>& laws, const std::string& name, const Columns& columns, const std::string& map,
                    double spring, double pull, std::optional<double> mass, std::optional<double> load, bool load_is_free,
                    std::optional<double> least, double predicted_spring, const std::optional<Columns>& other, const Fixed& fixed,
                    py::object progress) {
  LongCall call(std::move(progress));
  std::vector<std::string> problems;
  identify::SlipRequest request;
  request.laws = laws;
  request.data = {name, table_of(columns)};
  request.map = identify::read_map(map, problems);
  request.spring = spring, request.pull = pull, request.mass = mass, request.load = load, request.load_is_free = load_is_free;
  request.least = least, request.predicted_spring = predicted_spring, request.fixed = fixed;
  if (other) request.other = identify::Source{"validate", table_of(*other)};
  identify::SlipStudy study;
  {
    const py::gil_scoped_release without_python;
    request.hooks = call.hooks();
    if (problems.empty()) study = identify::run(request);
  }
  problems.insert(problems.end(), study.problems.begin(), study.problems.end());
  py::dict found;
  found["problems"] = problems;
  found["stopped"] = study.stopped;
  found["error"] = call.error.value();
  if (problems.empty()) {
    found["text"] = slip_text(study);
    found["json"] = slip_facts(study);
  }
  return found;
}

}  // namespace

void add_identify(py::module_& module) {
  module.def("identify", &run_identify);
  module.def("identify_laws", &identify::model_names);
  module.def("stick_slip", &stick_slip);
  module.def("stick_slip_laws", &identify::slip_laws);
  module.def("read_table", [](const std::string& path) {
    std::vector<std::string> problems;
    auto table = read_table(path, problems);
    return py::make_tuple(problems, table ? py::object(columns_of(std::move(*table))) : py::none());
  });
}

}  // namespace asperity::python
