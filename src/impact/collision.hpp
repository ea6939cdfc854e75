// A mass meets a contact law, without gravity:  M gap'' = f,  gap(0) = 0,  gap'(0) = -v0. For a number or for a batch of them.
//
// Dormand and Prince's pair of orders 5 and 4, every lane with steps of its own: short ones where the force of a curved surface
// begins, d^lambda, and where the material relaxes fast; no lane sees what the others do. A step that leaves the contact is taken
// again, half as long, so that no step reaches over the kink at which the force ends: the end is approached from inside, and the
// little that is left when it is near is a straight line.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "asperity/contact/hertz.hpp"
#include "asperity/step.hpp"

namespace asperity::impact {

constexpr bool any(bool yes) noexcept { return yes; }
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
inline constexpr bool ends_at_surface =
    has(Law::about.quirks, Quirk::sticky) || std::is_base_of_v<Hertz<typename Law::Scalar>, Law>;

/// [Dormand and Prince, A family of embedded Runge-Kutta formulae, 1980; table 2]. The last row is the step itself.
inline constexpr double stage_weights[6][6] = {
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
/// Of order 5 less those of order 4.
inline constexpr double error_weights[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

template <class S>
struct Outcome {
  S restitution, contact_time, deepest, residual, peak_force;
};

template <class Law>
class Collision {
 public:
  using S = typename Law::Scalar;
  using Mask = decltype(S() < S());

  Collision(const Law& law, const S& mass, const S& speed) : law_(law), mass_(mass), speed_(speed) {
    // The length at which a force K d^lambda has taken the energy: the law's own scale.                  [Hertz; xiong2013 5.2]
    S lambda(1.0);
    if constexpr (requires { law.lambda; }) lambda = law.lambda;
    length_ = pow(mass * speed * speed / law.K, S(1.0) / (lambda + S(1.0)));
    memory_ = pow(length_, lambda);
  }

  /// Restitution alone, or with all the facts, to about `tolerance` in units of the law's own scales. NaN where the contact has not
  /// ended after max_steps.
  Outcome<S> run(double tolerance, bool all_facts) const noexcept {
    const S infinite(std::numeric_limits<double>::infinity()), none(0.0);
    const S allowed(safety * tolerance), time_scale = length_ / speed_;
    Point now = at({none, -speed_, law_.start()});
    S t(0.0), h = S(first_step) * time_scale, left = infinite;
    // The steps in which the motion turns and in which the force is highest: from where, and how long.
    Point turn = now, peak = now;
    S turn_step(0.0), peak_step(0.0), peak_span(0.0), highest = now.f, after_highest = now.f;
    Mask open = h > none, raised = open;
    for (long k = 0; k < max_steps && any(open); ++k) {
      const Trial trial = step(now, h);
      const S error = trial.error(length_, speed_, memory_) / allowed;
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
      const S impulse = abs(now.f) * left / mass_;
      Mask near = impulse <= S(tolerance) * speed_;
      if (all_facts) near = near && left <= S(1e-7) * t;
      open = open && !near;
    }

    // What is left: the force of a material that lets go falls in a straight line, that of one that pulls stays as it is.
    const S rate = now.y.rate + S(ends_at_surface<Law> ? 1.0 : 0.5) * now.f * left / mass_;
    Outcome<S> outcome{rate / speed_, t + left, none, none, none};
    outcome.residual = ends_at_surface<Law> ? none : -(now.y.gap + left * now.y.rate);
    put(open, outcome.restitution, S(std::numeric_limits<double>::quiet_NaN()));
    if (all_facts) {
      outcome.deepest = deepest(turn, turn_step);
      outcome.peak_force = highest_force(peak, peak_step, peak_span, highest, after_highest);
    }
    return outcome;
  }

 private:
  static constexpr double safety = 0.1;       // the errors of the steps add up
  static constexpr double first_step = 1e-4;  // of the law's own time
  static constexpr long max_steps = 200000;

  struct Motion {
    S gap, rate;
    typename Law::State z;

    void move(const S& h, const Motion& change) noexcept {
      gap = gap + h * change.gap;
      rate = rate + h * change.rate;
      advance<Law>(z, change.z, h);
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
    Motion wrong;  // difference of the two orders
    Mask inside;   // all of it in contact

    S error(const S& length, const S& speed, const S& memory) const noexcept {
      S largest = max(abs(wrong.gap) / length, abs(wrong.rate) / speed);
      each_state<Law>([&](const S& x) { largest = max(largest, abs(x) / memory); }, wrong.z);
      return largest;
    }
  };

  Point at(const Motion& y) const noexcept {
    const auto reaction = law_.react(y.z, {y.gap, y.rate}, S(0.0));
    return {y, {y.rate, reaction.f / mass_, reaction.rate}, reaction.f};
  }

  Trial step(const Point& from, const S& h) const noexcept {
    Motion changes[7];
    changes[0] = from.change;
    Trial trial{from, {S(0.0), S(0.0), {}}, h == h};
    for (int stage = 0; stage < 6; ++stage) {
      Motion y = from.y;
      for (int i = 0; i <= stage; ++i) y.move(S(stage_weights[stage][i]) * h, changes[i]);
      trial.end = at(y);
      changes[stage + 1] = trial.end.change;
      trial.inside = trial.inside && (ends_at_surface<Law> ? y.gap <= S(0.0) : trial.end.f > S(0.0));
    }
    for (int i = 0; i < 7; ++i) trial.wrong.move(S(error_weights[i]) * h, changes[i]);
    return trial;
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
  S mass_, speed_, length_, memory_;
};

}  // namespace asperity::impact
