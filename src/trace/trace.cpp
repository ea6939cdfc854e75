#include "asperity/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/integrate/stage.hpp"

namespace asperity {
namespace {

const Column* find_column(const std::vector<Column>& columns, std::string_view name) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

/// Where the law is and how it moves there.
struct Moment {
  double slip = 0;
  Motion motion;
};

/// The motion of a drive at a time.
class Driver {
 public:
  explicit Driver(const Drive& drive) : drive_(drive) {}

  Moment at(double t, KinkSide side) const {
    Moment m;
    if (drive_.slip) m.slip = drive_.slip->position(t), m.motion.velocity = drive_.slip->velocity(t, side);
    if (drive_.gap) m.motion.gap = drive_.gap->position(t), m.motion.gap_rate = drive_.gap->velocity(t, side);
    if (drive_.load) m.motion.load = drive_.load(t);
    return m;
  }

  /// In sampled time: what a controller sees that measures positions.
  Moment first_sample(double t) const {
    Moment m = at(t, KinkSide::right);
    if (drive_.slip && drive_.slip->positions_only()) m.motion.velocity = 0;
    if (drive_.gap && drive_.gap->positions_only()) m.motion.gap_rate = 0;
    return m;
  }
  Moment sample(double t, double h, const Moment& before) const {
    Moment m = at(t, KinkSide::left);
    if (drive_.slip && drive_.slip->positions_only()) m.motion.velocity = (m.slip - before.slip) / h;
    if (drive_.gap && drive_.gap->positions_only()) m.motion.gap_rate = (m.motion.gap - before.motion.gap) / h;
    return m;
  }

  /// The first number of the motion that no law can take.
  std::optional<std::string> problem(const Moment& m) const {
    std::optional<std::string> found;
    const auto check = [&](std::string_view name, double value, std::string_view unit) {
      if (!found && !std::isfinite(value)) found = fmt::format("{} = {}{}: must be a finite number", name, value, unit);
    };
    if (drive_.slip) check("velocity", m.motion.velocity, " m/s"), check("position", m.slip, " m");
    if (drive_.gap) check("gap_rate", m.motion.gap_rate, " m/s"), check("gap", m.motion.gap, " m");
    if (drive_.load) check("load", m.motion.load, "");
    if (!found && m.motion.load < 0) found = fmt::format("load = {:g}: must be >= 0", m.motion.load);
    return found;
  }

 private:
  const Drive& drive_;
};

/// Writes rows, and keeps the energy account.
class Recorder {
 public:
  Recorder(const AnyLaw& law, const Drive& drive, std::size_t rows) : law_(law) {
    add("t", "s", time_);
    if (drive.slip) add("position", "m", moment_.slip), add("velocity", "m/s", moment_.motion.velocity);
    if (drive.gap) add("gap", "m", moment_.motion.gap), add("gap_rate", "m/s", moment_.motion.gap_rate);
    if (drive.load) add("load", law.about().kind == Kind::friction ? "" : "N", moment_.motion.load);
    const bool composite = law.about().kind == Kind::composite;
    if (law.about().kind != Kind::friction) add(composite ? "normal_force" : "force", "N", force_.normal);
    if (law.about().kind != Kind::contact) add(composite ? "tangential_force" : "force", "N", force_.tangential);
    state_ = law.start();
    const auto entries = law.states();
    for (std::size_t i = 0; i < entries.size(); ++i) add(entries[i].name, entries[i].unit, state_[i]);
    if (law.about().stores) add("energy_stored", "J", stored_);
    add("work_in", "J", work_);
    add("energy_dissipated", "J", dissipated_);
    for (Column& column : trace_.columns) column.values.reserve(rows);
  }

  /// False when a number is not finite: the trace ends with the row before.
  bool record(double t, const Moment& moment, const ContactForce& force, const std::vector<double>& state, double work) {
    time_ = t, moment_ = moment, force_ = force, work_ = work;
    std::copy(state.begin(), state.end(), state_.begin());
    stored_ = law_.energy(state, moment.motion);
    if (trace_.rows() == 0) stored_at_start_ = stored_;
    dissipated_ = work_ - stored_ + stored_at_start_;
    for (std::size_t i = 0; i < trace_.columns.size(); ++i)
      if (!std::isfinite(*sources_[i])) {
        stop(TraceStop::Cause::law, t, fmt::format("{} = {} {}", trace_.columns[i].name, *sources_[i], trace_.columns[i].unit));
        return false;
      }
    for (std::size_t i = 0; i < trace_.columns.size(); ++i) trace_.columns[i].values.push_back(*sources_[i]);
    return true;
  }

  void stop(TraceStop::Cause cause, double t, std::string what) { trace_.stop = TraceStop{cause, t, std::move(what)}; }
  Trace take() { return std::move(trace_); }

 private:
  void add(std::string name, std::string unit, const double& source) {
    trace_.columns.push_back({std::move(name), std::move(unit), {}});
    sources_.push_back(&source);
  }

  const AnyLaw& law_;
  Trace trace_;
  std::vector<const double*> sources_;
  double time_ = 0, stored_ = 0, stored_at_start_ = 0, work_ = 0, dissipated_ = 0;
  Moment moment_;
  ContactForce force_;
  std::vector<double> state_;
};

/// As a control loop calls it: one react() a sample, with the sample time as look-ahead.
void run_sampled(const AnyLaw& law, const Driver& driver, const TraceSettings& s, Recorder& recorder) {
  std::vector<double> z = law.start(), rate(z.size());
  double work = 0;
  Moment before;
  ContactForce force_before;
  StepWatch watch(s.hooks, static_cast<double>(s.steps));
  for (std::int64_t k = 0; k <= s.steps; ++k) {
    const double t = s.start + static_cast<double>(k) * s.step;
    if (watch.stops(static_cast<double>(k))) return recorder.stop(TraceStop::Cause::asked, t, "stopped");
    const Moment now = k == 0 ? driver.first_sample(t) : driver.sample(t, s.step, before);
    if (auto problem = driver.problem(now)) return recorder.stop(TraceStop::Cause::motion, t, std::move(*problem));
    const ContactForce force = law.react(z, now.motion, s.step, rate);
    if (k > 0) {
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += s.step * rate[i];
      law.transit(z, now.motion);
      work += 0.5 * (force.tangential + force_before.tangential) * (now.slip - before.slip) -
              0.5 * (force.normal + force_before.normal) * (now.motion.gap - before.motion.gap);
    }
    if (!recorder.record(t, now, force, z, work)) return;
    before = now, force_before = force;
  }
}

/// As an ODE: the work is integrated along with the state. A stage sees the motion from inside its step.
void run_ode(const AnyLaw& law, const Driver& driver, const TraceSettings& s, Recorder& recorder) {
  std::vector<double> z = law.start();
  std::vector<double> stage(z.size());
  std::array<std::vector<double>, 4> rate;
  rate.fill(std::vector<double>(z.size()));
  double work = 0;
  const double h = s.step;
  const auto ahead = [&](double dt, const std::vector<double>& slope) -> const std::vector<double>& {
    for (std::size_t i = 0; i < z.size(); ++i) stage[i] = z[i] + dt * slope[i];
    return stage;
  };
  StepWatch watch(s.hooks, static_cast<double>(s.steps));
  for (std::int64_t k = 0; k <= s.steps; ++k) {
    const double t = s.start + static_cast<double>(k) * h;
    if (watch.stops(static_cast<double>(k))) return recorder.stop(TraceStop::Cause::asked, t, "stopped");
    const bool last = k == s.steps;
    const Moment begin = driver.at(t, last ? KinkSide::left : KinkSide::right);
    if (auto problem = driver.problem(begin)) return recorder.stop(TraceStop::Cause::motion, t, std::move(*problem));
    const ContactForce force = law.react(z, begin.motion, 0, rate[0]);
    if (!recorder.record(t, begin, force, z, work)) return;
    if (last) return;
    const double power = force.power(begin.motion);
    Motion end;
    if (s.method == TraceMethod::euler) {
      end = driver.at(s.start + static_cast<double>(k + 1) * h, KinkSide::left).motion;
      work += h * power;
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * rate[0][i];
    } else if (s.method == TraceMethod::implicit || s.method == TraceMethod::implicit2) {
      // One stage over the step, or two of length g h: see src/integrate/implicit.cpp.
      const double t_end = s.start + static_cast<double>(k + 1) * h, g = s.method == TraceMethod::implicit ? 1 : implicit2_stage;
      const Motion first = driver.at(g < 1 ? t + g * h : t_end, KinkSide::left).motion;
      end = driver.at(t_end, KinkSide::left).motion;
      const double power_1 = law.react(z, first, g * h, rate[1]).power(first);
      const double power_2 = g < 1 ? law.react(ahead((1 - g) * h, rate[1]), end, g * h, rate[2]).power(end) : power_1;
      work += h * ((1 - g) * power_1 + g * power_2);
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * ((1 - g) * rate[1][i] + g * (g < 1 ? rate[2][i] : rate[1][i]));
    } else {
      const Motion middle = driver.at(t + 0.5 * h, KinkSide::right).motion;
      end = driver.at(s.start + static_cast<double>(k + 1) * h, KinkSide::left).motion;
      const double power_2 = law.react(ahead(0.5 * h, rate[0]), middle, 0, rate[1]).power(middle);
      const double power_3 = law.react(ahead(0.5 * h, rate[1]), middle, 0, rate[2]).power(middle);
      const double power_4 = law.react(ahead(h, rate[2]), end, 0, rate[3]).power(end);
      work += h / 6 * (power + 2 * power_2 + 2 * power_3 + power_4);
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += h / 6 * (rate[0][i] + 2 * rate[1][i] + 2 * rate[2][i] + rate[3][i]);
    }
    law.transit(z, end);
  }
}

}  // namespace

const Column* Trace::find(std::string_view name) const { return find_column(columns, name); }
const Column* MotionFile::find(std::string_view name) const { return find_column(columns, name); }

Trace run_trace(const AnyLaw& law, const Drive& drive, const TraceSettings& settings) {
  const Driver driver(drive);
  Recorder recorder(law, drive, static_cast<std::size_t>(settings.steps + 1));
  if (settings.method == TraceMethod::step) {
    run_sampled(law, driver, settings, recorder);
  } else {
    run_ode(law, driver, settings, recorder);
  }
  return recorder.take();
}

}  // namespace asperity
