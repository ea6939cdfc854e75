// Laws beside each other on one set of data: fitted on some of it, judged on the rest.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "asperity/identify/effects.hpp"
#include "asperity/identify/fit.hpp"
#include "asperity/identify/uncertainty.hpp"

namespace asperity::identify {

/// Data that a law has not seen: other rows of the same samples, or other samples.
struct Unseen {
  const Samples* samples = nullptr;
  Rows rows;
};

struct Judged {
  std::string law;        // as it was asked for
  std::string catalogue;  // as the catalogue names it
  Fit fit;
  Uncertainty uncertainty;
  int states = 0;
  double rms = 0, unseen_rms = 0;  // N
  double explained = 0;            // of the variance of the force, where it was fitted
  double resistance = 0;           // correlation of the velocity and force - M a - offset, where it was fitted
  double gain = 0;                 // of the law: how much chi^2 rises without it, counting correlated samples once
  double over_spring = 0;          // the same over a spring instead of the law, which loses nothing
  double delay = 0;                // s: the force fits better if it was recorded so much later than the motion; 0: it does not
  double unseen_part = 0;          // unseen_rms over the rms of the unseen force: 1 is as bad as no law at all
  double position_rms = 0;         // m, of simulated_position(): where a mass is known
  double nanoseconds = 0;          // of one sample
  std::vector<double> fitted_force{}, unseen_force{};  // predicted, sample by sample

  /// Friction takes energy out. What the asperities store comes back, so that a little less than nothing is no proof.
  bool is_along_motion() const noexcept { return resistance < -0.1; }
  /// A parameter that explains something lowers chi^2 by 1 for each square of its deviations: by 10 where it is told from nothing.
  bool is_needed() const noexcept { return gain > 10 * std::max(1, uncertainty.parameters); }
  /// A spring and a constant force explain the force as well.
  bool is_spring() const noexcept { return over_spring < 10 * std::max(1, uncertainty.parameters); }
  bool is_identified() const noexcept {
    return explained > 0.2 && unseen_part < 1 && is_needed() && !is_along_motion() && !is_spring();
  }
};

Judged judge(const Model& model, const Samples& samples, const Rows& rows, const Unseen& unseen, const FitSettings& settings);

/// Takes spikes of the force out of the rows and judges the laws anew, so that spikes do not decide: samples that stand out of
/// their neighbours in the residuals of every law. What one of the laws explains is none. Says how many there were.
std::vector<std::string> leave_out_spikes(std::vector<Judged>& laws, const Samples& samples, Rows& rows, Unseen& unseen);

/// Where the mass goes under the measured force, from rest at the start: M a = force - law(v) - Fv v - offset.
std::vector<double> simulated_position(const Model& model, const Fit& fit, const Samples& samples);

/// All of it, as it is told.
struct Study {
  std::string data;                // names of files
  std::string fitted, judged;      // which rows: "12 .. 42 s"
  std::vector<std::string> notes;  // what was done to the data
  bool is_rotary = false, has_load = false, is_robust = false;
  double seen = 0;                     // part of the judged rows that was fitted, too: 0 where they are unseen
  double load = 1;                     // its mean, N
  double range = 0;                    // N: between the lowest and the highest force that was fitted
  double step = 0;                     // s
  std::vector<Judged> laws;            // ranked
  std::vector<TriedEffect> effects{};  // with the recommended law, in the order in which they were judged
  std::string effects_on{};            // which law that was
};

/// "unseen data", or what they are if some of them were fitted.
std::string kind_of_data(const Study& study);
/// A unit of a law as the data have it: forces are moments with angles, coefficients under a load.
std::string unit_in(const Study& study, const std::string& name, const std::string& unit);
/// What the data cannot tell of a law, with these units.
std::vector<std::string> doubts(const Study& study, const Judged& law);
std::string force_unit(const Study& study);
std::string length_unit(const Study& study);
/// Everything as JSON text.
std::string study_facts(const Study& study);
/// What a program is told of a request that was refused, as JSON text.
std::string refusal_facts(const std::vector<std::string>& problems);
/// A page to look at: the facts, and the unseen data beside what the laws say.
std::string study_page(const Study& study, const Unseen& unseen);
/// A scene with the law as it was identified, for `asperity run`.
std::string study_scene(const Study& study, const Judged& law);

/// Those that are identified first, the best on unseen data in front.
void rank(std::vector<Judged>& laws);
/// The one to take: of those that are as good as the best on unseen data the one with the fewest parameters.
const Judged& recommended(const std::vector<Judged>& ranked);
/// Which to take, and why, in one sentence.
std::string advice(const Study& study);
/// Why a law is not identified; empty if it is.
std::string why_not(const Study& study, const Judged& law);

}  // namespace asperity::identify
