#include "asperity/identify/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "element_fit.hpp"

namespace asperity::identify {
namespace {

using namespace search;

Fit finished(const Model& model, const FitSettings& settings, const Search& searched, const Point& point, bool converged) {
  Fit fit;
  fit.coordinates = searched.coordinates();
  fit.q = point.q;
  fit.parameters = model.parameters(point.q);
  for (std::size_t i = 0; i < fit.q.size(); ++i) fit.is_gone.push_back(searched.is_gone(point.q, i));
  Index column = 0;
  fit.mass_is_free = !settings.mass;
  fit.viscous_is_free = settings.viscous && !model.has_own_viscosity();
  fit.offset_is_free = settings.offset;
  fit.mass = settings.mass ? *settings.mass : point.beside[column++];
  if (!model.has_own_viscosity()) fit.viscous = fit.viscous_is_free ? point.beside[column++] : settings.viscous_value;
  for (std::size_t i = 0; i < searched.terms(); ++i) fit.terms.push_back(point.beside[column++]);
  fit.offset = fit.offset_is_free ? point.beside[column++] : settings.offset_value;
  fit.cost = point.cost;
  fit.converged = converged;
  fit.weight.assign(searched.weight().data(), searched.weight().data() + searched.weight().size());
  fit.evaluations = searched.evaluations();
  return fit;
}

}  // namespace

std::vector<Coordinate> coordinates_for(const Model& model, const Scales& scales, const FitSettings& settings,
                                        std::vector<std::string>& problems) {
  auto all = model.coordinates(scales, settings.elements);
  std::vector<std::string> names;
  for (const Coordinate& c : all) names.push_back(c.name);
  const auto find = [&](const std::string& name) -> Coordinate* {
    for (Coordinate& c : all)
      if (c.name == name) return &c;
    const auto meant = nearest(name, names);
    problems.push_back(fmt::format("{} has no coordinate \"{}\"; {}", model.about().name, name,
                                   meant ? "did you mean " + *meant + "?" : fmt::format("they are: {}", fmt::join(names, ", "))));
    return nullptr;
  };
  if (model.has_own_viscosity() && !settings.viscous)
    for (Coordinate& c : all)
      if (c.group == 1) c.is_free = false, c.fixed = settings.viscous_value, c.is_given = settings.viscous_value != 0;
  for (const Bound& bound : settings.bounds)
    if (Coordinate* c = find(bound.name)) {
      c->low = c->from = bound.low, c->high = c->to = bound.high;
      c->is_free = c->is_bounded = true;
    }
  for (const auto& [name, value] : settings.fixed)
    if (Coordinate* c = find(name)) c->is_free = false, c->fixed = value, c->is_given = true;
  for (const auto& [name, value] : settings.guess) find(name);
  return all;
}

Fit fit(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings) {
  std::vector<std::string> problems;
  Search searched(model, samples, rows, settings, coordinates_for(model, scales_of(samples, rows), settings, problems));
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "\n")));
  const auto& coordinates = searched.coordinates();
  Point best;
  int evaluations = 0;
  if (model.has_elements() && has_loose_elements(coordinates, settings.elements)) {
    best = fit_elements(model, samples, rows, settings, searched, evaluations);
  } else {
    const auto starts = best_starts(searched, drawn_starts(coordinates, settings, 8), std::size_t(settings.starts));
    best = best_end_of(searched, starts, none_frozen(searched), 60);
  }
  bool converged = searched.descend(best, none_frozen(searched), settings.steps, last_tolerance);
  for (int round = 0; settings.robust && round < 8; ++round) {
    searched.reweigh(best);
    searched.rescale(best);
    converged = searched.descend(best, none_frozen(searched), settings.steps, last_tolerance);
  }
  Fit found = finished(model, settings, searched, best, converged);
  found.evaluations += evaluations;
  return found;
}

double force_beside(const Fit& fit, const Samples& samples, std::size_t k) {
  double force = fit.mass * samples.acceleration[k] + fit.viscous * samples.velocity[k] + fit.offset;
  for (std::size_t i = 0; i < fit.terms.size(); ++i) force += fit.terms[i] * samples.terms[i].values[k];
  return force;
}

std::vector<double> predicted_force(const Model& model, const Fit& fit, const Samples& samples, std::size_t count) {
  std::vector<double> f(count);
  model.force(samples, count, fit.q, f);
  for (std::size_t k = 0; k < count; ++k) f[k] += force_beside(fit, samples, k);
  return f;
}

double rms_residual(const Samples& samples, const std::vector<double>& predicted, const Rows& rows) {
  std::vector<double> residual(predicted.size());
  for (std::size_t k = 0; k < residual.size(); ++k) residual[k] = samples.force[k] - predicted[k];
  keep_band(samples, residual);
  double sum = 0;
  for (const std::size_t k : rows) sum += residual[k] * residual[k];
  return std::sqrt(sum / static_cast<double>(rows.size()));
}

}  // namespace asperity::identify
