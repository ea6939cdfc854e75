// Before the experiment: a motion that determines the parameters of a law on a given machine, and the intervals to expect from it.
//
//   identify::PlanRequest request;
//   request.law = name;  // of model_names()
//   request.machine = {.mass = 2, .stroke = 0.1, .speed = 0.3, .force = 40};
//   const identify::ExcitationPlan plan = identify::plan(request);
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/hooks.hpp"
#include "asperity/identify/samples.hpp"
#include "asperity/identify/uncertainty.hpp"

namespace asperity::identify {

/// What moves and what is measured, in SI units. The noises are standard deviations of single samples.
struct Machine {
  double mass = 1;               // kg
  double stroke = 0.1;           // m, from end to end
  double speed = 0.1;            // m/s, at most
  double force = 20;             // N, at most
  double position_noise = 1e-6;  // m
  double force_noise = 0.02;     // N
  double rate = 1000;            // samples per second
};

/// One stretch of an excitation. With u = t/duration:
///   x = from + (to - from) s(u) + w(u) amplitude sin(2 pi (first t + (last - first) t^2/(2 duration)))
/// s(u) = u^3 (10 - 15 u + 6 u^2) is the move of least jerk; w rises as s in the first tenth and falls in the last, so that every
/// stretch begins and ends at rest.
struct Stretch {
  double duration = 1;         // s
  double from = 0, to = 0;     // m
  double amplitude = 0;        // m
  double first = 1, last = 1;  // 1/s: frequency at the begin and at the end
};

struct Excitation {
  std::string kind;  // waypoints, sine, chirp or mixed
  std::vector<Stretch> stretches;

  double duration() const;
  double position(double t) const;
};

struct PlanRequest {
  std::string law;
  Machine machine{};
  double duration = 20;                                 // s
  int elements = 3;                                     // of laws made of elements
  std::vector<std::pair<std::string, double>> guess{};  // what is known roughly: parameters of the law, Fv, offset
  Hooks hooks{};
  std::string dash{};  // in front of names in problems: "--" where they are options
};

/// One that was tried.
struct TriedExcitation {
  std::string kind, about;
  double typical_error = 0;  // relative standard error, geometric mean over the parameters; 3 stands for no interval
};

struct ExcitationPlan {
  std::vector<std::string> problems{};  // one line each
  bool stopped = false;
  std::string law;
  Machine machine{};
  Excitation excitation{};               // it is repeated three times: two thirds are fitted, the last one is unseen
  std::vector<TriedExcitation> tried{};  // the best first
  std::vector<Finding> expected{};       // the assumed values with the errors and intervals of a fit by default
  std::vector<std::string> weak{};       // what these data will not determine
  std::vector<std::string> assumed{};    // names of parameters that were not given
  double peak_speed = 0, peak_force = 0;
  std::vector<double> t{}, position{}, velocity{}, acceleration{};  // sample by sample

  bool ok() const noexcept { return problems.empty() && !stopped; }
};

/// Tries excitations of several kinds. Of each an experiment is simulated, with the noises of the machine; it is read as data are
/// read, and the errors follow from the slopes of the model (Fisher's information) as those of a fit do. Assumes that the machine
/// follows the reference.
ExcitationPlan plan(const PlanRequest& request);

std::string plan_text(const ExcitationPlan& plan);
std::string plan_facts(const ExcitationPlan& plan);
/// t, position, velocity and acceleration of the reference.
std::string plan_csv(const ExcitationPlan& plan);
/// A header of C99: NAME_position(t) and NAME_duration.
std::string plan_header(const ExcitationPlan& plan, const std::string& name);
/// plan.csv, plan.h and plan.json; the problem, if there is one.
std::optional<std::string> write_plan(const std::string& folder, const ExcitationPlan& plan);
std::vector<std::string> plan_objections(const std::string& folder);

}  // namespace asperity::identify
