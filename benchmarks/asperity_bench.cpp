// Times of the library beside what they should be, as ratios within one run. See docs/guides/measuring.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/batch.hpp"
#include "asperity/catalogue.hpp"
#include "asperity/step.hpp"
#include "batch/rk4_mass.hpp"
#include "contest.hpp"
#include "control_path.hpp"
#include "design.hpp"
#include "handwritten.hpp"
#include "identify.hpp"
#include "implicit.hpp"
#include "inclusion.hpp"
#include "runs.hpp"
#include "worlds.hpp"

namespace {

using namespace asperity;

// --- the library beside hand-written loops --------------------------------------------------------------------------

constexpr std::size_t samples = 4096;
constexpr double sample_time = 1e-3;

/// Slow reversals through zero, with the breakaway and the sliding of every law in them.
std::vector<double> velocities(double fastest) {
  std::vector<double> v(samples);
  for (std::size_t k = 0; k < samples; ++k) v[k] = fastest * std::sin(0.01 * static_cast<double>(k));
  return v;
}

/// Adds up the answers of react() at one state for all velocities.
template <class React>
std::function<double()> reacting(std::vector<double> v, React react) {
  return [v = std::move(v), react] {
    double sum = 0;
    for (const double velocity : v) sum += react(velocity);
    return sum;
  };
}
/// Adds up the sizes of the forces of a run through all velocities.
template <class Start, class Step>
std::function<double()> stepping(std::vector<double> v, Start start, Step step) {
  return [v = std::move(v), start, step] {
    auto z = start();
    double sum = 0;
    for (const double velocity : v) sum += std::abs(step(z, velocity));
    return sum;
  };
}

/// The same, of the library.
template <class Law, class Sum>
std::vector<Contest> against(const Law& law, const typename Law::State& z, double fastest, std::function<double()> react_by_hand,
                             std::function<double()> step_by_hand, Sum sum) {
  const std::string name(Law::about.name);
  const auto v = velocities(fastest);
  return {{name + " react",
           samples,
           false,
           {{"by hand", std::move(react_by_hand)},
            {"library",
             reacting(v,
                      [law, z, sum](double velocity) {
                        return sum(law.react(z, {velocity, 1.0}, 0.0));
                      }),
             1.1}}},
          {name + " step",
           samples,
           false,
           {{"by hand", std::move(step_by_hand)},
            {"library",
             stepping(
                 v, [law] { return law.start(); },
                 [law](typename Law::State& state, double velocity) {
                   return step(law, state, {velocity, 1.0}, sample_time);
                 }),
             1.1}}}};
}

std::vector<Contest> against_hand() {
  std::vector<Contest> all;
  const auto add = [&](std::vector<Contest> contests) {
    for (Contest& contest : contests) all.push_back(std::move(contest));
  };
  const auto with_one_state = [&](const auto& law, const auto& hand, double fastest) {
    const double a = 3e-6;
    add(against(law, {a}, fastest,
                reacting(velocities(fastest),
                         [=](double v) {
                           double adot;
                           const double f = hand.react(a, v, 1, 0, adot);
                           return f + adot;
                         }),
                stepping(
                    velocities(fastest), [] { return 0.0; }, [=](double& z, double v) { return hand.step(z, v, 1, sample_time); }),
                [](const auto& r) { return r.f + r.rate.a; }));
  };
  const SingleState<double> single;
  with_one_state(single, handwritten::SingleState{single.F, single.K, single.beta}, 0.05);
  const LuGre<double> lugre;
  with_one_state(lugre, handwritten::LuGre{lugre.F_c, lugre.F_s, lugre.v_s, lugre.alpha, lugre.K, lugre.B, lugre.D}, 3e-3);
  {
    const Multistate<double> law;
    handwritten::Multistate hand{law.F_c, law.F_s, law.v_s, law.alpha, law.tau_d, {}, {}, {}};
    Multistate<double>::State z = law.start();
    handwritten::Multistate::State by_hand{};
    by_hand.gamma = z.gamma;
    for (std::size_t i = 0; i < 10; ++i) {
      hand.kappa[i] = law.kappa[i];
      hand.sigma[i] = law.sigma[i];
      hand.lambda[i] = law.lambda[i];
      z.a[i] = by_hand.a[i] = 1e-8 * static_cast<double>(i);
    }
    const auto start_by_hand = [gamma = law.F_s] {
      handwritten::Multistate::State state{};
      state.gamma = gamma;
      return state;
    };
    const auto sum = [](double f, const auto& rate) {
      double all_of_it = f + rate.gamma;
      for (const double adot : rate.a) all_of_it += adot;
      return all_of_it;
    };
    const double fastest = 2e-5;
    add(against(law, z, fastest,
                reacting(velocities(fastest),
                         [=](double v) {
                           handwritten::Multistate::State rate;
                           const double f = hand.react(by_hand, v, 1, 0, rate);
                           return sum(f, rate);
                         }),
                stepping(velocities(fastest), start_by_hand,
                         [=](handwritten::Multistate::State& state, double v) { return hand.step(state, v, 1, sample_time); }),
                [sum](const auto& r) { return sum(r.f, r.rate); }));
  }
  return all;
}

// --- SIMD batches beside the scalar loop ------------------------------------------------------------------------------

/// Ten-element multistate laws, each with a driven mass on it: the structure of arrays, and the scalar loop over the same.
struct Fleet {
  using Law = Multistate<double>;
  static constexpr std::size_t n = 512;
  static constexpr int steps = 40;
  static constexpr double h = 1e-6;

  std::vector<std::vector<double>> parameters, state;
  std::vector<double> mass, mean, amplitude, omega, phase;

  Fleet() : mass(n), mean(n), amplitude(n), omega(n), phase(n) {
    const auto spread = [](std::size_t k, double step) { return 1 + 0.1 * std::sin(step * static_cast<double>(k)); };
    for (std::size_t k = 0; k < n; ++k) {
      mass[k] = spread(k, 1);
      mean[k] = 0.2 * spread(k, 2);
      amplitude[k] = 3 * spread(k, 3);
      omega[k] = 600 * spread(k, 4);
      phase[k] = 1.5 * spread(k, 5);
    }
    Law law;
    each_parameter(law, [&](double& x) {
      parameters.emplace_back();
      for (std::size_t k = 0; k < n; ++k) parameters.back().push_back(x * spread(k, static_cast<double>(parameters.size())));
    });
  }

  Law law(std::size_t k) const {
    Law one;
    std::size_t i = 0;
    each_parameter(one, [&](double& x) { x = parameters[i++][k]; });
    return one;
  }

  double scalar() const {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const Law one = law(k);
      const auto force = [&](double step) { return mean[k] + amplitude[k] * std::sin(omega[k] * (step * h) + phase[k]); };
      MassOnLaw<Law> body{0, 0, one.start()};
      double begin = force(0);
      for (int step = 0; step < steps; ++step) {
        const double end = force(step + 1.0);
        body.step(one, mass[k], begin, force(step + 0.5), end, h);
        begin = end;
      }
      sum += std::abs(body.v) + std::abs(body.x);
    }
    return sum;
  }

  double lanes(Isa isa) {
    state.assign(2 + 11, std::vector<double>(n));
    for (std::size_t k = 0; k < n; ++k) state.back()[k] = parameters[1][k];  // gamma starts at F_s
    std::vector<const double*> in;
    std::vector<double*> out;
    for (const auto& column : parameters) in.push_back(column.data());
    for (auto& column : state) out.push_back(column.data());
    rk4_mass_batch(isa, Law::about.name, n, in, {mass.data(), mean.data(), amplitude.data(), omega.data(), phase.data()}, out, h,
                   steps);
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += std::abs(state[1][k]) + std::abs(state[0][k]);
    return sum;
  }
};

Contest batches(Fleet& fleet) {
  Contest contest{"multistate on a mass, RK4", static_cast<double>(Fleet::n) * Fleet::steps, true, {{"scalar", [&fleet] {
                                                                                                       return fleet.scalar();
                                                                                                     }}}};
  for (const Isa isa : all_isas) {
    if (!supported(isa)) continue;
    const double target = isa == Isa::avx2 ? 3 : isa == Isa::avx512 ? 6 : 0;
    contest.contenders.push_back({std::string(name(isa)), [&fleet, isa] { return fleet.lanes(isa); }, target});
  }
  return contest;
}

// --- what is printed --------------------------------------------------------------------------------------------------

std::string in_words(const Contest& contest, const Contender& contender) {
  if (contender.target == 0) return "";
  return fmt::format("{} {:<4} {}", contest.speed_up ? ">=" : "<=", contender.target, contest.met(contender) ? "yes" : "no");
}

void print_table(const std::vector<Contest>& contests, const std::vector<StepTimes>& steps) {
  fmt::print("{:<34}{:<24}{:>10}{:>9}   {}\n", "", "", "ns", "ratio", "target, met");
  for (const Contest& contest : contests)
    for (const Contender& contender : contest.contenders)
      fmt::print("{:<34}{:<24}{:>10.2f}{:>9.2f}   {}\n", contest.name, contender.name, contest.time(contender),
                 contest.ratio(contender), in_words(contest, contender));
  fmt::print("\n{:<28}{:>10}{:>10}{:>10}\n", "one call of step(), ns", "median", "99.9 %", "worst");
  for (const StepTimes& law : steps) fmt::print("{:<28}{:>10.0f}{:>10.0f}{:>10.0f}\n", law.name, law.median, law.rare, law.worst);
}

void print_json(const std::vector<Contest>& contests, const std::vector<StepTimes>& steps) {
  fmt::print("{{\n  \"contests\": [");
  std::string_view comma = "\n";
  for (const Contest& contest : contests)
    for (const Contender& contender : contest.contenders) {
      fmt::print("{}    {{\"name\": \"{}\", \"contender\": \"{}\", \"ns\": {:.4g}, \"ratio\": {:.4g}", comma, contest.name,
                 contender.name, contest.time(contender), contest.ratio(contender));
      if (contender.target != 0) fmt::print(", \"target\": {}, \"met\": {}", contender.target, contest.met(contender));
      fmt::print("}}");
      comma = ",\n";
    }
  fmt::print("\n  ],\n  \"step_ns\": [");
  comma = "\n";
  for (const StepTimes& law : steps) {
    fmt::print("{}    {{\"name\": \"{}\", \"median\": {:.4g}, \"p999\": {:.4g}, \"worst\": {:.4g}}}", comma, law.name, law.median,
               law.rare, law.worst);
    comma = ",\n";
  }
  fmt::print("\n  ]\n}}\n");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view option = count > 1 ? arguments[1] : "";
  if (count > 2 || (!option.empty() && option != "--json")) {
    fmt::print(stderr, "usage: asperity_bench [--json]\n");
    return 2;
  }
  std::vector<Contest> contests;
  bool all_agree = true;
  const auto hold = [&](Contest contest) {
    contest.run();
    if (!contest.same_results()) {
      all_agree = false;
      fmt::print(stderr, "{}: the contenders do not compute the same\n", contest.name);
      for (const Contender& contender : contest.contenders) fmt::print(stderr, "  {}: {}\n", contender.name, contender.result);
    }
    for (Contender& contender : contest.contenders) contender.work = {};  // and with it what it holds
    contests.push_back(std::move(contest));
  };
  Fleet fleet;
  for (const Contest& contest : against_hand()) hold(contest);
  hold(batches(fleet));
  identify_contests(hold);
  implicit_contests(hold);
  inclusion_contests(hold);
  design_contests(hold);
  run_contests(hold);
  world_contests(hold);
  if (!all_agree) return 1;
  const std::vector<StepTimes> steps = control_path();
  if (option == "--json") print_json(contests, steps);
  else print_table(contests, steps);
}
