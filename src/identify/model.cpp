#include "asperity/identify/model.hpp"

#include <algorithm>
#include <cmath>

#include "identify/rows.hpp"

namespace asperity::identify {
namespace {

double quantile(std::vector<double> values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Rows rows_between(const Samples& samples, double from, double to) {
  Rows rows;
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (samples.is_usable[k] && samples.t[k] >= from && samples.t[k] <= to) rows.push_back(k);
  return rows;
}

Scales scales_of(const Samples& samples, const Rows& rows) {
  std::vector<double> speed, travel, force, position, step;
  for (const std::size_t k : rows) {
    speed.push_back(std::abs(samples.velocity[k]));
    travel.push_back(std::abs(samples.velocity[k]) * samples.step[k]);
    force.push_back(samples.load[k] > 0 ? samples.force[k] / samples.load[k] : 0);
    position.push_back(samples.position[k]);
    step.push_back(samples.step[k]);
  }
  double mean = 0, square = 0;
  for (const double f : force) mean += f / static_cast<double>(force.size());
  for (const double f : force) square += (f - mean) * (f - mean) / static_cast<double>(force.size());
  const auto [lowest, highest] = std::minmax_element(position.begin(), position.end());
  return {std::sqrt(square), *highest - *lowest, quantile(speed, 0.95), quantile(step, 0.5), quantile(travel, 0.5)};
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < rows::identify::table.count; ++r) rows::identify::table.rows[r]->add_names(names);
  return names;
}

std::unique_ptr<Model> make_model(std::string_view name) {
  std::unique_ptr<Model> model;
  for (std::size_t r = 0; r < rows::identify::table.count && !model; ++r) model = rows::identify::table.rows[r]->make(name);
  return model;
}

}  // namespace asperity::identify
