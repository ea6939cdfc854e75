// Pages to look at: one self-contained HTML file each, no network.
#pragma once

#include <string>
#include <vector>

#include "asperity/run/table.hpp"

namespace asperity {

/// The report of a run. `facts` is the JSON text that `asperity run --json` prints (docs/guides/run-a-scene.md lists its entries).
std::string report_page(const std::string& facts, const Table& data);

struct PlotPage {
  std::string title;
  std::string x;               // name of a column
  std::vector<std::string> y;  // names of columns
};
std::string plot_page(const PlotPage& plot, const Table& data);

/// Two runs over one another. Labels tell them apart; each with its facts.
struct Side {
  std::string label, facts;
  Table data;
};
std::string compare_page(const Side& a, const Side& b);

}  // namespace asperity
