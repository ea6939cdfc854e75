// What to draw of a table: which columns belong into one plot, which force belongs to which motion, when an element slips.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "asperity/run/table.hpp"

namespace asperity::report {

using Json = nlohmann::ordered_json;

/// Numbers are shown as data * factor under this label: "position [mm]".
struct AxisText {
  std::string label;
  double factor = 1;
};

/// Curves over one another.
struct Panel {
  enum class Place { main, energy, more };
  std::string title;
  Place place = Place::main;
  AxisText x, y;
  std::string x_column;  // of a table with these columns
  std::vector<std::string> y_columns;
};

struct Panels {
  std::vector<Panel> list;
  std::vector<std::string> zero;  // columns that are 0 from beginning to end: nothing to draw
};

/// Columns over the first one, which is the time; only those that all tables have. Like is drawn with like: positions, velocities,
/// forces, energies.
Panels time_panels(const std::vector<const Table*>& tables);

/// These columns over x: one panel a unit.
std::vector<Panel> panels_over(const Table& data, const std::string& x, const std::vector<std::string>& y);

/// Friction over displacement and over velocity, normal forces over gaps, of every element that `elements` lists as the facts of a
/// run do. Relative motions of two bodies are columns that are added to the table.
std::vector<Panel> phase_panels(Table& data, const Json& elements);

/// When an element touched, was held, slipped: from the columns x.touching and x.slipping, or, where they were not recorded, from
/// the list of events: [{"element": "floor", "spans": [[0, 1.1, "held"], ...]}]. Open contacts have no span.
Json bands(const Table& data, const Json& events, double end);

Json to_json(const Panel& panel);

}  // namespace asperity::report
