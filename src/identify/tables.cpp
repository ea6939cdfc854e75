#include "asperity/identify/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "asperity/identify/identify.hpp"
#include "asperity/identify/names.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/utf8.hpp"
#include "json_text.hpp"
#include "page.hpp"
#include "panels.hpp"
#include "wording.hpp"

namespace asperity::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int folds = 5;          // one of which is left out at a time
constexpr double as_good = 0.05;  // of the error on rows that were left out
constexpr double normal_quantile = 1.959963984540054;

/// The 97.5 % quantile of Student's distribution, to 0.2 % from 3 degrees of freedom on (Cornish and Fisher's expansion).
double student_95(double freedom) {
  const double z = normal_quantile, n = std::max(3.0, freedom);
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

bool is_left_out(std::size_t row, int part) { return static_cast<int>(row % folds) == part; }

// --- steady sliding --------------------------------------------------------------------------------------------------------------

/// Samples of each pair. A bristle that turns round overshoots in a step that is longer than all its times; it has settled after
/// a few.
constexpr std::size_t turns = 8;

/// Each pair is a slide that is long compared with every time and length of the law: the law settles after the pair before.
Samples steady_samples(const std::vector<double>& v, const std::vector<double>& f, const std::vector<double>& load) {
  constexpr double long_time = 1e6;  // s
  Samples s;
  double position = 0, t = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t turn = 0; turn < turns; ++turn) {
      const double h = s.t.empty() ? 0 : long_time;
      t += h, position += h * v[i];
      s.t.push_back(t), s.step.push_back(h), s.position.push_back(position);
      s.velocity.push_back(v[i]), s.acceleration.push_back(0), s.force.push_back(f[i]);
      s.load.push_back(load.empty() ? 1 : load[i]), s.is_usable.push_back(turn + 1 == turns);
    }
  return s;
}

/// The rows of pairs that are taken: in each pair the sample that has settled.
Rows rows_of(std::size_t pairs, int left_out, bool is_left_wanted) {
  Rows rows;
  for (std::size_t i = 0; i < pairs; ++i)
    if (left_out < 0 || is_left_out(i, left_out) == is_left_wanted) rows.push_back(turns * (i + 1) - 1);
  return rows;
}

constexpr const char* not_shown = "steady sliding does not show it";

/// Fixes the coordinates that the force of steady sliding does not depend on: stiffnesses, times, dampings.
std::vector<std::size_t> fix_what_is_not_shown(Translated& law, const Samples& samples, const Scales& found) {
  Scales scales = found;
  scales.travel = found.velocity, scales.step = 1e-3, scales.increment = 1e-3 * found.velocity;
  std::vector<std::string> problems;
  std::vector<std::size_t> hidden;
  const auto coordinates = coordinates_for(*law.model, scales, law.settings, problems);
  std::vector<double> q;
  std::vector<Direction> directions;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Coordinate& c = coordinates[i];
    q.push_back(!c.is_free ? c.fixed : c.unit == "N/m" ? c.to : std::sqrt(c.from * c.to));
    directions.push_back({i});
  }
  std::vector<double> f(samples.size()), slopes(samples.size() * q.size());
  law.model->slopes(samples, samples.size(), q, directions, f, slopes);
  for (std::size_t i = 0; i < q.size(); ++i) {
    double most = 0, scale = 0;
    for (std::size_t k = turns - 1; k < samples.size(); k += turns)
      most = std::max(most, std::abs(slopes[i * samples.size() + k])), scale = std::max(scale, std::abs(f[k]));
    if (!coordinates[i].is_free || most > 1e-5 * scale) continue;
    law.settings.fixed.emplace_back(coordinates[i].name, q[i]);
    hidden.push_back(i);
  }
  return hidden;
}

TableFit fitted(Translated& law, const Samples& samples, std::size_t pairs, const std::vector<std::size_t>& hidden) {
  TableFit found;
  const Rows all = rows_of(pairs, -1, false);
  const Fit whole = fit(*law.model, samples, all, law.settings);
  const Uncertainty u = uncertainty(*law.model, whole, samples, all);
  found.name = law.name, found.parameters = u.parameters, found.weak = u.weak;
  found.rms = rms_residual(samples, predicted_force(*law.model, whole, samples, samples.size()), all);
  const double wider = student_95(static_cast<double>(pairs) - u.parameters) / normal_quantile;
  const auto slopes = law.model->parameter_slopes(whole.q);
  std::size_t p = 0;
  for (Finding f : u.findings) {
    // A parameter that is made of a hidden coordinate is hidden, too. Those of the law come first.
    const std::size_t row = p++ * whole.q.size();
    if (row < slopes.size() && std::any_of(hidden.begin(), hidden.end(), [&](std::size_t i) { return slopes[row + i] != 0; })) {
      f = {f.name, f.unit, f.value};
      f.remark = not_shown;
    } else if (std::isfinite(f.low)) {
      const bool is_positive = f.low > 0;
      f.low = is_positive ? f.value * std::pow(f.low / f.value, wider) : f.value - wider * (f.value - f.low);
      f.high = is_positive ? f.value * std::pow(f.high / f.value, wider) : f.value + wider * (f.high - f.value);
    }
    found.findings.push_back(std::move(f));
  }
  double square = 0;
  for (int part = 0; part < folds; ++part) {
    const Rows seen = rows_of(pairs, part, false), unseen = rows_of(pairs, part, true);
    const Fit without = fit(*law.model, samples, seen, law.settings);
    const double rms = rms_residual(samples, predicted_force(*law.model, without, samples, samples.size()), unseen);
    square += rms * rms * static_cast<double>(unseen.size()) / static_cast<double>(pairs);
  }
  found.unseen_rms = std::sqrt(square);
  return found;
}

// --- curves with few parameters --------------------------------------------------------------------------------------------------

/// Columns of A over the rows, y = A x.
struct Curve {
  std::string name, equation;
  std::vector<std::pair<std::string, std::string>> parameters;  // name, unit
  MatrixXd A;
};

struct Line {
  VectorXd x;
  double square = 0;
  MatrixXd inverse;
};

Line solved(const MatrixXd& A, const VectorXd& y) {
  const MatrixXd G = A.transpose() * A;
  Line line;
  line.inverse = G.ldlt().solve(MatrixXd::Identity(G.rows(), G.cols()));
  line.x = line.inverse * (A.transpose() * y);
  line.square = (y - A * line.x).squaredNorm();
  return line;
}

TableFit fitted(const Curve& curve, const VectorXd& y) {
  TableFit found;
  found.name = curve.name, found.equation = curve.equation;
  const Index n = y.size(), p = curve.A.cols();
  found.parameters = static_cast<int>(p);
  const Line line = solved(curve.A, y);
  found.rms = std::sqrt(line.square / static_cast<double>(n));
  const double freedom = static_cast<double>(n - p), deviation = std::sqrt(line.square / freedom);
  for (Index i = 0; i < p; ++i) {
    Finding f{curve.parameters[std::size_t(i)].first, curve.parameters[std::size_t(i)].second, line.x[i]};
    f.error = deviation * std::sqrt(line.inverse(i, i));
    f.low = f.value - student_95(freedom) * f.error, f.high = f.value + student_95(freedom) * f.error;
    found.findings.push_back(std::move(f));
  }
  double square = 0;
  for (int part = 0; part < folds; ++part) {
    std::vector<Index> seen, unseen;
    for (Index i = 0; i < n; ++i) (is_left_out(std::size_t(i), part) ? unseen : seen).push_back(i);
    const Line without = solved(curve.A(seen, Eigen::all), y(seen));
    square += (y(unseen) - curve.A(unseen, Eigen::all) * without.x).squaredNorm();
  }
  found.unseen_rms = std::sqrt(square / static_cast<double>(n));
  return found;
}

// --- the rows --------------------------------------------------------------------------------------------------------------------

class Tables {
 public:
  explicit Tables(const TableRequest& request) : request_(request) {}

  TableStudy run() {
    study_.kind = kind_of(request_.map);
    study_.data = one_line(std::filesystem::path(request_.data.name).filename().string());
    if (!request_.data.understood.empty()) study_.notes.push_back(request_.data.understood);
    auto columns = mapped_columns(request_.data.name, request_.data.table, request_.map, study_.problems);
    if (!columns) return std::move(study_);
    study_.is_rotary = columns->is_rotary;
    columns_ = std::move(columns->columns);
    study_.notes.insert(study_.notes.end(), columns->notes.begin(), columns->notes.end());
    drop_what_is_not_finite();
    study_.rows = columns_.front().second.size();
    if (study_.kind == TableKind::drops) bounce();
    else if (study_.kind == TableKind::steady) slide();
    else break_away();
    if (!study_.problems.empty() || study_.fits.empty()) return std::move(study_);
    std::stable_sort(study_.fits.begin(), study_.fits.end(),
                     [](const TableFit& a, const TableFit& b) { return a.unseen_rms < b.unseen_rms; });
    for (std::size_t i = 1; i < study_.fits.size(); ++i)
      if (study_.fits[i].unseen_rms <= study_.fits[0].unseen_rms * (1 + as_good) &&
          study_.fits[i].parameters < study_.fits[study_.taken].parameters)
        study_.taken = i;
    return std::move(study_);
  }

 private:
  template <class... T>
  void problem(fmt::format_string<T...> text, T&&... values) {
    study_.problems.push_back(fmt::format("{}: ", request_.data.name) + fmt::format(text, std::forward<T>(values)...));
  }
  const std::vector<double>* find(std::string_view what) const {
    for (const auto& [name, values] : columns_)
      if (name == what) return &values;
    return nullptr;
  }

  void drop_what_is_not_finite() {
    const std::size_t before = columns_.front().second.size();
    std::vector<char> is_kept(before, true);
    for (const auto& [name, values] : columns_)
      for (std::size_t i = 0; i < before; ++i) is_kept[i] = is_kept[i] && std::isfinite(values[i]);
    for (auto& [name, values] : columns_) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < before; ++i)
        if (is_kept[i]) values[n++] = values[i];
      values.resize(n);
    }
    if (const std::size_t left = columns_.front().second.size(); left < before)
      study_.notes.push_back(fmt::format("{} of {} rows are not finite: left out", before - left, before));
  }

  bool has_rows(std::size_t least) {
    if (study_.rows < least) problem("{} rows: must be {} at least", study_.rows, least);
    return study_.rows >= least;
  }

  void slide() {
    if (!has_rows(8)) return;
    const std::vector<double>&v = *find("velocity"), &f = *find("force"), *load = find("load");
    for (std::size_t i = 0; i < v.size(); ++i)
      if (v[i] == 0) {
        problem("row {}: the velocity is 0: friction at rest is no number; leave the row out", i + 1);
        return;
      }
    if (load && *std::min_element(load->begin(), load->end()) <= 0) {
      problem("load: must be > 0 in every row");
      return;
    }
    const auto [slowest, fastest] = std::minmax_element(v.begin(), v.end());
    if (request_.settings.offset && *slowest * *fastest > 0) {
      problem("all speeds have one direction: constant friction cannot be distinguished from an offset of the force; use offset 0");
      return;
    }
    Request asked;
    asked.laws = request_.laws, asked.settings = request_.settings, asked.dash = request_.dash;
    asked.settings.mass = 0.0, asked.settings.elements = 1;
    const Samples samples = steady_samples(v, f, load ? *load : std::vector<double>{});
    const Rows rows = rows_of(v.size(), -1, false);
    const Scales scales = scales_of(samples, rows);
    std::vector<Translated> laws = translated_laws(asked, scales.velocity, study_.problems);
    if (!study_.problems.empty()) return;
    Ticker ticker;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      Translated& law = laws[i];
      if (request_.hooks.progress) request_.hooks.progress({double(i), double(laws.size()), ticker.seconds(), law.name});
      law.settings.stop = [&] { return request_.hooks.stopped(); };
      try {
        const auto hidden = fix_what_is_not_shown(law, samples, scales);
        TableFit found = fitted(law, samples, v.size(), hidden);
        if (static_cast<std::size_t>(found.parameters) + 3 > v.size()) {
          study_.notes.push_back(fmt::format("{}: {} parameters, {} rows: left out", law.name, found.parameters, v.size()));
          continue;
        }
        study_.fits.push_back(std::move(found));
      } catch (const Stopped&) {
        study_.stopped = true;
        return;
      }
    }
    if (study_.fits.empty()) problem("{} rows are too few for the laws", v.size());
  }

  void break_away() {
    if (!has_rows(6)) return;
    const std::string force = study_.is_rotary ? "N m" : "N";
    const bool is_rest = study_.kind == TableKind::rest;
    const std::vector<double>&x = *find(is_rest ? "rest" : "load"), &f = *find("force");
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    if (!(*least > 0) || !(*most > 1.2 * *least)) {
      problem("{}: must be > 0 and vary by a factor of 1.2 at least; it is {:g} .. {:g}", is_rest ? "rest" : "load", *least, *most);
      return;
    }
    const auto n = static_cast<Index>(x.size());
    const VectorXd X = Eigen::Map<const VectorXd>(x.data(), n), y = Eigen::Map<const VectorXd>(f.data(), n).cwiseAbs();
    MatrixXd constant = MatrixXd::Ones(n, 1), two(n, 2);
    two.col(0).setOnes();
    if (is_rest) {
      study_.fits.push_back(fitted({"constant", "F", {{"F", force}}, constant}, y));
      two.col(1) = X.array().log10();
      study_.fits.push_back(fitted({"logarithm", "F_1 + b log10(t/(1 s))", {{"F_1", force}, {"b", force}}, two}, y));
      study_.fits.push_back(saturating(X, y, force));
    } else {
      const std::string ratio = study_.is_rotary ? "m" : "1";
      study_.fits.push_back(fitted({"constant", "F", {{"F", force}}, constant}, y));
      study_.fits.push_back(fitted({"proportional", "mu N", {{"mu", ratio}}, MatrixXd(X)}, y));
      two.col(1) = X;
      study_.fits.push_back(fitted({"affine", "F_0 + mu N", {{"F_0", force}, {"mu", ratio}}, two}, y));
    }
  }

  /// F = F_end - d exp(-t/T): T where the squares are least, then all three linearised.
  static TableFit saturating(const VectorXd& t, const VectorXd& y, const std::string& force) {
    const auto columns = [&](double T) {
      MatrixXd A(t.size(), 2);
      A.col(0).setOnes();
      A.col(1) = -(-t.array() / T).exp();
      return A;
    };
    const auto best_time = [&](const std::vector<Index>& rows) {
      const double low = std::log(0.3 * t.minCoeff()), high = std::log(3 * t.maxCoeff());
      double best = low, least = std::numeric_limits<double>::infinity();
      const auto look = [&](double from, double to) {
        for (int i = 0; i <= 60; ++i) {
          const double at = from + (to - from) * i / 60;
          const double square = solved(columns(std::exp(at))(rows, Eigen::all), y(rows)).square;
          if (square < least) least = square, best = at;
        }
      };
      look(low, high);
      const double step = (high - low) / 60;
      look(best - step, best + step);
      return std::exp(best);
    };
    std::vector<Index> all(static_cast<std::size_t>(t.size()));
    std::iota(all.begin(), all.end(), Index(0));
    const double T = best_time(all);
    const Line line = solved(columns(T), y);
    MatrixXd J(t.size(), 3);
    J.leftCols(2) = columns(T);
    J.col(2) = -line.x[1] * (-t.array() / T).exp() * t.array() / (T * T);
    TableFit found =
        fitted({"saturating", "F_end - d exp(-t/T)", {{"F_end", force}, {"d", force}, {"T", "s"}}, J}, y - J.leftCols(2) * line.x);
    const std::array<double, 3> at{line.x[0], line.x[1], T};
    for (std::size_t i = 0; i < 3; ++i) {
      Finding& f = found.findings[i];
      f.low += at[i] - f.value, f.high += at[i] - f.value, f.value = at[i];
      if (!std::isfinite(f.error) || (i == 2 && !(f.low > 0))) {
        f = {f.name, f.unit, f.value};
        f.remark = "not identifiable from the data";
      }
    }
    found.rms = std::sqrt(line.square / static_cast<double>(t.size()));
    double square = 0;
    for (int part = 0; part < folds; ++part) {
      std::vector<Index> seen, unseen;
      for (const Index i : all) (is_left_out(std::size_t(i), part) ? unseen : seen).push_back(i);
      const MatrixXd A = columns(best_time(seen));
      square += (y(unseen) - A(unseen, Eigen::all) * solved(A(seen, Eigen::all), y(seen)).x).squaredNorm();
    }
    found.unseen_rms = std::sqrt(square / static_cast<double>(t.size()));
    return found;
  }

  /// Drops whose speeds differ by less than a fifth count as one speed.
  void bounce() {
    if (!has_rows(1)) return;
    const std::vector<double>&before = *find("before"), &after = *find("after");
    std::vector<std::pair<double, double>> list;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double v = std::abs(before[i]), e = std::abs(after[i]) / v;
      if (!(v > 0) || !(e <= 1)) {
        problem("row {}: {:g} m/s before, {:g} m/s after: must be > 0, and not faster after than before", i + 1, before[i],
                after[i]);
        continue;
      }
      list.emplace_back(v, e);
    }
    if (!study_.problems.empty()) return;
    std::sort(list.begin(), list.end());
    for (std::size_t i = 0; i < list.size();) {
      std::size_t end = i;
      Drop drop;
      while (end < list.size() && list[end].first < 1.2 * list[i].first) ++end;
      const double n = static_cast<double>(end - i);
      for (std::size_t k = i; k < end; ++k) drop.speed += list[k].first / n, drop.restitution += list[k].second / n;
      double square = 0;
      for (std::size_t k = i; k < end; ++k) square += (list[k].second - drop.restitution) * (list[k].second - drop.restitution);
      drop.count = static_cast<int>(end - i);
      if (drop.count > 1) drop.error = std::sqrt(square / (n - 1) / n);
      study_.drops.push_back(drop);
      i = end;
    }
  }

  const TableRequest& request_;
  TableStudy study_;
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

/// "--at 1:0.8 --at 5:0.6"
std::string design_options(const TableStudy& study) {
  std::string text;
  for (const Drop& drop : study.drops) text += fmt::format(" --at {:.4g}:{:.4g}", drop.speed, drop.restitution);
  return text;
}

std::string unit_here(const TableStudy& study, const Finding& f) {
  Study units;
  units.is_rotary = study.is_rotary && study.kind == TableKind::steady;
  return unit_in(units, f.name, f.unit);
}

}  // namespace

TableKind kind_of(const std::vector<Channel>& map) {
  const auto has = [&](std::string_view what) {
    return std::any_of(map.begin(), map.end(), [&](const Channel& c) { return c.what == what; });
  };
  const bool has_force = has("force") || has("torque") || has("current");
  if (has("time") || has("position") || has("acceleration")) return TableKind::series;
  if (has("before") && has("after") && !has_force) return TableKind::drops;
  if (!has_force) return TableKind::series;
  if (has("rest")) return TableKind::rest;
  if (has("velocity")) return TableKind::steady;
  return has("load") ? TableKind::load : TableKind::series;
}

TableStudy run(const TableRequest& request) { return Tables(request).run(); }

std::string table_text(const TableStudy& study) {
  std::string text;
  for (const std::string& note : study.notes) text += fmt::format("note: {}\n", note);
  if (study.kind == TableKind::drops) {
    text += fmt::format("{} drops at {} {}\n", study.rows, study.drops.size(), study.drops.size() == 1 ? "speed" : "speeds");
    std::vector<std::vector<std::string>> rows{{"speed", "restitution", "", "drops"}};
    for (const Drop& drop : study.drops)
      rows.push_back({quantity_text(drop.speed, "m/s"), fmt::format("{:.4g}", drop.restitution),
                      drop.count > 1 ? fmt::format("+- {:.2g}", drop.error) : "", std::to_string(drop.count)});
    return text + aligned(rows, ">><>") +
           fmt::format("\nA contact with this restitution: asperity design contact --mass M{}\n", design_options(study));
  }
  const std::string force = study.is_rotary ? "N m" : "N";
  const bool is_steady = study.kind == TableKind::steady;
  text += fmt::format("{} rows; {} by their error on rows that were left out\n", study.rows, is_steady ? "laws" : "curves");
  std::vector<std::vector<std::string>> table{{is_steady ? "law" : "curve", "left-out rms", "rms", "parameters"}};
  for (const TableFit& fit : study.fits)
    table.push_back(
        {fit.name, quantity_text(fit.unseen_rms, force), quantity_text(fit.rms, force), std::to_string(fit.parameters)});
  text += aligned(table, "<>>>") + "\n";
  for (const TableFit& fit : study.fits) {
    text += fit.equation.empty() ? fit.name + "\n" : fmt::format("{}: {}\n", fit.name, fit.equation);
    std::vector<std::vector<std::string>> rows;
    for (const Finding& f : fit.findings) {
      const std::string unit = unit_here(study, f);
      const bool has_interval = f.remark.empty() && std::isfinite(f.low);
      rows.push_back(
          {f.name, f.remark == not_shown ? "" : known_quantity(f.value, unit, 5),
           has_interval ? "+- " + known_quantity(f.error, unit, 2) : f.remark,
           has_interval ? fmt::format("95 %: {} .. {}", known_quantity(f.low, unit, 4), known_quantity(f.high, unit, 4)) : ""});
    }
    text += aligned(rows, "<><<");
    for (const std::string& line : fit.weak) text += fmt::format("  not identifiable: {}\n", line);
    text += "\n";
  }
  const TableFit &best = study.fits.front(), &taken = study.fits[study.taken];
  if (study.taken > 0)
    return text +
           fmt::format("Take {}: {} is better on rows that were left out by {:.1f} % only, with {} parameters instead of {}.\n",
                       taken.name, best.name, 100 * (1 - best.unseen_rms / taken.unseen_rms), best.parameters, taken.parameters);
  return text + fmt::format("Take {}.\n", taken.name);
}

std::string table_facts(const TableStudy& study) {
  using report::Json;
  const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  Json facts{{"data", study.data}, {"rows", study.rows}, {"notes", study.notes}};
  if (study.kind == TableKind::drops) {
    Json drops = Json::array();
    for (const Drop& drop : study.drops)
      drops.push_back({{"speed", drop.speed}, {"restitution", drop.restitution}, {"error", drop.error}, {"count", drop.count}});
    facts["drops"] = drops;
    facts["design"] = "asperity design contact --mass M" + design_options(study);
  } else {
    Json fits = Json::array();
    for (const TableFit& fit : study.fits) {
      Json found = Json::array();
      for (const Finding& f : fit.findings)
        found.push_back({{"name", f.name},
                         {"value", f.value},
                         {"unit", unit_here(study, f)},
                         {"error", finite(f.error)},
                         {"low", finite(f.low)},
                         {"high", finite(f.high)},
                         {"remark", f.remark}});
      fits.push_back({{"name", fit.name},
                      {"equation", fit.equation},
                      {"left_out_rms", fit.unseen_rms},
                      {"rms", fit.rms},
                      {"parameters_free", fit.parameters},
                      {"parameters", found},
                      {"not_identifiable", fit.weak}});
    }
    facts["fits"] = fits;
    facts["recommended"] = study.fits[study.taken].name;
  }
  return json_text(facts);
}

}  // namespace asperity::identify
