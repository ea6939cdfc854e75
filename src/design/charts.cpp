#include "asperity/design/charts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "asperity/design/impact.hpp"
#include "asperity/rules/friction.hpp"
#include "asperity/rules/stability.hpp"
#include "files/whole.hpp"

namespace asperity::design {
namespace {

/// low, ..., high, evenly on a logarithmic axis.
std::vector<double> log_spread(double low, double high, int count) {
  std::vector<double> x;
  for (int i = 0; i < count; ++i) x.push_back(low * std::pow(high / low, double(i) / (count - 1)));
  return x;
}

plot::Line chart_line(std::string label, const std::vector<double>& x, const std::function<double(double)>& f,
                      plot::Stroke stroke = plot::Stroke::solid) {
  plot::Line drawn{std::move(label), x, {}, stroke};
  for (const double at : x) drawn.y.push_back(f(at));
  return drawn;
}

plot::Figure chart_of(std::string title, plot::Panel panel) {
  plot::Figure drawn;
  drawn.title = std::move(title);
  drawn.panels = {std::move(panel)};
  drawn.columns = 1;
  drawn.panel_width = 620, drawn.panel_height = 420;
  return drawn;
}

/// Falls with b to a least value and rises again: a dotted line goes through the least values of all r.
plot::Figure restitution_chart() {
  plot::Panel panel{"", {"b = beta sqrt(K/M)", "1", {}, true}, {"restitution", "1", std::pair(0.0, 1.0)}, {}};
  for (const double r : {.05, .1, .3, .5, .7})
    panel.lines.push_back(chart_line(fmt::format("r = {:g}", r), log_spread(.05, 50, 161),
                                     [&](double b) { return linear_impact(r, b).restitution; }));
  plot::Line least{"least", {}, {}, plot::Stroke::dotted, 1.7, 5};
  for (const double r : log_spread(.01, .95, 60)) {
    const auto at = least_linear_restitution(r);
    least.x.push_back(at.b), least.y.push_back(at.restitution);
  }
  panel.lines.push_back(std::move(least));
  return chart_of("Restitution of linear_compliance, r = alpha/beta", std::move(panel));
}

/// The largest stiffness that a stuck contact may have, from the amplification matrix of the step itself.
plot::Figure stability_chart() {
  const auto largest = [](Method method, double b) {
    const auto stable = [&](double kappa) { return spectral_radius(stuck_step(kappa, kappa * b, true, 1, 1, method)) <= 1; };
    double low = 1e-3, high = low;
    while (high < 1e3 && stable(high)) low = high, high *= 1.05;
    for (int round = 0; round < 40; ++round) (stable((low + high) / 2) ? low : high) = (low + high) / 2;
    return low;
  };
  plot::Panel panel{"", {"b = beta/T", "1", std::pair(0.0, 5.0)}, {"K T²/M", "1", std::pair(0.0, 8.0)}, {}};
  std::vector<double> all;
  for (int i = 0; i <= 250; ++i) all.push_back(.02 * i);
  const double sliding = 1 / reach(Method::rk4);
  panel.lines.push_back(chart_line("rk4", all, [&](double b) { return b < sliding ? 0 : largest(Method::rk4, b); }));
  panel.lines.push_back(chart_line("rk4-lookahead", all, [&](double b) { return largest(Method::rk4_lookahead, b); }));
  panel.lines.push_back({"K = 1.2 M/T², beta = T .. 2T", {1, 2}, {1.2, 1.2}, plot::Stroke::solid, 4});
  return chart_of("Stable below the line: friction of one state on a mass, step T", std::move(panel));
}

/// The least stiffness that holds a load f_m + A sin(w t) of a mass M, for limits F above its peak.
plot::Figure no_drift_chart() {
  plot::Panel panel{"", {"(F - f_m)/A", "1", std::pair(1.0, 4.0)}, {"K/(M w²)", "1", std::pair(0.0, 10.0)}, {}};
  std::vector<double> margins;
  for (int i = 1; i <= 150; ++i) margins.push_back(1 + .02 * i);
  for (const double beta : {0., .2, .5})
    panel.lines.push_back(chart_line(fmt::format("beta w = {:g}", beta), margins, [&](double margin) {
      return least_holding_stiffness(margin, 1, beta, {1, 1, 0});
    }));
  return chart_of("Held without drift above the line", std::move(panel));
}

}  // namespace

std::vector<Chart> charts() {
  return {{"restitution_of_b", restitution_chart()}, {"stability", stability_chart()}, {"no_drift", no_drift_chart()}};
}

std::optional<std::string> write_charts(const std::vector<Chart>& charts, const std::string& folder) {
  if (auto problem = files::make_folder(folder)) return problem;
  for (const Chart& chart : charts)
    if (auto problem = files::write_whole((std::filesystem::path(folder) / (chart.name + ".svg")).string(), to_svg(chart.figure)))
      return problem;
  return std::nullopt;
}

}  // namespace asperity::design
