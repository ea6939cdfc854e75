#include "asperity/identify/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "asperity/any_law.hpp"

namespace asperity::identify {
namespace {

/// Laws that differ by less than this on unseen data are as good as each other.
constexpr double a_tie = 0.03;

double variance(const Samples& samples, const Rows& rows) {
  double mean = 0, square = 0;
  for (const std::size_t k : rows) mean += samples.force[k] / static_cast<double>(rows.size());
  for (const std::size_t k : rows)
    square += (samples.force[k] - mean) * (samples.force[k] - mean) / static_cast<double>(rows.size());
  return square;
}

}  // namespace

std::vector<double> simulated_position(const Model& model, const Fit& fit, const Samples& samples) {
  const auto law = make_law(model.about().name);
  for (const Parameter& p : model.parameters(fit.q)) law->set(p.name, p.values);
  std::vector<double> z = law->start(), rate(z.size()), x{samples.position.front()};
  constexpr int parts = 4;  // of a sample
  double position = samples.position.front(), velocity = samples.velocity.front();
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const double h = samples.step[k] / parts;
    for (int i = 0; i < parts; ++i) {
      const Motion motion{velocity, samples.load[k], 0, 0};
      const double friction = law->react(z, motion, h, rate).tangential;
      for (std::size_t s = 0; s < z.size(); ++s) z[s] += h * rate[s];
      law->transit(z, motion);
      velocity += h * (samples.force[k] - friction - fit.viscous * velocity - fit.offset) / fit.mass;
      position += h * velocity;
    }
    x.push_back(position);
  }
  return x;
}

Judged judge(const Model& model, const Samples& samples, const Rows& rows, const Unseen& unseen, const FitSettings& settings) {
  Judged j;
  j.law = model.about().name;
  j.fit = fit(model, samples, rows, settings);
  j.uncertainty = uncertainty(model, j.fit, samples, rows);
  j.states = model.states(settings.elements);
  j.rms = rms_residual(samples, predicted_force(model, j.fit, samples, rows.back() + 1), rows);
  j.explained = 1 - j.rms * j.rms / variance(samples, rows);
  j.nanoseconds = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 3; ++turn) {  // the quickest: others may have had the processor in between
    const auto start = std::chrono::steady_clock::now();
    j.unseen_force = predicted_force(model, j.fit, *unseen.samples, unseen.samples->size());
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    j.nanoseconds = std::min(j.nanoseconds, took.count() / static_cast<double>(unseen.samples->size()));
  }
  j.unseen_rms = rms_residual(*unseen.samples, j.unseen_force, unseen.rows);
  if (j.fit.mass > 0) {
    const auto x = simulated_position(model, j.fit, *unseen.samples);
    double square = 0;
    for (const std::size_t k : unseen.rows) square += (x[k] - unseen.samples->position[k]) * (x[k] - unseen.samples->position[k]);
    j.position_rms = std::sqrt(square / static_cast<double>(unseen.rows.size()));
  }
  return j;
}

void rank(std::vector<Judged>& laws) {
  std::stable_sort(laws.begin(), laws.end(), [](const Judged& a, const Judged& b) { return a.unseen_rms < b.unseen_rms; });
}

std::string advice(const std::vector<Judged>& ranked) {
  const Judged& best = ranked.front();
  if (!best.is_identified())
    return fmt::format("No law explains this force: {} explains {:.0f} % of it. Do not use these numbers.", best.law,
                       100 * std::max(0.0, best.explained));
  const Judged* simplest = &best;
  for (const Judged& other : ranked)
    if (other.unseen_rms <= best.unseen_rms * (1 + a_tie) && other.uncertainty.parameters < simplest->uncertainty.parameters)
      simplest = &other;
  if (simplest != &best)
    return fmt::format("Take {}: {} is better on unseen data by {:.1f} % only, with {} parameters instead of {}.", simplest->law,
                       best.law, 100 * (1 - best.unseen_rms / simplest->unseen_rms), best.uncertainty.parameters,
                       simplest->uncertainty.parameters);
  if (ranked.size() == 1) return fmt::format("{} explains {:.1f} % of the force it was fitted to.", best.law, 100 * best.explained);
  return fmt::format("Take {}: on unseen data its error is {:.1f} % below that of {}.", best.law,
                     100 * (1 - best.unseen_rms / ranked[1].unseen_rms), ranked[1].law);
}

}  // namespace asperity::identify
