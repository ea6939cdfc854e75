// Laws beside each other on one set of data: fitted on some of it, judged on the rest.
#pragma once

#include <string>
#include <vector>

#include "asperity/identify/fit.hpp"
#include "asperity/identify/uncertainty.hpp"

namespace asperity::identify {

/// Data that a law has not seen: other rows of the same samples, or other samples.
struct Unseen {
  const Samples* samples = nullptr;
  Rows rows;
};

struct Judged {
  std::string law;
  Fit fit;
  Uncertainty uncertainty;
  int states = 0;
  double rms = 0, unseen_rms = 0;      // N
  double explained = 0;                // of the variance of the force, where it was fitted
  double position_rms = 0;             // m, of simulate(): where a mass is known
  double nanoseconds = 0;              // of one sample
  std::vector<double> unseen_force{};  // predicted, sample by sample
  bool is_identified() const noexcept { return explained > 0.2; }
};

Judged judge(const Model& model, const Samples& samples, const Rows& rows, const Unseen& unseen, const FitSettings& settings);

/// Where the mass goes under the measured force, from rest at the start: M a = force - law(v) - Fv v - offset.
std::vector<double> simulated_position(const Model& model, const Fit& fit, const Samples& samples);

/// All of it, as it is told.
struct Study {
  std::string data;                // names of files
  std::string fitted, judged;      // which rows: "12 .. 42 s"
  std::vector<std::string> notes;  // what was done to the data
  bool is_rotary = false, has_load = false, is_robust = false;
  double load = 1;           // its mean, N
  double range = 0;          // N: between the lowest and the highest force that was fitted
  double step = 0;           // s
  std::vector<Judged> laws;  // ranked
};

/// A unit of a law as the data have it: forces are moments with angles, coefficients under a load.
std::string unit_in(const Study& study, const std::string& name, const std::string& unit);
/// Everything as JSON text.
std::string study_facts(const Study& study);
/// A page to look at: the facts, and the unseen data beside what the laws say.
std::string study_page(const Study& study, const Unseen& unseen);
/// A scene with the law as it was identified, for `asperity run`.
std::string study_scene(const Study& study, const Judged& law);

/// Best on unseen data first; one sentence which to take.
void rank(std::vector<Judged>& laws);
std::string advice(const std::vector<Judged>& ranked);

}  // namespace asperity::identify
