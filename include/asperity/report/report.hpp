// Pages to look at: one self-contained HTML file each, no network.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asperity/facts/facts.hpp"
#include "asperity/run/table.hpp"

namespace asperity {

/// The report of a run; the resolved scene is shown at the end.
std::string report_page(const Facts& facts, const Table& data, const std::string& resolved_scene = "");

struct PlotPage {
  std::string title;
  std::string x;               // name of a column
  std::vector<std::string> y;  // names of columns
};
/// A column that is not there is std::invalid_argument, with the nearest one that is.
std::string plot_page(const PlotPage& plot, const Table& data);

/// Two runs over one another. Labels tell them apart; each with its facts.
struct Side {
  std::string label;
  Facts facts;
  Table data;
};
std::string compare_page(const Side& a, const Side& b);

/// Whether a text is one of these pages.
bool is_own_page(std::string_view text);

/// Where two columns are farthest apart, at the times of a that b covers too; b is read between its rows on a straight line.
struct Farthest {
  double difference = 0, time = 0;
};
Farthest farthest(const std::vector<double>& time_a, const std::vector<double>& a, const std::vector<double>& time_b,
                  const std::vector<double>& b);

}  // namespace asperity
