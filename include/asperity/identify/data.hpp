// From a table of measured columns to samples: which column is what, units, gaps, uneven stamps, derivatives. Whatever is done to
// the data is said.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/identify/samples.hpp"
#include "asperity/run/table.hpp"

namespace asperity::identify {

/// A table and its name, which stands in front of problems.
struct Source {
  std::string name{};
  Table table{};
  std::string understood{};          // how the file was read, in one line
  std::vector<std::string> files{};  // that were joined to it
};

/// A table of numbers as instruments write them: separated by commas, semicolons, tabs or blanks, with decimal points or commas,
/// lines before the header, units in it or below it, or no header at all. What `read_table` reads is read, too.
std::optional<Source> read_source(const std::string& path, std::vector<std::string>& problems);

/// What one column of the data is: "force = -35.15*u_V", "force = -Friction [uN]", "position = 3" (the third), or an expression
/// over columns, "force = (p1 - p2)*0.002": in it columns are as the file has them, c3 is the third, and the result is in SI units
/// or in the unit behind it.
struct Channel {
  std::string what;  // time, position, velocity, acceleration, force, torque, current, load; of tables without time also rest,
                     // before, after
  std::string column;
  double factor = 1;        // its sign, too
  std::string unit;         // as written; empty: that of the header, or SI
  bool has_factor = false;  // a number was written: N/A or N/V where it makes a force of a current or a voltage
  std::string text{};       // all of it, but for the unit
};

/// "time=t_s, position=q_meas_m, force=-Friction [uN]"
std::vector<Channel> read_map(const std::string& text, std::vector<std::string>& problems);

/// Files with the same columns, one behind the other, with gaps in time between.
std::optional<Source> joined(std::vector<Source> sources, const std::vector<Channel>& map, std::vector<std::string>& problems);

/// A zero-phase Butterworth low-pass for measured motion.
struct Filter {
  int order = 4;
  double cutoff = 0;  // in 1/s; 0: where the noise becomes stronger than the motion, and none if it nowhere does
  bool is_on = true;
};
/// "butter:4:100", "none" or "auto"
std::optional<Filter> read_filter(const std::string& text, std::vector<std::string>& problems);

struct Measurement {
  Samples samples;
  std::vector<std::string> notes;  // what was found and done
  bool is_rotary = false;          // a torque, or a current that turns something: lengths are angles
  bool has_load = false;           // friction limits are coefficients
};

/// What is beside the map.
struct DataOptions {
  double delay = 0;                 // s, by which the force was recorded later than the motion
  std::vector<std::string> with{};  // terms that enter the force linearly: expressions over q, v, a (smoothed) and columns
};

/// Nothing, and why, if no samples can be made of it. `name` stands in front of problems. If robust, spikes of the motion are
/// replaced, and samples at which the force jumps out of its whole range are not usable.
std::optional<Measurement> measured(const std::string& name, const Table& table, const std::vector<Channel>& map,
                                    const Filter& filter, bool robust, std::vector<std::string>& problems,
                                    const DataOptions& options = {});

/// The columns of a map, in SI units, row by row as they are; torques and currents under the name force.
struct MappedColumns {
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  std::vector<std::string> notes;
  bool is_rotary = false;
};
std::optional<MappedColumns> mapped_columns(const std::string& name, const Table& table, const std::vector<Channel>& map,
                                            std::vector<std::string>& problems);

}  // namespace asperity::identify
