// A mass meets a contact law, without gravity:  M gap'' = f,  gap(0) = 0,  gap'(0) = -v0. For a number or for a batch of them.
//
// Kennedy and Carpenter's additive method of order 5: explicit for the motion, implicit for the memory of the material, whose
// implicit stage every law solves in closed form by its look-ahead tau. So a material that relaxes fast asks for no short steps.
// Every lane has steps of its own; no lane sees what the others do. A step that leaves the contact is taken again, half as long, so
// that no step reaches over the kink at which the force ends: the end is approached from inside, and the little that is left when
// it is near is a straight line.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "asperity/law.hpp"
#include "asperity/step.hpp"

namespace asperity::impact {

constexpr bool any(bool yes) noexcept { return yes; }
/// a b + c; lanes have an instruction for it.
constexpr double fma(double a, double b, double c) noexcept { return a * b + c; }
/// Where `yes`, x becomes y.
template <class Mask, class S>
constexpr void put(const Mask& yes, S& x, const S& y) noexcept {
  x = select(yes, y, x);
}

/// A contact law that lives in continuous time.
template <class Law>
inline constexpr bool has_impacts = Law::about.kind == Kind::contact && !Law::about.discrete;

/// Contact ends at the surface if the law pulls before, or has no force but that of a curved surface; otherwise where its force
/// ends.
template <class Law>
inline constexpr bool ends_at_surface = has(Law::about.quirks, Quirk::sticky) ||
                                        (std::is_empty_v<typename Law::State> && !has(Law::about.quirks, Quirk::jumps_on_touch));

/// ARK5(4)8L[2]SA: the stages of the motion, those of the memory, the weights of order 5, and those of order 4 that tell the error.
/// [Kennedy and Carpenter, Applied Numerical Mathematics 44, 2003, p. 139; their fractions as decimals]
inline constexpr int stages = 8;
inline constexpr double motion_stages[stages][stages] = {
    {},
    {.41},
    {.17753520777580992, .082394376672570227},
    {.12262307902976895, 0, .075527407662734677},
    {2.2901776494938124, 0, 11.244925765143737, -12.615103414637549},
    {.40294451783476792, 0, 1.3540123800181454, -1.4857008988406062, -.031255999012307065},
    {1.4641384430844078, 0, 7.2304686798580153, -7.8446071229424232, -.125, -.125},
    {-1.6748080049977643, 0, -6.3894386455592986, 14.692200676518024, .094666234325682705, -7.2111573276528604, 1.4885370673662177},
};
inline constexpr double diagonal = .205;
inline constexpr double memory_stages[stages][stages] = {
    {},
    {.205, diagonal},
    {.1025, -.047570415551619845, diagonal},
    {.073899440792006915, 0, -.080748954099503292, diagonal},
    {.29921811830801498, 0, 2.4638206661140414, -2.0480387844220567, diagonal},
    {.14689238442881303, 0, .11740332879881549, -.22170196800245401, -.0075937452251744813, diagonal},
    {.17845729560319554, 0, 1.0197467452199207, -.22154535039396367, -.036124916205265319, -.54553377422388716, diagonal},
    {-.09554858675139874, 0, 0, 2.3386928037652464, -.14043175608247527, -2.0705877079565589, .76287524702518661, diagonal},
};
inline constexpr const double (&weights)[stages] = memory_stages[stages - 1];
inline constexpr double rougher_weights[stages] = {
    -.09957696480500873, 0, 0, 2.4071628799997749, -.1601481830855136, -2.1442365964445265, .77956562242499827, .21723324191027585};

template <class S>
struct Outcome {
  S restitution, contact_time, deepest, residual, peak_force;
};

template <class Law>
class Collision {
 public:
  using S = typename Law::Scalar;
  using Mask = decltype(S() < S());

  Collision(const Law& law, const S& mass, const S& speed) : law_(law), mobility_(S(1.0) / mass), speed_(speed) {
    // The length at which a force K d^lambda has taken the energy: the law's own scale.                  [Hertz; xiong2013 5.2]
    S lambda(1.0);
    if constexpr (requires { law.lambda; }) lambda = law.lambda;
    length_ = pow(mass * speed * speed / law.K, S(1.0) / (lambda + S(1.0)));
  }

  /// Restitution alone, or with all the facts, to about `tolerance` in units of the law's own scales. NaN where the contact has not
  /// ended after max_steps, the memory is too fast to tell, or the numbers are beyond all reach.
  Outcome<S> run(double tolerance, bool all_facts) const noexcept {
    const S infinite(std::numeric_limits<double>::infinity()), none(0.0);
    const S allowed(safety * tolerance), time_scale = length_ / speed_;
    Point now = at({none, -speed_, law_.start()}, none);
    S t(0.0), h = S(std::sqrt(tolerance)) * time_scale, left = infinite;
    // The steps in which the motion turns and in which the force is highest: from where, and how long.
    Point turn = now, peak = now;
    S turn_step(0.0), peak_step(0.0), peak_span(0.0), highest = now.f, after_highest = now.f;
    Mask open = h > none, raised = open, too_fast = h < none;
    // f has gamma (w - a): of a memory so much faster than the impact only the errors of w and a would be seen.
    if constexpr (requires { law_.gamma; }) too_fast = law_.gamma * time_scale > S(fastest_memory);
    open = open && !too_fast;
    for (long k = 0; k < max_steps && any(open); ++k) {
      const Trial trial = step(now, h);
      const S error = trial.error * time_scale / (allowed * h);  // for each of the law's own times: the errors add up
      const Mask accepted = open && trial.inside && error <= S(1.0);
      const S growth = S(0.9) / sqrt(sqrt(max(error, S(1e-3))));
      // Not error <= ...: what is no number must shrink.
      S next = h * select(error <= S(1e6), max(S(0.2), min(S(5.0), growth)), S(0.2));
      put(!trial.inside, next, min(next, S(0.5) * h));

      if (all_facts) {
        const Mask turns = accepted && now.y.rate < none && trial.end.y.rate >= none;
        turn.put(turns, now);
        put(turns, turn_step, h);
        const Mask rises = accepted && trial.end.f > highest, falls = accepted && raised && !rises;
        peak.put(rises, now);
        put(rises, peak_step, h);
        put(rises, peak_span, h);
        put(rises, highest, trial.end.f);
        put(falls, peak_span, peak_step + h);
        put(falls, after_highest, trial.end.f);
        raised = rises || (raised && !accepted);
      }

      put(accepted, t, t + h);
      put(accepted, left, time_left(now, trial.end, h));
      now.put(accepted, trial.end);
      put(open, h, min(next, S(0.9) * left));
      // An impulse so small that the error of its straight line is not seen.
      const S impulse = abs(now.f) * left * mobility_;
      Mask near = impulse <= S(tolerance) * speed_;
      if (all_facts) near = near && left <= S(1e-7) * t;
      open = open && !near;
      // No step is short enough, or nothing is a number.
      const Mask stuck = open && !(h > S(1e-13) * time_scale);
      too_fast = too_fast || stuck;
      open = open && !stuck;
    }

    // What is left: the force of a material that lets go falls in a straight line, that of one that pulls stays as it is.
    const S rate = now.y.rate + S(ends_at_surface<Law> ? 1.0 : 0.5) * now.f * left * mobility_;
    Outcome<S> outcome{rate / speed_, t + left, none, none, none};
    outcome.residual = ends_at_surface<Law> ? none : -(now.y.gap + left * now.y.rate);
    put(open || too_fast, outcome.restitution, S(std::numeric_limits<double>::quiet_NaN()));
    if (all_facts) {
      outcome.deepest = deepest(turn, turn_step);
      outcome.peak_force = highest_force(peak, peak_step, peak_span, highest, after_highest);
    }
    return outcome;
  }

 private:
  static constexpr double safety = 0.5;  // keeps the tolerance for lambda near 1, too
  static constexpr long max_steps = 200000;
  static constexpr double fastest_memory = 1e7;

  struct Motion {
    S gap, rate;
    typename Law::State z;

    void move(double motion, double memory, const Motion& change) noexcept {
      if (motion != 0) gap = fma(S(motion), change.gap, gap), rate = fma(S(motion), change.rate, rate);
      if (memory != 0) each_state<Law>([&](S& x, const S& y) { x = fma(S(memory), y, x); }, z, change.z);
    }
    /// h times all of it
    Motion over(const S& h) const noexcept {
      Motion product{h * gap, h * rate, z};
      each_state<Law>([&](S& x) { x = h * x; }, product.z);
      return product;
    }
    void put(const Mask& yes, const Motion& other) noexcept {
      impact::put(yes, gap, other.gap);
      impact::put(yes, rate, other.rate);
      each_state<Law>([&](S& x, const S& y) { impact::put(yes, x, y); }, z, other.z);
    }
  };
  /// A motion with its change and the force that makes it.
  struct Point {
    Motion y, change;
    S f;

    void put(const Mask& yes, const Point& other) noexcept {
      y.put(yes, other.y);
      change.put(yes, other.change);
      impact::put(yes, f, other.f);
    }
  };
  struct Trial {
    Point end;
    Mask inside;  // all of it in contact
    S error;      // of the motion, in the law's own scales; an error of the memory that does not move the mass is none
  };

  Point at(const Motion& y, const S& tau) const noexcept {
    const auto reaction = law_.react(y.z, {y.gap, y.rate}, tau);
    return {y, {y.rate, reaction.f * mobility_, reaction.rate}, reaction.f};
  }
  static Mask in_contact(const Point& point) noexcept { return ends_at_surface<Law> ? point.y.gap <= S(0.0) : point.f > S(0.0); }

  Trial step(const Point& from, const S& h) const noexcept {
    Motion changes[stages];
    changes[0] = from.change.over(h);
    Mask inside = h == h;
    for (int stage = 1; stage < stages; ++stage) {
      Motion y = from.y;
      for (int i = 0; i < stage; ++i) y.move(motion_stages[stage][i], memory_stages[stage][i], changes[i]);
      const Point point = at(y, S(diagonal) * h);
      changes[stage] = point.change.over(h);
      inside = inside && in_contact(point);
    }
    Motion end = from.y, wrong{S(0.0), S(0.0), {}};
    for (int i = 0; i < stages; ++i) {
      end.move(weights[i], weights[i], changes[i]);
      wrong.move(weights[i] - rougher_weights[i], 0, changes[i]);
    }
    const Point last = at(end, S(0.0));
    return {last, inside && in_contact(last), max(abs(wrong.gap) / length_, abs(wrong.rate) / speed_)};
  }

  /// Until the gap, or the force, is zero if it goes on as it does.
  S time_left(const Point& before, const Point& now, const S& h) const noexcept {
    const S falls = ends_at_surface<Law> ? now.y.rate : (before.f - now.f) / h;
    const S height = ends_at_surface<Law> ? -now.y.gap : now.f;
    return select(falls > S(0.0) && now.y.rate > S(0.0), height / falls, S(std::numeric_limits<double>::infinity()));
  }

  /// Newton's method on the length of the step in which the motion turns.
  S deepest(const Point& from, const S& h) const noexcept {
    S to_turn = -from.y.rate / max(from.change.rate, -from.y.rate / h);
    Point end = from;
    for (int round = 0; round < 3; ++round) {
      end = step(from, to_turn).end;
      to_turn = to_turn - end.y.rate / end.change.rate;
    }
    return -step(from, to_turn).end.y.gap;
  }

  /// The top of a parabola through the points around it, then of one through points near that top. (A force that is highest at
  /// touch stays so.)
  S highest_force(const Point& from, const S& before, const S& span, const S& highest, const S& after) const noexcept {
    const S width = S(1.0 / 16) * span;
    const S top = max(width, min(span - width, top_of(before, span, from.f, highest, after)));
    const S low = step(from, top - width).end.f, middle = step(from, top).end.f, high = step(from, top + width).end.f;
    const S refined = top - width + top_of(width, S(2.0) * width, low, middle, high);
    const S most = max(max(highest, middle), step(from, max(S(0.0), min(span, refined))).end.f);
    return most;
  }
  /// Of the parabola through (0, f0), (t1, f1), (t2, f2); t1 where it is none.
  static S top_of(const S& t1, const S& t2, const S& f0, const S& f1, const S& f2) noexcept {
    const S a = (f1 - f0) * t2, b = (f2 - f0) * t1, curve = b - a;
    return select(curve < S(0.0), S(0.5) * (b * t1 - a * t2) / curve, t1);
  }

  Law law_;
  S mobility_;  // 1/mass
  S speed_, length_;
};

}  // namespace asperity::impact
