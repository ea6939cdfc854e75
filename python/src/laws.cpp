// Laws by name: what they say of themselves, driven by samples, as a right-hand side, one sample at a time.
#include <algorithm>
#include <cmath>

#include "asperity/batch/follow.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/trace.hpp"
#include "bindings.hpp"

namespace asperity::python {
namespace {

constexpr std::size_t samples_between_looks = 1 << 20;  // for Ctrl-C

py::tuple tuple_of(const Parameter& p) {
  return py::make_tuple(p.name, p.is_list ? py::cast(p.values) : py::cast(p.values.front()), p.unit, to_text(p.range), p.meaning,
                        p.is_list);
}
py::list list_of(const std::vector<Parameter>& parameters) {
  py::list list;
  for (const Parameter& p : parameters) list.append(tuple_of(p));
  return list;
}

std::string_view kind_word(Kind kind) {
  switch (kind) {
    case Kind::friction:
      return "friction";
    case Kind::contact:
      return "contact";
    case Kind::composite:
      return "composite";
    case Kind::spring:
      break;
  }
  return "spring";
}

/// All that a class is made of.
py::dict catalogue_entry(const std::string& name) {
  const auto law = make_law(name);
  const About& about = law->about();
  py::list states;
  for (const StateEntry& entry : law->states()) states.append(py::make_tuple(entry.name, entry.unit, entry.meaning));
  py::dict entry;
  entry["name"] = name;
  entry["type"] = law->type_name();
  entry["kind"] = kind_word(about.kind);
  entry["title"] = about.title;
  entry["equation"] = about.equation;
  entry["source"] = about.source;
  entry["use"] = about.use;
  entry["avoid"] = about.avoid;
  entry["cannot"] = about.cannot;
  entry["quirk"] = about.quirk_note;
  entry["discrete"] = about.discrete;
  entry["elements"] = law->has_elements();
  entry["parameters"] = list_of(law->parameters());
  entry["states"] = states;
  return entry;
}

using Value = std::variant<double, std::vector<double>, std::string, std::vector<std::string>>;

/// A law with its parameters, and every problem there is.
std::pair<std::optional<Law>, std::vector<std::string>> new_law(const std::string& name, std::optional<int> elements,
                                                                const std::vector<std::pair<std::string, Value>>& given) {
  std::vector<std::string> problems;
  auto law = make_law(name);
  if (elements && !law->has_elements()) problems.push_back("elements: " + name + " is not made of elements");
  else if (elements && (*elements < 1 || *elements > 1000))
    problems.push_back("elements = " + std::to_string(*elements) + ": must be between 1 and 1000");
  else if (elements) law->set_elements(*elements);
  const std::vector<Parameter> known = law->parameters();
  const auto set = [&](const std::string& parameter, const std::vector<double>& values) {
    if (auto problem = law->set(parameter, values)) problems.push_back(*problem);
  };
  std::vector<std::pair<std::string, double>> exponents;
  const auto quantity = [&](const Parameter& p, const std::string& text) {
    std::string problem;
    const auto number = read_quantity(text, p.unit, problem, exponents);
    if (!number) problems.push_back(p.name + " = \"" + text + "\" " + problem);
    return number.value_or(p.values.front());
  };
  // Numbers first: a unit may have one of them as its power.
  for (const auto& [parameter, value] : given)
    if (const auto* number = std::get_if<double>(&value)) set(parameter, {*number});
    else if (const auto* list = std::get_if<std::vector<double>>(&value)) set(parameter, *list);
  for (const Parameter& p : law->parameters())
    if (p.range.role == Role::exponent) exponents.emplace_back(p.name, p.values.front());
  for (const auto& [parameter, value] : given) {
    const auto found = std::find_if(known.begin(), known.end(), [&name = parameter](const Parameter& p) { return p.name == name; });
    if (const auto* text = std::get_if<std::string>(&value)) {
      set(parameter, {found == known.end() ? 0.0 : quantity(*found, *text)});
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
      std::vector<double> numbers;
      for (const std::string& one : *texts) numbers.push_back(found == known.end() ? 0.0 : quantity(*found, one));
      set(parameter, numbers);
    }
  }
  if (problems.empty()) {
    problems = law->problems();
  } else {  // what is out of range is told, too; relations with what was not read are not
    for (const Parameter& p : law->parameters())
      for (std::string& problem : range_problems(p)) problems.push_back(std::move(problem));
  }
  if (!problems.empty()) return {std::nullopt, problems};
  return {Law{std::move(law)}, problems};
}

/// Forces of a law: what it is not asked for is None.
struct Answer {
  bool normal, tangential;
  explicit Answer(const AnyLaw& law) : normal(law.about().kind != Kind::friction), tangential(law.about().kind != Kind::contact) {}
  py::object operator()(const ContactForce& f) const {
    if (normal && tangential) return py::make_tuple(f.normal, f.tangential);
    return py::float_(normal ? f.normal : f.tangential);
  }
};

const double* data_of(const std::optional<Doubles>& array) { return array ? array->data() : nullptr; }

/// The inputs of the law in lanes, in the order of BatchColumns::inputs, and what they are where they are not given.
struct LaneInputs {
  std::vector<const double*> columns;
  std::vector<double> usual;

  LaneInputs(const AnyLaw& law, const SampledMotion& given) {
    const Motion none{};
    if (law.about().kind == Kind::friction) {
      columns = {given.velocity, given.load}, usual = {none.velocity, none.load};
    } else {
      columns = {given.gap, given.gap_rate}, usual = {none.gap, none.gap_rate};
      if (law.about().kind == Kind::composite) columns.push_back(given.velocity), usual.push_back(none.velocity);
    }
  }
};

/// Whether all systems go in lanes.
bool goes_in_lanes(const AnyLaw& law, std::size_t systems) {
  if (law.hybrid() || systems < lanes(best_isa())) return false;
  std::size_t numbers = 0;
  for (const Parameter& p : law.parameters()) numbers += p.values.size();
  const BatchColumns columns = batch_columns(law.about().name);
  return columns.parameters == numbers && columns.states == law.start().size();
}

void look_for_signals() {
  const py::gil_scoped_acquire python;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// systems x samples, system by system. The states, system by system, move along. Arrays are checked in Python.
py::object follow(const Law& held, const std::optional<Doubles>& velocity, const std::optional<Doubles>& load,
                  const std::optional<Doubles>& gap, const std::optional<Doubles>& gap_rate, std::size_t systems,
                  std::size_t samples, double dt, Doubles states) {
  const AnyLaw& law = *held.law;
  const Answer answer(law);
  const std::size_t all = systems * samples, size = law.start().size();
  std::vector<double> normal(answer.normal ? all : 0), tangential(answer.tangential ? all : 0);
  SampledMotion motion{all, data_of(velocity), data_of(load), data_of(gap), data_of(gap_rate)};
  double* const z = states.mutable_data();
  {
    const py::gil_scoped_release without_python;
    if (goes_in_lanes(law, systems)) {
      std::vector<double> numbers, turned(size * systems);
      for (const Parameter& p : law.parameters()) numbers.insert(numbers.end(), p.values.begin(), p.values.end());
      for (std::size_t k = 0; k < systems; ++k)
        for (std::size_t i = 0; i < size; ++i) turned[i * systems + k] = z[k * size + i];
      const LaneInputs inputs(law, motion);
      // A few systems at a time, so that Ctrl-C is heard.
      const std::size_t block = std::max<std::size_t>(128, samples_between_looks / std::max<std::size_t>(1, samples));
      for (std::size_t first = 0; first < systems; first += block) {
        std::vector<double*> columns, forces;
        std::vector<const double*> in;
        for (std::size_t i = 0; i < size; ++i) columns.push_back(turned.data() + i * systems + first);
        for (const double* column : inputs.columns) in.push_back(column ? column + first * samples : nullptr);
        if (answer.normal) forces.push_back(normal.data() + first * samples);
        if (answer.tangential) forces.push_back(tangential.data() + first * samples);
        follow_batch(best_isa(), law.about().name, std::min(block, systems - first), samples, numbers, columns, in, inputs.usual,
                     dt, forces);
        look_for_signals();
      }
      for (std::size_t k = 0; k < systems; ++k)
        for (std::size_t i = 0; i < size; ++i) z[k * size + i] = turned[i * systems + k];
    } else {
      std::size_t since = 0;
      for (std::size_t k = 0; k < systems; ++k)
        for (std::size_t from = 0; from < samples; from += samples_between_looks) {
          const std::size_t at = k * samples + from, count = std::min(samples_between_looks, samples - from);
          const auto part = [&](const double* column) { return column ? column + at : nullptr; };
          law.follow({z + k * size, size},
                     {count, part(motion.velocity), part(motion.load), part(motion.gap), part(motion.gap_rate)}, dt,
                     answer.normal ? normal.data() + at : nullptr, answer.tangential ? tangential.data() + at : nullptr);
          if ((since += count) < samples_between_looks) continue;
          since = 0;
          look_for_signals();
        }
    }
  }
  if (answer.normal && answer.tangential) return py::make_tuple(array_of(std::move(normal)), array_of(std::move(tangential)));
  return array_of(std::move(answer.normal ? normal : tangential));
}

/// The law driven by formulas of t; columns, and why it ended early.
py::tuple trace(const Law& held, const std::optional<std::string>& velocity, const std::optional<std::string>& position,
                const std::optional<std::string>& load, const std::optional<std::string>& gap, double duration, double step,
                int method) {
  std::vector<std::string> problems;
  const auto function = [&](const char* place, const std::optional<std::string>& formula) {
    return formula ? time_function(place, *formula, problems) : std::nullopt;
  };
  auto v = function("velocity", velocity), x = function("position", position), n = function("load", load), g = function("gap", gap);
  if (!problems.empty()) return py::make_tuple(problems, py::none(), "");
  const double width = step / 512;  // of the differences that make velocities of positions
  Drive drive;
  if (v) drive.slip = course_of_velocity(std::move(*v), 0);
  else if (x) drive.slip = course_of_position(std::move(*x), width);
  if (g) drive.gap = course_of_position(std::move(*g), width);
  if (n) drive.load = std::move(*n);
  Trace found;
  LongCall call;
  {
    const py::gil_scoped_release without_python;
    found = run_trace(
        *held.law, drive,
        {.step = step, .steps = std::llround(duration / step), .method = static_cast<TraceMethod>(method), .hooks = call.hooks()});
  }
  call.raise_error();
  py::list columns;
  for (Column& column : found.columns) columns.append(py::make_tuple(column.name, column.unit, array_of(std::move(column.values))));
  return py::make_tuple(problems, columns, found.stop ? found.stop->what : "");
}

/// One state and motion, or columns of them: (states, m).
py::tuple react(const Law& held, const Doubles& state, const Doubles& motion, double tau) {
  const AnyLaw& law = *held.law;
  const std::size_t size = law.start().size(), m = static_cast<std::size_t>(motion.shape(1));
  const Answer answer(law);
  std::vector<double> normal(m), tangential(m), z(size), rate(size);
  py::array_t<double> rates({size, m});
  const double *const from = state.data(), *const in = motion.data();
  double* const to = rates.mutable_data();
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t i = 0; i < size; ++i) z[i] = from[i * m + k];
    const ContactForce f = law.react(z, {in[k], in[m + k], in[2 * m + k], in[3 * m + k]}, tau, rate);
    normal[k] = f.normal, tangential[k] = f.tangential;
    for (std::size_t i = 0; i < size; ++i) to[i * m + k] = rate[i];
  }
  if (answer.normal && answer.tangential)
    return py::make_tuple(py::make_tuple(array_of(std::move(normal)), array_of(std::move(tangential))), rates);
  return py::make_tuple(array_of(std::move(answer.normal ? normal : tangential)), rates);
}

/// The same for one, as solve_ivp asks thousands of times.
py::tuple react_once(const Law& held, const Doubles& state, const Motion& motion, double tau) {
  const AnyLaw& law = *held.law;
  const auto size = static_cast<std::size_t>(state.size());
  py::array_t<double> rate(static_cast<py::ssize_t>(size));
  const ContactForce f = law.react({state.data(), size}, motion, tau, {rate.mutable_data(), size});
  return py::make_tuple(Answer(law)(f), rate);
}

class Stepper {
 public:
  Stepper(const Law& held, double dt) : law_(held.law), answer_(*law_), dt_(dt), state_(law_->start()) {}

  py::object friction(double velocity, double load) { return go({velocity, load, 0, 0}); }
  py::object contact(double gap, double gap_rate) { return go({0, 1, gap, gap_rate}); }
  py::object composite(double gap, double gap_rate, double velocity) { return go({velocity, 1, gap, gap_rate}); }
  std::vector<double> state() const { return state_; }
  void set_state(const Doubles& state) { std::copy_n(state.data(), state_.size(), state_.begin()); }

 private:
  py::object go(const Motion& motion) {
    const auto check = [](const char* name, double value) {
      if (!std::isfinite(value)) throw py::value_error(std::string(name) + " = " + to_text(value) + ": must be a finite number");
    };
    check("velocity", motion.velocity), check("load", motion.load), check("gap", motion.gap), check("gap_rate", motion.gap_rate);
    if (motion.load < 0) throw py::value_error("load = " + to_text(motion.load) + ": must be >= 0");
    ContactForce force;
    law_->follow(state_, {1, &motion.velocity, &motion.load, &motion.gap, &motion.gap_rate}, dt_, &force.normal, &force.tangential);
    return answer_(force);
  }

  std::shared_ptr<const AnyLaw> law_;
  Answer answer_;
  double dt_;
  std::vector<double> state_;
};

}  // namespace

void add_laws(py::module_& module) {
  module.def("law_names", &law_names);
  module.def("catalogue_entry", &catalogue_entry);
  module.def("lanes", [] { return lanes(best_isa()); });
  module.def("new_law", &new_law);
  module.def("quantity", [](const std::string& text, const std::string& unit) {
    std::string problem;
    const auto number = read_quantity(text, unit, problem);
    return std::pair(number.value_or(0), number ? std::string() : "= \"" + text + "\" " + problem);
  });
  py::class_<Law>(module, "Law")
      .def("parameters", [](const Law& held) { return list_of(held.law->parameters()); })
      .def("start", [](const Law& held) { return array_of(held.law->start()); })
      .def("goes_in_lanes", [](const Law& held, std::size_t systems) { return goes_in_lanes(*held.law, systems); })
      .def("follow", &follow)
      .def("trace", &trace)
      .def("react", &react)
      .def("react_once",
           [](const Law& held, const Doubles& state, double velocity, double load, double gap, double gap_rate, double tau) {
             return react_once(held, state, {velocity, load, gap, gap_rate}, tau);
           })
      .def("energy", [](const Law& held, const Doubles& state, double velocity, double load, double gap, double gap_rate) {
        return held.law->energy({state.data(), static_cast<std::size_t>(state.size())}, {velocity, load, gap, gap_rate});
      });
  py::class_<Stepper>(module, "Stepper")
      .def(py::init<const Law&, double>())
      .def("friction", &Stepper::friction)
      .def("contact", &Stepper::contact)
      .def("composite", &Stepper::composite)
      .def("state", &Stepper::state)
      .def("set_state", &Stepper::set_state);
}

}  // namespace asperity::python
