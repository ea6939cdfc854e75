// A measured motion and the force that went with it, ready to be explained by a law.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace asperity::identify {

/// Of one length, in SI units. The law is driven through all of them; only the rows of a fit are compared.
struct Samples {
  std::vector<double> t, step;   // s; step[k] is the time from sample k - 1 to sample k, 0 for the first, where the law starts
  std::vector<double> position;  // m: how far it went in a step, which moves the law's state, is its difference
  std::vector<double> velocity, acceleration, force;
  std::vector<double> load;     // factor on the friction limit: 1 with limits in N, the normal force with coefficients
  std::vector<char> is_usable;  // not beside a gap, where differences mean nothing

  std::size_t size() const noexcept { return t.size(); }
};

using Rows = std::vector<std::size_t>;

/// The usable rows with from <= t <= to.
Rows rows_between(const Samples& samples, double from, double to);

}  // namespace asperity::identify
