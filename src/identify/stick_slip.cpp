#include "asperity/identify/stick_slip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "asperity/any_law.hpp"
#include "asperity/identify/fit.hpp"
#include "asperity/identify/signal.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity::identify {
namespace {

using Given = std::vector<std::pair<std::string, double>>;

const double* find(const Given& given, std::string_view name) {
  for (const auto& [known, value] : given)
    if (known == name) return &value;
  return nullptr;
}

bool has(const std::vector<Parameter>& parameters, std::string_view name) {
  return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == name; });
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The value that this share of the values is below.
double quantile_of(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// From 10 to 90 % of the way down between two samples.
double fall_time(const std::vector<double>& t, const std::vector<double>& f, std::size_t peak, std::size_t trough) {
  const double drop = f[peak] - f[trough];
  std::size_t from = peak, to = peak;
  for (std::size_t i = peak; i <= trough; ++i)
    if (f[i] > f[peak] - 0.1 * drop) from = i;
  while (f[to] > f[peak] - 0.9 * drop) ++to;
  return t[to] - t[from];
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread s;
  if (values.empty()) return s;
  const double n = static_cast<double>(values.size());
  s.mean = mean(values);
  double square = 0, neighbours = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    square += (values[i] - s.mean) * (values[i] - s.mean);
    if (i > 0) neighbours += (values[i] - s.mean) * (values[i - 1] - s.mean);
  }
  s.deviation = std::sqrt(square / std::max(1.0, n - 1));
  // n samples that follow one another with correlation r count as n (1 - r)/(1 + r).
  const double r = square > 0 ? std::clamp(neighbours / square, 0.0, 0.99) : 0;
  s.error = s.deviation * std::sqrt((1 + r) / (1 - r) / n);
  return s;
}

double usual_least(const std::vector<double>& force) {
  const auto f = running_median(force);
  return 0.1 * (quantile_of(f, 0.99) - quantile_of(f, 0.01));
}

double noise_of_force(const std::vector<double>& force) {
  // Second differences: neither the steady rise nor the few samples of a slip count. The rms of all but the largest, because steps
  // of a quantised force are mostly zero.
  std::vector<double> square;
  for (std::size_t i = 1; i + 1 < force.size(); ++i) {
    const double d = force[i + 1] - 2 * force[i] + force[i - 1];
    square.push_back(d * d / 6);
  }
  if (square.empty()) return 0;
  const double most = quantile_of(square, 0.95);
  double sum = 0, count = 0;
  for (const double s : square)
    if (s <= most) sum += s, ++count;
  constexpr double kept = 0.7590;  // of the variance of normal numbers, in the smallest 95 % of their squares
  return std::sqrt(sum / count / kept);
}

std::size_t reach_against_noise(double noise, double least) {
  // The median of n samples has the deviation 1.25 sigma/sqrt(n); ten of them are less than a slip.
  const double n = std::pow(10 * 1.2533 * noise / least, 2);
  return std::max<std::size_t>(5, static_cast<std::size_t>(std::min(0.5 * n, 1e4)));
}

SawTooth saw_tooth(const std::vector<double>& t, const std::vector<double>& force, double least) {
  const std::size_t reach = std::min(most_reach, reach_against_noise(noise_of_force(force), least));
  const auto f = running_median(force, reach);
  std::vector<std::size_t> peaks, troughs;  // troughs[i] follows peaks[i]
  std::size_t high = 0, low = 0;
  bool falls = false;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (falls) {
      if (f[i] < f[low]) low = i;
      if (f[i] > f[low] + least) troughs.push_back(low), high = i, falls = false;
    } else {
      if (f[i] > f[high]) high = i;
      if (f[i] < f[high] - least) peaks.push_back(high), low = i, falls = true;
    }
  }
  SawTooth tooth;
  const std::size_t n = std::min(peaks.size(), troughs.size());
  if (n < 3) return tooth;
  tooth.cycles = n - 1;
  std::vector<double> periods, middles, falls_of, rises;
  for (std::size_t i = 1; i < n; ++i) {  // the first slip may be of a cycle that began before the data
    const double peak = f[peaks[i]], trough = f[troughs[i]];
    tooth.peaks.push_back(peak);
    tooth.drops.push_back(peak - trough);
    tooth.rests.push_back(t[peaks[i]] - t[troughs[i - 1]]);
    periods.push_back(t[peaks[i]] - t[peaks[i - 1]]);
    middles.push_back((peak + trough) / 2);
    falls_of.push_back(fall_time(t, f, peaks[i], troughs[i]));
    if (reach > 5) {  // between its quarters, which the median leaves alone
      const std::size_t from = troughs[i - 1], quarter = (peaks[i] - from) / 4;
      rises.push_back(quarter > 0 ? (f[from + 3 * quarter] - f[from + quarter]) / (t[from + 3 * quarter] - t[from + quarter])
                                  : 0.0);
    } else {
      rises.push_back((peak - f[troughs[i - 1]]) / tooth.rests.back());
    }
  }
  if (reach > 5) {  // the median of a rise that ends lies half its window below the end
    const double cut = median(rises) * static_cast<double>(reach) * (t[1] - t[0]);
    for (double& peak : tooth.peaks) peak += cut;
    for (double& drop : tooth.drops) drop += 2 * cut;
  }
  tooth.period = spread_of(periods), tooth.peak = spread_of(tooth.peaks), tooth.drop = spread_of(tooth.drops);
  tooth.rest = spread_of(tooth.rests), tooth.middle = spread_of(middles);
  tooth.fall = median(falls_of), tooth.fastest = quantile_of(falls_of, 0.25), tooth.slowest = quantile_of(falls_of, 0.75);
  tooth.rise = median(rises);
  return tooth;
}

StaticAndKinetic friction_of(const SawTooth& tooth) { return {tooth.peak.mean, tooth.middle.mean}; }

Ageing ageing_within(const SawTooth& tooth) {
  std::vector<double> x;
  for (const double rest : tooth.rests) x.push_back(std::log10(rest));
  const double n = static_cast<double>(x.size()), x_mean = mean(x), y_mean = tooth.peak.mean;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - x_mean, dy = tooth.peaks[i] - y_mean;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  const double slope = xy / xx;
  return {slope, std::sqrt(std::max(0.0, yy - slope * xy) / (n - 2) / xx)};
}

Ageing ageing_between(const SawTooth& one, const SawTooth& other, bool above_kinetic) {
  const double decades = std::log10(other.rest.mean / one.rest.mean);
  const auto [a, b] = above_kinetic ? std::pair(one.drop, other.drop) : std::pair(one.peak, other.peak);
  const double share = above_kinetic ? 0.5 : 1;
  return {share * (b.mean - a.mean) / decades, share * std::hypot(a.error, b.error) / std::abs(decades)};
}

std::vector<std::string> slip_laws() {
  std::vector<std::string> names;
  for (const std::string& name : law_names()) {
    const auto parameters = make_law(name)->parameters();
    const bool has_stribeck_curve = has(parameters, "F_s") && has(parameters, "F_c") && has(parameters, "v_s");
    // A law that brings a mass of its own is for hands, not for sleds.
    if (has_stribeck_curve && !has(parameters, "M")) names.push_back(name);
  }
  return names;
}

namespace {

/// The law with every parameter in SI units.
std::unique_ptr<AnyLaw> set_up(const SlipLaw& slip, double load) {
  auto law = make_law(slip.law);
  constexpr std::size_t elements = 3;  // that break away one after another, at 1/2, 1 and 3/2 of F_s over the stiffness
  if (law->has_elements()) law->set_elements(elements);
  const double K = slip.stiffness, each = K / elements, fast = slip.fast;
  const std::vector<std::pair<std::string, std::vector<double>>> values{{"F_s", {slip.F_s * load}},
                                                                        {"F_c", {slip.F_c * load}},
                                                                        {"v_s", {slip.v_s}},
                                                                        {"K", {K}},
                                                                        {"beta", {fast}},
                                                                        {"B", {K * fast}},
                                                                        {"a_ba", {0.7 * slip.F_c * load / K}},
                                                                        {"tau_d", {fast}},
                                                                        {"C", {slip.F_s * load / fast}},
                                                                        {"kappa", {each, each, each}},
                                                                        {"sigma", {each * fast}},
                                                                        {"lambda", {1.0 / 6, 1.0 / 3, 1.0 / 2}}};
  const auto known = law->parameters();
  for (const auto& [name, numbers] : values)
    if (has(known, name)) law->set(name, numbers);
  for (const auto& [name, value] : slip.fixed) law->set(name, {value});
  return law;
}

/// A slip takes pi times that.
double slip_time(const Pulled& pulled) { return std::sqrt(pulled.mass / pulled.spring); }

}  // namespace

std::vector<std::string> problems_of_fixed(const std::string& name, const Given& fixed) {
  auto law = make_law(name);
  std::vector<std::string> problems;
  for (const auto& [parameter, value] : fixed) {
    if (parameter == "F_s" || parameter == "F_c") problems.push_back(fmt::format("{}: is what is looked for", parameter));
    else if (auto problem = law->set(parameter, {value})) problems.push_back(std::move(*problem));
  }
  if (problems.empty()) problems = law->problems();
  return problems;
}

std::string pulled_scene(const SlipLaw& slip, const Pulled& pulled, double duration) {
  const auto law = set_up(slip, pulled.load);
  std::string text = fmt::format("# A sled on {} friction, pulled through a spring: F_s {:.4g}, F_c {:.4g} of {:.4g} N\n\n",
                                 slip.law, slip.F_s, slip.F_c, pulled.load);
  // Over a law that jumps implicit2 is of order 1.
  const double step = rounded_down((has(law->about().quirks, Quirk::jumps) ? 0.005 : 0.05) * slip_time(pulled));
  text += fmt::format("[run]\nduration = {}\nstep     = {}\nmethod   = \"implicit2\"\npreload  = true\n",
                      to_text(std::ceil(duration / step) * step), to_text(step));
  text += fmt::format("\n[[body]]\nname = \"sled\"\nkind = \"mass\"\nmass = {}\n", to_text(pulled.mass));
  text += fmt::format("\n[[body]]\nname     = \"hand\"\nkind     = \"prescribed\"\nposition = \"{} + {} * t\"\n",
                      to_text(slip.F_c * pulled.load / pulled.spring), to_text(pulled.speed));
  text += fmt::format("\n[[element]]\nname    = \"spring\"\nbetween = [\"sled\", \"hand\"]\nlaw     = \"spring\"\nK = {}\n",
                      to_text(pulled.spring));
  text += fmt::format("\n[[element]]\nname    = \"friction\"\nbetween = [\"sled\", \"ground\"]\nlaw     = \"{}\"\n", slip.law);
  for (const Parameter& p : law->parameters()) text += fmt::format("{} = {}\n", p.name, to_text(p));
  return text;
}

Pull simulated_pull(const SlipLaw& slip, const Pulled& pulled, double duration, const std::function<bool()>& stop) {
  std::vector<SceneProblem> problems;
  const auto scene = read_scene(pulled_scene(slip, pulled, duration), slip.law + ".toml", {}, problems);
  if (!scene) throw std::runtime_error(to_text(problems.front()));
  RunOptions options = scene->run;
  options.record.columns = {"spring.force"};
  const auto sink = std::make_shared<MemorySink>();
  options.record.sink = sink;
  Run run(scene->world, options);
  while (run.step())
    if (stop && stop()) throw Stopped();
  if (run.failure()) throw std::runtime_error(run.failure()->text);
  Pull pull{sink->column("time"), sink->column("spring.force")};
  for (double& f : pull.force) f /= -pulled.load;
  return pull;
}

SawTooth simulated_tooth(const SlipLaw& slip, const Pulled& pulled, double least, const std::function<bool()>& stop) {
  const double period = 2 * (slip.F_s - slip.F_c) * pulled.load / (pulled.spring * pulled.speed);
  const Pull pull = simulated_pull(slip, pulled, 4.5 * period + 10 * slip_time(pulled), stop);
  return saw_tooth(pull.t, pull.force, least);
}

namespace {

/// Peak and drop are nearly F_s and 2 (F_s - F_c): a few corrections by what is missing suffice.
bool meet(SlipFit& fit, const Pulled& pulled, const SawTooth& measured, double least, const std::function<bool()>& stop) {
  constexpr int corrections = 8;
  for (int i = 0; i < corrections; ++i) {
    fit.tooth = simulated_tooth(fit.law, pulled, least, stop);
    if (fit.tooth.cycles == 0) return false;
    const double missing = measured.peak.mean - fit.tooth.peak.mean, ratio = measured.drop.mean / fit.tooth.drop.mean;
    if (std::abs(missing) < 1e-3 * measured.drop.mean && std::abs(ratio - 1) < 1e-3) return true;
    const double above = (fit.law.F_s - fit.law.F_c) * ratio;
    fit.law.F_s += missing;
    fit.law.F_c = std::max(fit.law.F_s - above, 1e-3 * fit.law.F_s);
  }
  return false;
}

}  // namespace

SlipFit fit_slips(const std::string& law, const Pulled& pulled, const SawTooth& measured, double least, const Given& fixed,
                  const std::function<bool()>& stop) {
  const StaticAndKinetic guess = friction_of(measured);
  const double* v_s = find(fixed, "v_s");
  constexpr double stiffer = 100, faster = 25;
  SlipFit fit{{law, guess.F_s, guess.F_k, v_s ? *v_s : pulled.speed, stiffer * pulled.spring, slip_time(pulled) / faster, fixed},
              {}};
  fit.v_s_is_given = v_s != nullptr;
  fit.slips = meet(fit, pulled, measured, least, stop);
  if (!fit.slips) fit.law.F_s = guess.F_s, fit.law.F_c = guess.F_k;
  if (!fit.slips || fit.v_s_is_given) return fit;
  const auto agrees = [&](double at) {
    SlipFit other = fit;
    other.law.v_s = at;
    return meet(other, pulled, measured, least, stop) && other.tooth.fall <= measured.slowest;
  };
  double low = pulled.speed, high = 1000 * pulled.speed;
  if (agrees(high)) return fit;
  for (int i = 0; i < 7; ++i) {
    const double middle = std::sqrt(low * high);
    (agrees(middle) ? low : high) = middle;
  }
  fit.largest_v_s = high;
  return fit;
}

}  // namespace asperity::identify
