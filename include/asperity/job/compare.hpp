// What two runs differ in.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "asperity/plot.hpp"
#include "asperity/report/report.hpp"

namespace asperity {

struct RunComparison {
  struct Column {
    Quantity quantity{};
    std::array<double, 2> final{};  // the last values
    Farthest apart{};
  };
  /// The mean velocity over the second half, with weights that fade out towards both ends: a motion that only swings has none.
  struct Drift {
    Quantity quantity{};  // a position, and the unit of its velocity
    std::array<double, 2> speed{};
  };
  struct Events {
    std::string element{};
    Event::Kind kind{};
    std::array<std::size_t, 2> count{};
  };
  Side a{}, b{};
  std::vector<Column> columns{};  // that both have, but the time
  std::vector<Drift> drifts{};    // none if there are too few rows
  double drifts_from = 0;         // s
  std::vector<Events> events{};
  std::array<std::vector<std::string>, 2> only{};  // columns that one of them has

  bool has_failed() const noexcept { return a.facts.verdict == Verdict::failed || b.facts.verdict == Verdict::failed; }
};

/// Both have a column `time`.
RunComparison compare(Side a, Side b);
/// A run read back from its folder; nothing, and the problems, if it is none.
std::optional<Side> read_side(const std::string& label, const std::string& folder, std::vector<std::string>& problems);

std::string to_text(const RunComparison& comparison);
std::string to_json(const RunComparison& comparison);
std::string to_page(const RunComparison& comparison);
plot::Figure figure_of(const RunComparison& comparison);

}  // namespace asperity
