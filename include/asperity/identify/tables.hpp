// Tables without time: pairs of speed and force in steady sliding, break-away forces over the time at rest or over the load, and
// speeds of a ball before and after it bounces.
#pragma once

#include <string>
#include <vector>

#include "asperity/hooks.hpp"
#include "asperity/identify/data.hpp"
#include "asperity/identify/uncertainty.hpp"

namespace asperity::identify {

/// What a map without time says the rows are.
enum class TableKind {
  series,  // samples in time, or no table that is known
  steady,  // velocity, force and perhaps load
  rest,    // rest and force
  load,    // load and force
  drops,   // before and after
};
TableKind kind_of(const std::vector<Channel>& map);

struct TableRequest {
  std::vector<std::string> laws{};  // of steady pairs; as those of a Request
  Source data{};
  std::vector<Channel> map{};
  FitSettings settings{};  // of steady pairs: viscous, offset, fixed, bounds
  Hooks hooks{};
  std::string dash{};  // in front of names in problems: "--" where they are options
};

/// One curve through the rows. Intervals are Student's: there are few rows.
struct TableFit {
  std::string name;      // of the law, or of the curve
  std::string equation;  // of the curve
  std::vector<Finding> findings{};
  std::vector<std::string> weak{};
  double rms = 0;         // N
  double unseen_rms = 0;  // N: of rows that were left out of the fit, in five parts
  int parameters = 0;     // that were free
};

/// Drops of about one speed.
struct Drop {
  double speed = 0;  // m/s, before: their mean
  double restitution = 0;
  double error = 0;  // standard error of the mean; 0 where there is one drop
  int count = 0;
};

struct TableStudy {
  std::vector<std::string> problems{};  // one line each
  bool stopped = false;
  TableKind kind = TableKind::series;
  std::string data;
  std::vector<std::string> notes{};
  bool is_rotary = false;
  std::size_t rows = 0;
  std::vector<TableFit> fits{};  // the best on rows that were left out first
  std::size_t taken = 0;         // index of the recommended fit: the fewest parameters among those within 5 % of the best
  std::vector<Drop> drops{};     // by speed

  bool ok() const noexcept { return problems.empty() && !stopped; }
};

TableStudy run(const TableRequest& request);

std::string table_text(const TableStudy& study);
std::string table_facts(const TableStudy& study);

}  // namespace asperity::identify
