// From a table of measured columns to samples: which column is what, units, gaps, uneven stamps, derivatives. Whatever is done to
// the data is said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asperity/identify/samples.hpp"
#include "asperity/run/table.hpp"

namespace asperity::identify {

/// A table and its name, which stands in front of problems.
struct Source {
  std::string name{};
  Table table{};
};

/// What one column of the data is: "force = -35.15*u_V" or "force = -Friction [uN]".
struct Channel {
  std::string what;  // time, position, velocity, acceleration, force, torque, current, load
  std::string column;
  double factor = 1;        // its sign, too
  std::string unit;         // as written; empty: that of the header, or SI
  bool has_factor = false;  // a number was written: N/A or N/V where it makes a force of a current or a voltage
};

/// "time=t_s, position=q_meas_m, force=-Friction [uN]"
std::vector<Channel> read_map(const std::string& text, std::vector<std::string>& problems);

/// A zero-phase Butterworth low-pass for measured motion.
struct Filter {
  int order = 4;
  double cutoff = 0;  // in 1/s; 0: a tenth of the sampling rate
  bool is_on = true;
};
/// "butter:4:100" or "none"
std::optional<Filter> read_filter(const std::string& text, std::vector<std::string>& problems);

struct Measurement {
  Samples samples;
  std::vector<std::string> notes;  // what was found and done
  bool is_rotary = false;          // a torque, or a current that turns something: lengths are angles
  bool has_load = false;           // friction limits are coefficients
};

/// Nothing, and why, if no samples can be made of it. `name` stands in front of problems. If robust, spikes of the motion are
/// replaced, and samples at which the force jumps out of its whole range are not usable.
std::optional<Measurement> measured(const std::string& name, const Table& table, const std::vector<Channel>& map,
                                    const Filter& filter, bool robust, std::vector<std::string>& problems);

}  // namespace asperity::identify
