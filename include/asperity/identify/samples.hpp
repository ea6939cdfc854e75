// A measured motion and the force that went with it, ready to be explained by a law.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace asperity::identify {

/// A Butterworth low-pass without delay; order 0: none.
struct Band {
  int order = 0;
  double cutoff = 0;  // 1/s
};

/// What is random in a motion: white noise of these deviations in what was measured, behind the filter that the motion went
/// through. What was not measured follows from what was.
struct MotionNoise {
  double position = 0, velocity = 0;  // m, m/s; 0: none, or not measured
  bool has_velocity = false, has_acceleration = false;
  Band filter{};
};

/// A known function of the motion or of another column that enters the force linearly, with either sign.
struct Term {
  std::string name;  // as it was written: "cos(q)"
  std::vector<double> values{};
};

/// Of one length, in SI units. The law is driven through all of them; only the rows of a fit are compared.
struct Samples {
  std::vector<double> t, step;   // s; step[k] is the time from sample k - 1 to sample k, 0 for the first, where the law starts
  std::vector<double> position;  // m: how far it went in a step, which moves the law's state, is its difference
  std::vector<double> velocity, acceleration, force;
  std::vector<double> load;     // factor on the friction limit: 1 with limits in N, the normal force with coefficients
  std::vector<char> is_usable;  // not beside a gap, where differences mean nothing

  std::vector<Term> terms{};
  Band band{};  // forces are compared where motion is known: below the cut-off of its filter
  MotionNoise noise{};

  std::size_t size() const noexcept { return t.size(); }
};

using Rows = std::vector<std::size_t>;

/// The usable rows with from <= t <= to.
Rows rows_between(const Samples& samples, double from, double to);

}  // namespace asperity::identify
