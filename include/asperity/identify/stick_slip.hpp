// Stick-slip of a sled pulled through a spring: what the saw-tooth of the spring force says about friction, and what the laws of
// the catalogue say about the saw-tooth.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/hooks.hpp"
#include "asperity/identify/data.hpp"
#include "asperity/plot.hpp"

namespace asperity::identify {

/// Of a number that is measured again and again.
struct Spread {
  double mean = 0, deviation = 0;
  double error = 0;  // of the mean: slow wander makes neighbours alike, which counts as fewer samples
};
Spread spread_of(const std::vector<double>& values);

/// The slips of a spring force; in its unit (N, or 1 where it is over the load).
struct SawTooth {
  std::size_t cycles = 0;                     // whole ones; 0: it does not stick and slip
  std::vector<double> peaks, drops;           // of each slip
  std::vector<double> rests;                  // s, before it
  Spread period, peak, drop, rest;            // s, force, force, s
  Spread middle;                              // (peak + trough)/2
  double fall = 0, fastest = 0, slowest = 0;  // s, from 10 to 90 % of the drop: median and quartiles
  double rise = 0;                            // per s, while it sticks: median
};

/// Slips are falls by more than `least`; smaller wiggles do not count. Single samples that stand out are passed over (running
/// median, over as many samples as it takes that noise is no slip).
SawTooth saw_tooth(const std::vector<double>& t, const std::vector<double>& force, double least);
/// Standard deviation of the white noise of a force that rises and slips.
double noise_of_force(const std::vector<double>& force);
/// Samples to each side of a running median that leaves noise ten times smaller than `least`; at most most_reach are taken.
std::size_t reach_against_noise(double noise, double least);
inline constexpr std::size_t most_reach = 500;
/// A tenth of the range of the force, once its highest and lowest hundredth are left out.
double usual_least(const std::vector<double>& force);

/// A body without rate or ageing effects, slowly pulled (v far below its slips): F_s before it slips, and because the slip swings
/// through, 2 F_k - F_s after it, so that the drop is 2 (F_s - F_k) whatever the spring.   [Coulomb; exact for v -> 0]
struct StaticAndKinetic {
  double F_s = 0, F_k = 0;
};
StaticAndKinetic friction_of(const SawTooth& tooth);

/// How fast static friction grows with the time at rest: its slope per decade, and the standard error of it. Contacts that age have
/// a positive one.   [dieterich1972]
struct Ageing {
  double slope = 0, error = 0;
};
/// From slip to slip. A peak that happens to be higher takes longer to reach: that alone makes the slope positive.
Ageing ageing_within(const SawTooth& tooth);
/// From the means of one spring to those of another: of the peaks, or of what they are above kinetic friction, drop/2.
Ageing ageing_between(const SawTooth& one, const SawTooth& other, bool above_kinetic);

/// What is pulled, and how.
struct Pulled {
  double spring = 0;  // N/m
  double speed = 0;   // m/s, of the far end
  double mass = 0;    // kg
  double load = 1;    // N, what forces are over; 1: they are in N
};

/// A law of the catalogue with a Stribeck curve. Asperities are a hundred times stiffer than the spring it was found with, and what
/// else is fast in the law is faster than its slips, unless it was given: the saw-tooth tells nothing about that.
struct SlipLaw {
  std::string law;
  double F_s = 0, F_c = 0;  // over the load
  double v_s = 0;           // m/s
  double stiffness = 0;     // N/m, of the asperities
  double fast = 0;          // s, by which they are damped, and limits followed
  std::vector<std::pair<std::string, double>> fixed{};
};
/// The names of those laws.
std::vector<std::string> slip_laws();
/// What is wrong with numbers that were given; one line each.
std::vector<std::string> problems_of_fixed(const std::string& law, const std::vector<std::pair<std::string, double>>& fixed);

/// A scene of it, with F_c in the spring at the start.
std::string pulled_scene(const SlipLaw& law, const Pulled& pulled, double duration);
/// That scene, run: the spring force over the load.
struct Pull {
  std::vector<double> t, force;
};
/// `stop` is asked after every step: true ends it with Stopped.
Pull simulated_pull(const SlipLaw& law, const Pulled& pulled, double duration, const std::function<bool()>& stop = {});
/// Its slips once it has settled.
SawTooth simulated_tooth(const SlipLaw& law, const Pulled& pulled, double least, const std::function<bool()>& stop = {});

struct SlipFit {
  SlipLaw law;
  SawTooth tooth;          // its own
  bool slips = false;      // else it cannot have these slips, and F_s, F_c are those of friction_of()
  double largest_v_s = 0;  // above it slips are slower than the slower quartile of the measured ones, or none; 0: at any speed
  bool v_s_is_given = false;
};
/// F_s and F_c such that peak and drop are the measured ones. v_s is not told but for its upper end: once it is far below the
/// speed of a slip, the slip is the same. It is the speed of the pull unless it was given.
SlipFit fit_slips(const std::string& law, const Pulled& pulled, const SawTooth& measured, double least,
                  const std::vector<std::pair<std::string, double>>& fixed = {}, const std::function<bool()>& stop = {});

// --- the whole of it: from a table to what the laws say

struct SlipRequest {
  std::vector<std::string> laws{};  // of slip_laws()
  Source data{};                    // time, and the force of the spring
  std::vector<Channel> map{};       // time and force only
  double spring = 0, pull = 0;      // N/m, m/s
  std::optional<double> mass{};     // kg; without it that of the load's weight
  std::optional<double> load{};     // N, what forces are over
  bool load_is_free = false;        // read off the rise of the force while it sticks
  std::optional<double> least{};    // falls by more than this are slips; usual_least() by default
  double predicted_spring = 0;      // N/m, of another spring; 0: none
  std::optional<Source> other{};    // data of that one
  std::vector<std::pair<std::string, double>> fixed{};
  Hooks hooks{};
  std::string dash{};  // in front of names in problems: "--" where they are options
};

/// One recording, and what is read off it.
struct SlipRecord {
  std::string name{};
  std::vector<double> t{}, force{};
  std::vector<std::string> notes{};
  SawTooth tooth{};
};

struct SlipStudy {
  using Recorded = SlipRecord;
  /// A law, and what it says about the other spring.
  struct Told {
    SlipFit fit{};
    SawTooth predicted{};
  };
  std::vector<std::string> problems{};  // one line each: bad input, or no law that slips as the data do
  Recorded own{};
  std::optional<Recorded> other{};
  Pulled pulled{};
  bool load_is_read_off = false, mass_is_weight = false;
  double least = 0;
  double predicted_spring = 0;  // N/m; 0: none
  std::vector<Told> laws{};     // when stopped, those that were done
  bool stopped = false;

  bool ok() const noexcept { return problems.empty(); }
  Pulled at_other_spring() const {
    Pulled there = pulled;
    there.spring = predicted_spring;
    return there;
  }
};

/// What is wrong with a request, but for its data; one line each.
std::vector<std::string> problems_of(const SlipRequest& request);
SlipStudy run(const SlipRequest& request);
/// Whether period and drop at the other spring are those that were measured there.
bool explains(const SlipStudy& study, const SlipStudy::Told& law);

std::string slip_text(const SlipStudy& study);
std::string slip_facts(const SlipStudy& study);
plot::Figure slip_figure(const SlipStudy& study);

/// A scene for each law that slips, stick_slip.json and stick_slip.svg; the problem, if there is one.
std::optional<std::string> write_folder(const std::string& folder, const SlipStudy& study);
std::vector<std::string> slip_folder_objections(const std::string& folder, const std::vector<std::string>& laws);

}  // namespace asperity::identify
