// From a table of measurements to the law to take: read, split, fitted, judged on data that were not fitted, told.
//
//   identify::Request request;
//   request.data = {"axis.csv", *read_table("axis.csv", problems)};
//   request.map = identify::read_map("time=t, position=q [mm], force=35.15*u", problems);
//   request.laws = identify::model_names();
//   const identify::Outcome found = identify::run(request);
//   if (found.ok()) std::cout << identify::advice(*found.study);
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/any_law.hpp"
#include "asperity/hooks.hpp"
#include "asperity/identify/data.hpp"
#include "asperity/identify/names.hpp"
#include "asperity/identify/study.hpp"

namespace asperity::identify {

/// From .. to, s.
struct Window {
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  std::string text{};  // as messages name it; empty: "FROM:TO"
};

struct Request {
  std::vector<std::string> laws{};  // of law_choices()
  Source data{};
  std::vector<Channel> map{};
  Filter filter{};
  DataOptions options{};
  std::vector<std::string> effects{};     // tried beside the recommended law, as read_effect() takes them
  std::vector<std::string> separate{};    // of several files: mass, viscous and offset that differ from file to file
  FitSettings settings{};                 // mass, viscosity, offset, elements, robust; fixed and bounds by the names of the laws
  std::optional<Window> train{}, test{};  // without them the first two thirds are fitted, the last third is unseen
  std::optional<Source> validate{};       // judge on this one, with the same columns, instead
  Hooks hooks{};
  std::string dash{};  // in front of names in problems: "--" where they are options
};

struct Outcome {
  std::vector<std::string> problems{};  // one line each: bad input, or why no law is identified
  std::optional<Study> study{};         // ranked laws, with residuals, intervals and doubts; when stopped, those that were done
  Measurement data{};
  std::optional<Measurement> other{};  // of `validate`
  Rows fitted{}, judged{};             // of data; of the other one
  bool stopped = false;

  bool ok() const noexcept { return study && problems.empty(); }
  Unseen unseen() const { return {other ? &other->samples : &data.samples, judged}; }
};

/// model_names(), `coulomb` (the static sign of the velocity beside viscous friction, as a baseline) and `all` of these.
std::vector<std::string> law_choices();

/// The laws of a request with settings that name their own coordinates; `velocity` is that of the data (Scales).
std::vector<Translated> translated_laws(const Request& request, double velocity, std::vector<std::string>& problems);

/// What is wrong with a request, but for its data; one line each.
std::vector<std::string> problems_of(const Request& request);
/// A name in the problems of `request` that is bad input gives no study.
Outcome run(const Request& request);

/// The law with the numbers that were found, ready to run.
std::unique_ptr<AnyLaw> law_of(const Judged& judged);

/// Which laws, how good, their numbers with errors, what the data do not tell, which to take: several lines.
std::string study_text(const Study& study);

/// A scene for each law, identify.json and report.html; the problem, if there is one.
std::optional<std::string> write_folder(const std::string& folder, const Outcome& outcome);
/// Why these files may not be written there. Writes nothing.
std::vector<std::string> folder_objections(const std::string& folder, const std::vector<std::string>& laws);

}  // namespace asperity::identify
