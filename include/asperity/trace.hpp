// Drives a law with a prescribed motion and records what it answers: the tribologist's basic experiment.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/any_law.hpp"
#include "asperity/csv.hpp"
#include "asperity/hooks.hpp"

namespace asperity {

/// What is wrong with an input, one line each.
using Problems = std::vector<std::string>;

/// From which side a kink of the motion is seen.
enum class KinkSide { left, right };

/// One coordinate prescribed over time. Asked at times that never decrease: an integrating course remembers where it was.
class Course {
 public:
  virtual ~Course() = default;
  virtual double position(double t) = 0;
  virtual double velocity(double t, KinkSide side) = 0;
  /// Only positions are known: in sampled time the velocity is then the difference to the sample before.
  virtual bool positions_only() const = 0;
};

using TimeFunction = std::function<double(double)>;

/// Formulas in t, e.g. "1e-3*sin(2*pi*t)" or "t < 1 ? t : 1". Problems carry `place`, and the position of the mistake.
std::optional<TimeFunction> time_function(std::string_view place, const std::string& formula, Problems& problems);

/// The velocity is a difference over `width`, which is to be far shorter than the step of the trace.
std::unique_ptr<Course> course_of_position(TimeFunction position, double width);
/// The position is the integral of the velocity, from `from` at t = 0.
std::unique_ptr<Course> course_of_velocity(TimeFunction velocity, double from);
/// Straight lines between knots; at rest before and after. Times increase strictly.
std::unique_ptr<Course> course_through(std::vector<double> times, std::vector<double> positions);
/// Sampled velocities, linear in between; positions sampled too, or (if empty) integrated from `from`.
std::unique_ptr<Course> course_of_samples(std::vector<double> times, std::vector<double> positions, std::vector<double> velocities,
                                          double from);
/// Times at which a path through the positions is there, at constant speed.
std::vector<double> times_at_speed(const std::vector<double>& positions, double speed);
/// Linear between samples.
TimeFunction sampled_function(std::vector<double> times, std::vector<double> values);

/// The motion a law is driven with: a friction law reads slip and load, a contact law gap, a composite slip and gap.
struct Drive {
  std::unique_ptr<Course> slip;
  std::unique_ptr<Course> gap;
  TimeFunction load;  // empty: 1, and not recorded
};

enum class TraceMethod { step, euler, rk4, implicit, implicit2 };

struct TraceSettings {
  double start = 0;        // s
  double step = 1e-3;      // s
  std::int64_t steps = 0;  // rows are one more: the start is one
  TraceMethod method = TraceMethod::step;
  Hooks hooks{};  // progress counts steps
};

struct Column {
  std::string name, unit;
  std::vector<double> values;
};

/// Why a trace ended early.
struct TraceStop {
  enum class Cause { motion, law, asked };  // asked: by the hook; the rows before are there
  Cause cause;
  double time;
  std::string what;  // "velocity = inf m/s: must be a finite number", "force = nan N", "stopped"
};

struct Trace {
  std::vector<Column> columns;
  std::optional<TraceStop> stop;

  std::size_t rows() const { return columns.front().values.size(); }
  const Column* find(std::string_view name) const;
};

/// t_k = start + k h. `step` calls the law as a control loop does; the others integrate it as an ODE. Columns: t, the motion,
/// the force, the states, energy_stored (laws that declare it), work_in, energy_dissipated = work_in - energy_stored + its first
/// value. work_in: for `step` the trapezoid rule of force over displacement, otherwise integrated along by the method itself.
Trace run_trace(const AnyLaw& law, const Drive& drive, const TraceSettings& settings);

/// What is doubtful about a trace.
struct TraceFinding {
  bool failed = false;          // its numbers are wrong
  double value = 0, limit = 0;  // the share by which they differ, and what is tolerated
  std::string text;             // one line: what is wrong, by how much, what to do
};
/// Held against `finer`, the same trace in steps of 1/times the length: forces in the rows and between them, work, and energy that
/// comes from nowhere.
std::vector<TraceFinding> check_trace(const AnyLaw& law, const Trace& trace, const TraceSettings& settings, const Trace& finer,
                                      int times);

/// Comma-separated columns of numbers under a header; every number reads back to itself.
void write_csv(std::ostream& out, const Trace& trace);

/// A file of measured motion: the columns found in it, all finite, t strictly increasing. Problems name file and line.
struct MotionFile {
  std::vector<std::string> header;
  std::vector<double> t;
  std::vector<Column> columns;  // without t; only those asked for

  const Column* find(std::string_view name) const;
};
std::optional<MotionFile> read_motion(const std::string& path, const std::vector<std::string>& wanted, Problems& problems);

}  // namespace asperity
