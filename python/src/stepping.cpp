// A scene step by step, pushed from outside: for controllers and learners.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "asperity/facts/facts.hpp"
#include "asperity/job/job.hpp"
#include "bindings.hpp"

namespace asperity::python {
namespace {

/// A world of its own, whose bodies can all be pushed: the force holds until it is changed.
class Stepping {
 public:
  Stepping(const std::string& text, const std::string& file, const std::vector<std::string>& settings, double duration,
           double every, bool record) {
    std::vector<SceneProblem> problems;
    scene_ = read_scene(text, file, settings, problems);
    if (!scene_) throw py::value_error(problems.empty() ? "no scene" : to_text(problems.front()));
    // Bodies come first of all in a state; `names` is the order of their forces.
    const Readings readings(scene_->world);
    for (const Readings::Body& body : readings.bodies()) {
      auto* const pool = const_cast<BodyPool*>(body.pool);  // of our own world, which is not constant yet
      if (pool->is_given || scene_->inclusion) continue;    // it follows its course, or its equations, whatever pushes it
      pushed_.push_back({body.name(), forces_->size(), pool->force_numbers(), pool->turns});
      for (std::size_t c = 0; c < pool->force_numbers(); ++c) {
        scene_->world.push(
            {pool, static_cast<std::uint32_t>(body.index)}, c, [all = forces_, i = forces_->size()](double) { return (*all)[i]; },
            Outline{});
        forces_->push_back(0);
      }
    }
    RunOptions options = scene_->run;
    options.duration = duration;
    options.max_steps = std::numeric_limits<double>::max();
    options.record.every = every;
    if (!record) options.record = {};
    else if (options.record.columns.empty()) options.record.columns = {"*"};
    if (record) options.record.sink = sink_ = std::make_shared<MemorySink>();
    run_ = std::make_unique<Run>(scene_->world, options);
  }

  /// The forces and torques on a body that hold from now on.
  void push(const std::string& body, const std::vector<double>& numbers, std::size_t first) {
    check_idle();
    for (const Pushed& one : pushed_)
      if (one.name == body) {
        for (std::size_t i = 0; i < numbers.size() && first + i < one.count; ++i) (*forces_)[one.first + first + i] = numbers[i];
        changed_ = true;
        return;
      }
    throw py::key_error(body);
  }
  std::vector<std::tuple<std::string, std::size_t, bool>> bodies() const {
    std::vector<std::tuple<std::string, std::size_t, bool>> list;
    for (const Pushed& one : pushed_) list.emplace_back(one.name, one.count, one.turns);
    return list;
  }

  /// Steps that were made: fewer at the end, or after a failure.
  long step(long count) {
    check_idle();
    if (std::exchange(changed_, false)) run_->inputs_changed();
    if (count == 1) return run_->step() ? 1 : 0;
    struct Busy {
      bool& flag;
      explicit Busy(bool& of) : flag(of) { flag = true; }
      ~Busy() { flag = false; }
    } const busy(busy_);  // is set and cleared while this thread holds Python
    const py::gil_scoped_release without_python;
    Ticker ticker;
    long made = 0;
    while (made < count && run_->step()) {
      ++made;
      if (!ticker.tick()) continue;
      const py::gil_scoped_acquire python;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return made;
  }

  double value(const std::string& name) const {
    check_idle();
    return run_->value(name);
  }
  double time() const {
    check_idle();
    return run_->time();
  }
  std::vector<double> state() const {
    check_idle();
    return {run_->state().begin(), run_->state().end()};
  }
  std::vector<std::pair<std::string, std::string>> quantities() const {
    std::vector<std::pair<std::string, std::string>> list;
    for (const Quantity& q : run_->quantities()) list.emplace_back(q.name, q.unit);
    return list;
  }
  std::optional<std::string> failure() const { return run_->failure() ? std::optional(run_->failure()->text) : std::nullopt; }
  std::vector<std::string> warnings() const {
    std::vector<std::string> list;
    for (const Warning& warning : run_->warnings()) list.push_back(warning.text);
    return list;
  }

  /// As a run that ended here.
  py::dict result() const {
    check_idle();
    const Facts facts = facts_of(*scene_, *run_, {.finished = !run_->failure()});
    py::list held, columns;
    for (const Hold& hold : held_in(*run_)) held.append(py::make_tuple(hold.element, word_of(hold.mode), hold.since));
    for (const Quantity& q : run_->columns())
      columns.append(py::make_tuple(q.name, q.unit, array_of(sink_ ? sink_->column(q.name) : std::vector<double>{})));
    py::dict result;
    result["end"] = run_->failure() ? "failed" : "finished";
    result["facts"] = HeldFacts{std::make_shared<const Facts>(facts)};
    result["held"] = held;
    result["columns"] = columns;
    result["problems"] = std::vector<std::string>{};
    return result;
  }

 private:
  /// Steps without Python leave it to other threads, which may not touch the run meanwhile.
  void check_idle() const {
    if (busy_) throw std::runtime_error("this simulation is stepping in another thread");
  }

  struct Pushed {
    std::string name;
    std::size_t first, count;  // in the forces
    bool turns;
  };
  std::unique_ptr<Scene> scene_;
  std::shared_ptr<std::vector<double>> forces_ = std::make_shared<std::vector<double>>();
  std::vector<Pushed> pushed_;
  std::shared_ptr<MemorySink> sink_;
  std::unique_ptr<Run> run_;
  bool changed_ = false, busy_ = false;
};

}  // namespace

void add_stepping(py::module_& module) {
  py::class_<Stepping>(module, "Stepping")
      .def(py::init<const std::string&, const std::string&, const std::vector<std::string>&, double, double, bool>())
      .def("push", &Stepping::push)
      .def("bodies", &Stepping::bodies)
      .def("step", &Stepping::step)
      .def("value", &Stepping::value)
      .def("time", &Stepping::time)
      .def("state", &Stepping::state)
      .def("quantities", &Stepping::quantities)
      .def("failure", &Stepping::failure)
      .def("warnings", &Stepping::warnings)
      .def("result", &Stepping::result);
}

}  // namespace asperity::python
