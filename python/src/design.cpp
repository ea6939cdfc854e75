// Parameters by rule, and how masses come back from contacts.
#include "asperity/design/impacts.hpp"
#include "asperity/design/tell.hpp"
#include "bindings.hpp"

namespace asperity::python {
namespace {

using Found = py::object;  // None where there are problems

std::pair<Found, std::vector<std::string>> contact(const std::string& law, double mass,
                                                   const std::vector<std::pair<double, double>>& bounces, const std::string& scale,
                                                   double size, std::optional<double> step, std::optional<double> ratio,
                                                   std::optional<double> gamma, double lambda) {
  design::ContactWish wish{
      .law = law, .mass = mass, .bounces = {}, .size = size, .step = step, .ratio = ratio, .gamma = gamma, .lambda = lambda};
  for (const auto& [speed, restitution] : bounces) wish.bounces.push_back({speed, restitution});
  using design::Scale;
  wish.scale = scale == "contact_time" ? Scale::contact_time : scale == "stiffness" ? Scale::stiffness : Scale::penetration;
  std::vector<std::string> problems;
  std::optional<design::ContactDesign> found;
  LongCall call;
  {
    const py::gil_scoped_release without_python;
    if (scale.empty() && step) {
      if (auto sized = design::sized_by_step(wish, problems, call.hooks())) wish = *sized;
    } else {
      problems = problems_of(wish);
    }
    if (problems.empty()) found = design_contact(wish, problems, call.hooks());
  }
  call.raise_error();
  if (!found) return {py::none(), problems};
  py::dict made;
  made["json"] = to_json(wish, *found);
  made["text"] = to_text(wish, *found);
  return {made, problems};
}

std::pair<Found, std::vector<std::string>> friction(double limit, double mass, double step, const std::string& method,
                                                    std::optional<double> displacement,
                                                    const std::optional<std::tuple<double, double, double>>& shake) {
  design::FrictionWish wish{.limit = limit, .mass = mass, .step = step, .displacement = displacement};
  std::vector<std::string> problems;
  if (const auto known = design::fixed_step(method)) wish.method = *known;
  else problems.push_back("method = \"" + method + "\": must be rk4, rk4-lookahead, euler or step");
  if (shake) wish.shake = design::Shake{std::get<0>(*shake), std::get<1>(*shake), std::get<2>(*shake)};
  for (const std::string& problem : problems_of(wish)) problems.push_back(problem);
  if (!problems.empty()) return {py::none(), problems};
  design::HeldFriction held;
  LongCall call;
  {
    const py::gil_scoped_release without_python;
    held = design::hold(wish, call.hooks());
  }
  call.raise_error();
  problems = shortfalls(wish, held.design);
  if (problems.empty() && held.slips()) problems.emplace_back("the check run slips: use a larger limit or a shorter step");
  if (!problems.empty()) return {py::none(), problems};
  py::dict made;
  made["json"] = to_json(wish, held);
  made["text"] = to_text(wish, held);
  return {made, problems};
}

py::tuple scene(const std::string& text, const std::string& file, const std::vector<std::string>& settings, bool fill_in) {
  std::vector<SceneProblem> problems;
  std::optional<design::SceneDesign> made;
  LongCall call;
  {
    const py::gil_scoped_release without_python;
    made = (fill_in ? design::fill_in_scene : design::design_scene)(text, file, settings, problems, call.hooks());
  }
  call.raise_error();
  if (!made) return py::make_tuple(py::none(), tuples_of(problems));
  py::dict found;
  std::vector<std::string> left;
  for (const Warning& warning : made->left) left.push_back(warning.text);
  found["json"] = to_json(*made);
  found["text"] = to_text(*made);
  found["scene"] = made->text;
  found["warnings"] = left;
  return py::make_tuple(found, tuples_of(problems));
}

using Axis = std::tuple<std::string, double, double, std::size_t, bool>;

py::dict impacts(const Law& law, std::optional<double> mass, const std::vector<double>& speeds, const std::vector<Axis>& axes,
                 std::optional<double> tolerance, int threads, py::object progress) {
  LongCall call(std::move(progress));
  design::ImpactRequest request{
      .law = law.law, .mass = mass.value_or(1), .speeds = speeds, .tolerance = tolerance, .threads = threads};
  for (const auto& [name, low, high, count, log] : axes) request.sweeps.push_back({name, low, high, count, log});
  design::ImpactAnswer answer;
  std::vector<std::string> problems;
  {
    const py::gil_scoped_release without_python;
    request.hooks = call.hooks();
    problems = problems_of(request);
    for (const design::Sweep& sweep : request.sweeps)
      for (const std::string& problem : problems_of(*request.law, sweep, sweep.name)) problems.push_back(problem);
    if (problems.empty() && !request.sweeps.empty()) problems = problems_of(*request.law, request.sweeps, "map");
    if (problems.empty()) answer = design::impacts(request);
  }
  py::dict found;
  problems.insert(problems.end(), answer.problems.begin(), answer.problems.end());
  found["problems"] = problems;
  found["warnings"] = answer.warnings;
  found["method"] = answer.method;
  found["stopped"] = answer.stopped;
  found["restitution"] = array_of(answer.restitutions);
  const auto column = [&](double design::Rebound::*member) {
    std::vector<double> values;
    for (const design::Rebound& rebound : answer.rebounds) values.push_back(rebound.*member);
    return array_of(std::move(values));
  };
  found["contact_time"] = column(&design::Rebound::contact_time);
  found["deepest"] = column(&design::Rebound::deepest);
  found["residual"] = column(&design::Rebound::residual);
  found["peak_force"] = column(&design::Rebound::peak_force);
  std::vector<py::array_t<double>> values;
  for (const design::Sweep& sweep : answer.sweeps) {
    std::vector<double> at(sweep.count);
    for (std::size_t i = 0; i < sweep.count; ++i) at[i] = sweep.at(i);
    values.push_back(array_of(std::move(at)));
  }
  found["axes"] = values;
  found["error"] = call.error.value();
  return found;
}

}  // namespace

void add_design(py::module_& module) {
  module.def("design_contact", &contact);
  module.def("design_contact_laws", &design::contact_design_laws);
  module.def("design_friction", &friction);
  module.def("design_scene", &scene);
  module.def("impacts", &impacts);
  module.def("impact_laws", &design::impact_laws);
}

}  // namespace asperity::python
