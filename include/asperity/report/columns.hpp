// Which columns of a table to draw, and how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asperity/plot.hpp"
#include "asperity/run/table.hpp"

namespace asperity::report {

/// The data of a run's folder, or a file of columns. Titles come from the facts beside the data.
struct Data {
  std::string name;   // "held_by_friction"
  std::string title;  // of the scene; else the name
  Table table;
};
/// To draw it, not all rows of a very large file are needed.
std::optional<Data> read_data(const std::string& path, bool to_draw, std::vector<std::string>& problems);

struct Choice {
  std::string x;
  std::vector<std::string> y;
};
/// As asked for, "floor.*" included; else time, positions, velocities and forces. Unknown names are problems with the nearest one.
Choice choose(const Table& table, const std::optional<std::string>& x, const std::optional<std::string>& y,
              std::vector<std::string>& problems);

/// One panel for each unit.
plot::Figure figure_of(const Table& table, const Choice& choice);
/// The same with a second table drawn over the first, dashed.
plot::Figure figure_of(const Table& a, const std::string& label_a, const Table& b, const std::string& label_b,
                       const Choice& choice);

}  // namespace asperity::report
