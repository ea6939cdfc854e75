#include "asperity/identify/study.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "asperity/any_law.hpp"
#include "asperity/identify/motion.hpp"
#include "asperity/identify/signal.hpp"

namespace asperity::identify {
namespace {

/// Laws that differ by less than this on unseen data are as good as each other.
constexpr double a_tie = 0.03;

double part_of(const Rows& rows) { return 1 / static_cast<double>(rows.size()); }

double variance(const Samples& samples, const Rows& rows) {
  std::vector<double> force(samples.force.begin(), samples.force.begin() + std::ptrdiff_t(reach_of(samples, rows)));
  keep_band(samples, force);
  double mean = 0, square = 0;
  for (const std::size_t k : rows) mean += force[k] * part_of(rows);
  for (const std::size_t k : rows) square += (force[k] - mean) * (force[k] - mean) * part_of(rows);
  return square;
}

/// Of the velocity and the force that is left for friction.
double correlation_with_velocity(const Samples& samples, const Rows& rows, const Fit& fit) {
  double power = 0, forces = 0, velocities = 0;
  for (const std::size_t k : rows) {
    const double v = samples.velocity[k], friction = samples.force[k] - force_beside(fit, samples, k) + fit.viscous * v;
    power += friction * v, forces += friction * friction, velocities += v * v;
  }
  return forces > 0 && velocities > 0 ? power / std::sqrt(forces * velocities) : 0;
}

/// The residual if there were no law, only the terms beside it.
double rms_without_law(const Samples& samples, const Rows& rows, const Fit& fit) {
  std::vector<double> beside(reach_of(samples, rows));
  for (std::size_t k = 0; k < beside.size(); ++k) beside[k] = force_beside(fit, samples, k);
  return rms_residual(samples, beside, rows);
}

/// The residual of a spring in place of the law, with the terms beside it found anew.
double rms_of_spring(const Samples& samples, const Rows& rows, const Fit& fit) {
  std::vector<std::vector<double>> columns;
  const std::size_t count = reach_of(samples, rows);
  const auto add = [&](auto&& value) {
    columns.emplace_back(count);
    for (std::size_t k = 0; k < count; ++k) columns.back()[k] = value(k);
    keep_band(samples, columns.back());
  };
  add([&](std::size_t k) { return samples.position[k] - samples.position[rows.front()]; });
  add([](std::size_t) { return 1.0; });
  if (fit.mass_is_free) add([&](std::size_t k) { return samples.acceleration[k]; });
  if (fit.viscous_is_free) add([&](std::size_t k) { return samples.velocity[k]; });
  for (const Term& term : samples.terms) add([&](std::size_t k) { return term.values[k]; });
  add([&](std::size_t k) { return samples.force[k] - (fit.mass_is_free ? 0 : fit.mass * samples.acceleration[k]); });
  const auto m = static_cast<Eigen::Index>(rows.size()), n = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd A(m, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < m; ++i) A(i, j) = columns[std::size_t(j)][rows[std::size_t(i)]];
  const Eigen::VectorXd scale = A.colwise().norm().array().max(1e-300).transpose();
  A = A * scale.cwiseInverse().asDiagonal();
  Eigen::MatrixXd G = A.transpose() * A;
  G.diagonal().array() += 1e-12;
  const Eigen::VectorXd x = G.topLeftCorner(n - 1, n - 1).ldlt().solve(G.col(n - 1).head(n - 1));
  return scale[n - 1] * (A.col(n - 1) - A.leftCols(n - 1) * x).norm() / std::sqrt(static_cast<double>(m));
}

/// How far the law is off, over these rows.
void measure(Judged& j, const Samples& samples, const Rows& rows, const Unseen& unseen) {
  j.rms = rms_residual(samples, j.fitted_force, rows);
  j.explained = 1 - j.rms * j.rms / variance(samples, rows);
  const double without = rms_without_law(samples, rows, j.fit);
  j.gain = static_cast<double>(rows.size()) / j.uncertainty.runs * (without * without / (j.rms * j.rms) - 1);
  double there = 0, back = 0;  // what never reverses is no swing
  for (const std::size_t k : rows) (samples.velocity[k] > 0 ? there : back) += std::abs(samples.velocity[k]);
  const double spring = rms_of_spring(samples, rows, j.fit);
  j.over_spring = std::min(there, back) < 1e-3 * std::max(there, back)
                      ? std::numeric_limits<double>::infinity()
                      : static_cast<double>(rows.size()) / j.uncertainty.runs * (spring * spring / (j.rms * j.rms) - 1);
  j.resistance = correlation_with_velocity(samples, rows, j.fit);
  j.unseen_rms = rms_residual(*unseen.samples, j.unseen_force, unseen.rows);
  const std::vector<double> nothing(unseen.samples->size(), 0.0);
  j.unseen_part = j.unseen_rms / rms_residual(*unseen.samples, nothing, unseen.rows);
}

/// Takes out the rows at which every one of the predictions misses a spike; smaller ones than a hundredth of the force do not
/// matter.
std::size_t take_out_spikes(const Samples& samples, Rows& rows, const std::vector<const std::vector<double>*>& predictions) {
  std::vector<char> is_spike(rows.size(), true);
  const double matters = 0.01 * std::sqrt(variance(samples, rows));
  for (const std::vector<double>* predicted : predictions) {
    std::vector<double> residual;
    for (const std::size_t k : rows) residual.push_back(samples.force[k] - (*predicted)[k]);
    const std::vector<char> is_out = outliers(residual);
    for (std::size_t i = 0; i < rows.size(); ++i) is_spike[i] = is_spike[i] && is_out[i] && std::abs(residual[i]) > matters;
  }
  Rows kept;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!is_spike[i]) kept.push_back(rows[i]);
  std::swap(kept, rows);
  return kept.size() - rows.size();
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
    double given = fit.offset;
    for (std::size_t i = 0; i < fit.terms.size(); ++i) given += fit.terms[i] * samples.terms[i].values[k];
    for (int i = 0; i < parts; ++i) {
      const Motion motion{velocity, samples.load[k], 0, 0};
      const double friction = law->react(z, motion, h, rate).tangential;
      for (std::size_t s = 0; s < z.size(); ++s) z[s] += h * rate[s];
      law->transit(z, motion);
      velocity += h * (samples.force[k] - friction - fit.viscous * velocity - given) / fit.mass;
      position += h * velocity;
    }
    x.push_back(position);
  }
  return x;
}

namespace {

/// Takes back what noise of the motion has done. That is linear: where it leads elsewhere, along what the data hardly determine,
/// the residual grows, and half of it is left as an error instead. Noise that explains a part p of a regressor makes the residual
/// of the truth larger by 1/sqrt(1 - p), and beyond p = 0.3 nothing has an interval.
NoiseBias taken_back(const Model& model, Fit& fit, NoiseBias bias, const Samples& samples, const Rows& rows) {
  const std::size_t count = reach_of(samples, rows);
  const auto rms = [&](const Fit& at) { return rms_residual(samples, predicted_force(model, at, samples, count), rows); };
  const double most = 1.2 * rms(fit);
  Fit corrected = fit;
  correct(model, corrected, bias);
  for (int round = 0; round < 6 && rms(corrected) > most; ++round) {
    for (NoiseBias::Move& move : bias.moves) move.error = std::hypot(move.error, move.shift / 2), move.shift /= 2;
    corrected = fit;
    correct(model, corrected, bias);
  }
  if (rms(corrected) <= most) fit = std::move(corrected);
  return bias;
}

}  // namespace

Judged judge(const Model& model, const Samples& samples, const Rows& rows, const Unseen& unseen, const FitSettings& settings) {
  Judged j;
  j.law = j.catalogue = model.about().name;
  j.fit = fit(model, samples, rows, settings);
  const NoiseBias bias = taken_back(model, j.fit, noise_bias(model, j.fit, samples, rows), samples, rows);
  j.uncertainty = uncertainty(model, j.fit, samples, rows, bias);
  j.states = model.states(settings.elements);
  j.fitted_force = predicted_force(model, j.fit, samples, reach_of(samples, rows));
  j.nanoseconds = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 3; ++turn) {  // the quickest: others may have had the processor in between
    const auto start = std::chrono::steady_clock::now();
    j.unseen_force = predicted_force(model, j.fit, *unseen.samples, unseen.samples->size());
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    j.nanoseconds = std::min(j.nanoseconds, took.count() / static_cast<double>(unseen.samples->size()));
  }
  measure(j, samples, rows, unseen);
  j.delay = delay_of(model, j.fit, samples, rows);
  if (j.fit.mass > 0) {
    const auto x = simulated_position(model, j.fit, *unseen.samples);
    double square = 0;
    for (const std::size_t k : unseen.rows) square += (x[k] - unseen.samples->position[k]) * (x[k] - unseen.samples->position[k]);
    j.position_rms = std::sqrt(square / static_cast<double>(unseen.rows.size()));
  }
  return j;
}

std::vector<std::string> leave_out_spikes(std::vector<Judged>& laws, const Samples& samples, Rows& rows, Unseen& unseen) {
  std::vector<const std::vector<double>*> fitted, judged;
  for (const Judged& j : laws) fitted.push_back(&j.fitted_force), judged.push_back(&j.unseen_force);
  std::vector<std::string> notes;
  const auto note = [&](std::size_t count, const char* which) {
    if (count > 0)
      notes.push_back(fmt::format("{} more {} of the force {}: no law explains {}, left out of the errors", count,
                                  count == 1 ? "spike" : "spikes", which, count == 1 ? "it" : "them"));
  };
  note(take_out_spikes(samples, rows, fitted), "where it was fitted");
  note(take_out_spikes(*unseen.samples, unseen.rows, judged), "where it was judged");
  for (Judged& j : laws) measure(j, samples, rows, unseen);
  return notes;
}

void rank(std::vector<Judged>& laws) {
  std::stable_sort(laws.begin(), laws.end(), [](const Judged& a, const Judged& b) {
    return a.is_identified() != b.is_identified() ? a.is_identified() : a.unseen_rms < b.unseen_rms;
  });
}

const Judged& recommended(const std::vector<Judged>& ranked) {
  const Judged& best = ranked.front();
  const Judged* simplest = &best;
  for (const Judged& other : ranked)
    if (other.is_identified() && other.unseen_rms <= best.unseen_rms * (1 + a_tie) &&
        other.uncertainty.parameters < simplest->uncertainty.parameters)
      simplest = &other;
  return *simplest;
}

std::string kind_of_data(const Study& study) {
  if (study.seen == 0) return "unseen data";
  return study.seen == 1 ? "data that were fitted" : fmt::format("data of which {:.0f} % were fitted", 100 * study.seen);
}

std::string why_not(const Study& study, const Judged& law) {
  const char* force = study.is_rotary ? "torque" : "force";
  if (law.is_along_motion())
    return fmt::format("the {} points along the motion, friction against it: is its sign right? {}=-...", force, force);
  if (law.explained <= 0.2)
    return fmt::format("it explains {:.0f} % of the {}, which does not depend on this motion as friction does",
                       100 * std::max(0.0, law.explained), force);
  if (!law.is_needed())
    return fmt::format("without friction the {} is explained as well: any friction is lost in the noise", force);
  if (law.is_spring())
    return fmt::format("a spring explains the {} as well: no energy is lost, which friction does; its limit was not reached",
                       force);
  if (law.unseen_part >= 1)
    return fmt::format("on {} it is off by {:.0f} % of the {}: no law at all is as good", kind_of_data(study),
                       100 * law.unseen_part, force);
  return "";
}

std::string advice(const Study& study) {
  const std::vector<Judged>& ranked = study.laws;
  const Judged &best = ranked.front(), &chosen = recommended(ranked);
  if (!best.is_identified()) return fmt::format("Do not use these numbers. {}: {}.", best.law, why_not(study, best));
  const auto less = [](const Judged& a, const Judged& b) { return 100 * (1 - a.unseen_rms / b.unseen_rms); };
  if (&chosen != &best)
    return fmt::format("Take {}: {} is better on {} by {:.1f} % only, with {} parameters instead of {}.", chosen.law, best.law,
                       kind_of_data(study), less(best, chosen), best.uncertainty.parameters, chosen.uncertainty.parameters);
  if (ranked.size() == 1)
    return fmt::format("{} explains {:.1f} % of the {} it was fitted to.", best.law, 100 * best.explained,
                       study.is_rotary ? "torque" : "force");
  return fmt::format("Take {}: on {} its error is {:.1f} % below that of {}.", best.law, kind_of_data(study), less(best, ranked[1]),
                     ranked[1].law);
}

}  // namespace asperity::identify
