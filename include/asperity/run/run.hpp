// A run of a world: steps, recording, events, energy account, failure, checkpoints.
//
//   Run run(world, {.duration = 10, .step = 1e-3});
//   run.go();
//   run.value("block.position");
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "asperity/integrate/integrator.hpp"
#include "asperity/run/finding.hpp"
#include "asperity/run/readings.hpp"
#include "asperity/run/sink.hpp"
#include "asperity/setup/checks.hpp"

namespace asperity {

/// What to write down.
struct Record {
  std::vector<std::string> columns{};  // names, "floor.*", "*"; `time` is the first column anyway
  double every = 0;                    // s, a multiple of a fixed step; 0: after every step
  std::shared_ptr<Sink> sink{};
};

/// The same world with the parameters that half the step would give it: half the step alone does not show what they change.
struct Finer {
  const World* world = nullptr;
  std::string remedy{};  // what to do where the two differ
  double settles = 0;    // m: how far resting bodies may sink into each other; smaller differences are no error
};

struct RunOptions {
  double duration = 1;         // s
  double step = 1e-3;          // s, of the fixed-step methods
  std::string method = "rk4";  // of integration_methods()
  double rtol = 1e-6;          // of the adaptive methods
  double atol = 1e-9;
  double max_step =
      std::numeric_limits<double>::infinity();  // s, of the adaptive methods: no pulse shorter than it is stepped over
  double max_steps = 1e8;                       // that the run may take, of any method; more: it is refused, or stops
  bool subdivide = true;                        // of implicit2: steps in which a contact is struck
  std::function<void(std::string_view)> say{};  // what the method `auto` decides
  Record record{};
  std::vector<double> start{};       // another state to start from than the world's own
  bool preload = false;              // start in static equilibrium, see preload()
  bool strict = false;               // set-up warnings are errors: SetUpError
  bool judge_energy = true;          // an account that does not close by far is a failure, not only a note
  int threads = 0;                   // for pools of many thousands; 0: as many as the machine has. No number depends on it
  Finer finer{};                     // where parameters depend on the step
  std::size_t most_events = 100000;  // kept, the first ones; later ones are only counted
  std::string identity{};            // text of all that makes the world; a checkpoint is refused by a run with another one
};

/// Whether a time is a whole number of steps, up to rounding.
bool is_multiple(double time, double step) noexcept;

struct Event {
  enum class Kind : std::uint8_t { touch, release, slip, stick };
  double time;
  Kind kind;
  std::string element;
  double speed;  // m/s, of the closing gap at a touch, of the opening gap at a release; else 0
};
std::string_view to_text(Event::Kind kind) noexcept;

/// From a touch to the release after it.
struct Impact {
  std::string element;
  double touch, release;                  // s
  double impact_speed, separation_speed;  // m/s
  double restitution() const noexcept { return separation_speed / impact_speed; }
};

/// work_in = change of (kinetic + potential + stored) + dissipated + closing_error; not numbers where energy is not known
struct EnergyAccount {
  double work_in = 0;  // by pushes, and by bodies on a given course
  double kinetic = 0, potential = 0, stored = 0;
  double dissipated = 0;     // by the laws of the elements, and by bodies that rub
  double closing_error = 0;  // what the method of integration lost by itself, or, if negative, made
};

struct Failure {
  double time;            // s, until which all is well; of an input: from which on it is not a number
  std::string component;  // "floor", "block"
  std::string text;       // one line: component, time, likely cause
};

class Companion;
class PassedOver;
class StepCheck;

class Run {
 public:
  /// Every problem with the options is in the std::invalid_argument. The world has to outlive the run.
  Run(const World& world, RunOptions options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// What the set-up checks found before the first step.
  const std::vector<Warning>& warnings() const noexcept { return warnings_; }

  /// To the end; true if it got there.
  bool go();
  /// One step; false at the end and after a failure.
  bool step();
  /// Pushes are other functions from now on, as a controller makes them between two steps: the energy account reads their power
  /// anew.
  void inputs_changed();

  /// Steps, evaluations, switches of `auto`; those before a resumed checkpoint included.
  Statistics statistics() const;
  /// Pools that are worked on in SIMD lanes, on several threads if they are large.
  std::size_t pools_in_lanes() const noexcept { return work_.kernels(); }
  double time() const noexcept;
  std::span<const double> state() const noexcept;
  /// A named number now.
  double value(std::string_view name) const;
  std::vector<Quantity> quantities() const { return readings_.all(); }
  /// What is recorded, time first.
  const std::vector<Quantity>& columns() const noexcept { return columns_; }
  /// The same now: a row.
  std::vector<double> values() const;

  const std::vector<Event>& events() const noexcept { return events_; }
  const std::vector<Impact>& impacts() const noexcept { return impacts_; }
  std::uint64_t event_count() const noexcept { return event_count_; }
  /// Of an element, one that has not ended included, s.
  double longest_contact(std::string_view element) const;
  EnergyAccount energy() const;
  /// Of each element, and of each body that rubs, by name, J.
  std::vector<std::pair<std::string, double>> dissipated() const;
  /// What the run so far shows of its own numbers: energy that the method lost or made, elements that gave back more than had
  /// flowed into them, steps that were too long. The same rules for every method; see docs/guides/trust.md.
  std::vector<Finding> findings() const;
  /// `failed` too if the run did not get to its end.
  Verdict verdict() const;
  /// Whether the steps are looked at (not those of laws in sampled time).
  bool checks_steps() const noexcept { return step_check_ || companion_; }
  const std::optional<Failure>& failure() const noexcept { return failure_; }

  /// Whether saving here changes nothing that follows. With a fixed step always; an adaptive method starts afresh after every
  /// 2000 steps, and only there.
  bool can_save_quietly() const noexcept { return !adaptive_ || since_afresh_ == 0; }
  /// Writes the run as it stands now; the file appears complete or not at all. An adaptive method starts afresh here, so that this
  /// run and a resumed one go on alike, to the last bit.
  void save(const std::string& path);
  /// Goes on from a checkpoint of the same world, options and rows, to the end that an uninterrupted run would have come to.
  /// std::runtime_error says why it cannot; then nothing was changed. Pushes and prescribed motions are functions, which are
  /// compared at 1009 times only: `identity` is what tells apart those that differ in between.
  void resume(const std::string& path);

 private:
  struct Contact {      // of one element
    double since = -1;  // s, of the contact that lasts; -1: none, or from before the run
    double speed = 0;
    double longest = 0;
    double touching = 0;      // 1 or 0, as the events say
    double pending = -1;      // s, of a touch or release too slow to be believed before it lasts; -1: none
    double pending_rate = 0;  // m/s, of the gap then
    template <class F>
    void each_number(F&& f) {
      for (double* number : {&since, &speed, &longest, &touching, &pending, &pending_rate}) f(*number);
    }
  };
  /// What has flowed through an element, to see whether it gives back more than it got.
  struct Flow {
    double through = 0;  // J, in either direction
    double most = 0;     // that it had dissipated, J
    double fallen = 0;   // J below that
  };
  /// The account of bodies that elements connect, and what its energies have been so far: against these its closing error is held.
  /// What happens elsewhere is no excuse for it.
  struct Island {
    double work_in = 0, work_gross = 0;                // J; gross: in either direction
    double power_in = 0;                               // W, of the pushes, now
    double start = 0;                                  // all energy then, J
    double kinetic = 0;                                // the highest, J
    double potential_low = 0, potential_high = 0;      // J
    double stored_low = 0, stored_high = 0;            // J
    double closing_error = 0, closing_error_time = 0;  // the largest, J, s
    double unresolved = 0, drift = 0;                  // what the method does not resolve, at a time and over time, J
    double rounding_of_step = 0;                       // what one step does by rounding, at most, J
    template <class F>
    void each_number(F&& f) {
      for (double* number : {&work_in, &work_gross, &power_in, &start, &kinetic, &potential_low, &potential_high, &stored_low,
                             &stored_high, &closing_error, &closing_error_time, &unresolved, &drift, &rounding_of_step})
        f(*number);
    }
  };
  struct Energies {
    double kinetic = 0, potential = 0, stored = 0, dissipated = 0, through = 0;
  };
  void find_islands();
  /// Of each island, at t, x; `dissipated` and `through` are those so far.
  std::vector<Energies> energies(double t, std::span<const double> x) const;
  void begin();
  void check_headway();
  void start_afresh();
  double stored_between(std::size_t element, double from, double to);
  void find_shape_pairs();
  void book_pair(std::size_t pair, double taken_in, double by_laws, double stored_before, double stored_now);
  bool bends(double from, double to);
  void look_for_missed_touches(double from, double to);
  void look_for_unfelt(double from, std::span<const double> before, double to, std::span<const double> after);
  std::optional<Finding> missed_finding() const;
  std::optional<Finding> unfelt_finding() const;
  Corner corner_in(double t0, double t1);
  void look_at_turns(double from, double to);
  void look_at_depth(std::size_t element, double t, std::span<const double> x);
  std::optional<Finding> depth_finding() const;
  std::optional<Finding> fall_finding() const;
  void audit();
  void note_resolution(const std::vector<Energies>& now);
  void note_rounding(const std::vector<Energies>& now);
  double rounding_of(const Island& island) const;
  std::optional<Finding> energy_finding() const;
  static double closing_error(const Island& island, const Energies& now);
  std::optional<Failure> bad_input(double from, double to) const;
  void account(double t0, double t1);
  void take(const StepPart& part);
  void look(double t, std::vector<Watch>& into, std::vector<double>& power);
  void find_events(double from, double middle, double to);
  void find_events(double from, double to);
  void keep_events();
  void follow(std::size_t element, double from, double to, Mode mode, const Watch& goal);
  void note(std::size_t element, double t, Mode before, const Watch& after);
  void touch_or_release(std::size_t element, double t, bool touch, double gap_rate);
  void believe_what_lasts(double since);
  void put_row();
  void fail(const IntegrationFailure& failure, double t);
  /// Of the pushes on each island; on the bodies that a stage moved.
  void input_power(double t, std::span<const double> x, std::vector<double>& power, const StepPart::Stage* stage = nullptr) const;
  void watch_all(const Instant& now, std::vector<Watch>& into) const;
  void read(std::span<const Source> sources, std::span<double> into) const;
  Instant now() const;
  std::uint64_t fingerprint(double duration, double t) const;

  const World& world_;
  RunOptions options_;
  std::shared_ptr<const KernelMaker> kernels_;  // large pools in lanes and on threads, with the numbers of the plain loops
  mutable Workspace work_;
  std::vector<double> start_;
  std::vector<Warning> warnings_;
  Readings readings_;
  std::unique_ptr<Integrator> integrator_;
  bool adaptive_;
  double tau_;  // look-ahead with which forces are read, s
  bool begun_ = false;
  int since_afresh_ = 0;  // steps of an adaptive method
  /// Of its last steps, a fixed number of them, from which it is judged how long it will take.
  struct Stretch {
    double start = 0;            // s
    long steps = 0;              // since then
    long rejected_at_start = 0;  // of all
    long slow = 0;               // stretches before it, one after the other, that were too slow
  } stretch_;
  Statistics before_;  // until the integrator was started, here or before the checkpoint

  std::vector<std::size_t> given_, rubbing_;  // bodies on a given course; bodies that rub by themselves
  std::vector<Quantity> columns_;
  std::vector<Source> sources_;
  std::vector<double> row_;
  std::uint64_t rows_ = 0;

  std::vector<double> heat_;    // what the law of each element dissipated, J
  std::vector<double> rubbed_;  // by each body, J
  std::vector<Flow> flow_;      // through each element
  double next_audit_ = 0;       // s
  double last_audit_ = 0;       // s
  std::uint64_t audits_ = 0;
  std::vector<Island> islands_;
  std::vector<std::size_t> island_of_body_, island_of_element_, island_of_push_;
  std::vector<std::string> island_names_;         // after their first bodies
  std::vector<double> power_middle_, power_end_;  // W, into each island
  std::unique_ptr<StepCheck> step_check_;
  std::unique_ptr<Companion> companion_;
  std::vector<Watch> watch_, middle_, end_;
  std::vector<double> scratch_, last_;  // the state before the last step

  /// What the parts of an implicit step say of it; none with other methods.
  struct ByParts {
    std::vector<std::size_t> body;  // of each element: an entry of a body that moves; the size of the state: none
    std::vector<Watch> watch;
    std::vector<double> work, heat;                                                  // of each element in this step, J
    std::tuple<std::vector<Island>, std::vector<double>, std::vector<Flow>> before;  // the account before the step
  };
  std::unique_ptr<ByParts> by_parts_;

  std::vector<Event> found_, events_;
  std::vector<Impact> impacts_;
  std::vector<Contact> contacts_;
  std::uint64_t event_count_ = 0;
  double fastest_contact_ = 0;  // m/s, of the gap of any contact so far
  double free_speed_ = 0;       // m/s, that one step of an implicit method makes of the free motion, so far
  /// A contact that closed and opened again within one step: its force was never felt.
  struct Missed {
    std::uint64_t count = 0, element = 0;
    double time = 0, depth = 0, speed = 0;  // of the first: s, m, m/s
  };
  Missed missed_;
  /// A force of the motion that acted where a step passed over: it was never felt.
  struct Unfelt {
    std::uint64_t count = 0, of = 0;  // of: its place in World::of_motion
    double time = 0, force = 0;       // of the first
  };
  Unfelt unfelt_;
  std::unique_ptr<PassedOver> passed_over_;
  /// Methods with a fixed step do not stop at the corners of what depends on time: the next one, and up to when it was looked for.
  std::unique_ptr<StepGuard> corners_;
  Corner next_corner_{-1, -1};
  double corners_until_ = -1;
  /// Of a step: when each ends, and when its end is looked at.
  struct Piece {
    double end, seen;
  };
  std::vector<Piece> pieces_;
  std::vector<double> given_before_, given_after_;
  /// Elements that are points of one pair of shapes, and hand over to each other.
  struct ShapePair {
    std::size_t first, end;
    bool changed = false;  // in this step
    double stored = 0;     // J, where this step started
  };
  std::vector<ShapePair> shape_pairs_;
  std::vector<char> in_shape_pair_;  // of each element
  /// The contact that was compressed deepest, of the way to the centres of its bodies.
  struct Deep {
    std::uint64_t element = 0;
    double time = 0, depth = 0, thickness = 0;  // s, m, m
    double share() const noexcept { return thickness > 0 ? depth / thickness : 0; }
  };
  Deep deep_;
  std::vector<double> thickness_;  // of the bodies of each contact, where it touched first, m
  std::optional<Failure> failure_;
};

}  // namespace asperity
