// report.html and sensitivity.csv of a study.
#pragma once

#include <string>
#include <vector>

#include "asperity/study/study.hpp"
#include "border.hpp"

namespace asperity::study {

/// Everything that pictures need, column by column.
struct Whole {
  std::vector<std::vector<double>> values;    // of each axis
  std::vector<std::vector<double>> measures;  // of each measure; NaN where it is not known or the point has failed
};

std::string page_of(const Plan& plan, const Points& points, const Whole& whole, const StudyOutcome& outcome);
/// Of a border: the picture, and where it is.
std::string border_page(const Plan& plan, const StudyOutcome& outcome, const plot::Figure& picture,
                        const std::vector<BorderSearch::Crossing>& crossings);
/// Empty if the plan asks for none.
std::string sensitivity_csv(const Plan& plan, const Points& points, const Whole& whole);
/// The same in words, one line for each measure; for the terminal.
std::string sensitivity_text(const Plan& plan, const Points& points, const Whole& whole);

}  // namespace asperity::study
