#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "asperity/facts/facts.hpp"
#include "asperity/plot.hpp"
#include "asperity/study/sensitivity.hpp"
#include "report/embedded.hpp"

namespace asperity::study {
namespace {

using plot::escaped;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_cells = 160;    // of a map, along each axis: more are binned
constexpr std::size_t most_bins = 40;      // of a histogram
constexpr std::size_t most_dots = 3000;    // of a scatter plot
constexpr std::size_t most_pictures = 60;  // in a page
constexpr std::size_t most_rows = 100;     // of a table of crossings

/// A value with the shares of the others below and above it.
struct Quantiles {
  double mean = nan, low = nan, middle = nan, high = nan;  // 5 %, 50 %, 95 %
  std::size_t count = 0;
};
double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return nan;
  const double at = share * double(sorted.size() - 1);
  const auto i = std::size_t(at);
  return i + 1 < sorted.size() ? sorted[i] + (at - double(i)) * (sorted[i + 1] - sorted[i]) : sorted[i];
}
Quantiles quantiles_of(std::vector<double> list) {
  std::erase_if(list, [](double x) { return !std::isfinite(x); });
  if (list.empty()) return {};
  std::sort(list.begin(), list.end());
  return {std::accumulate(list.begin(), list.end(), 0.0) / double(list.size()), quantile(list, .05), quantile(list, .5),
          quantile(list, .95), list.size()};
}

/// The values of one axis as bins: those of a grid, or of a few neighbours together.
struct Bins {
  std::vector<double> middles, first;  // of each bin: its place, and the first value in it
  std::vector<std::size_t> of;         // the bin of each value of the grid
};
Bins bins_of(const Axis& axis) {
  Bins bins;
  std::vector<std::size_t> order(axis.values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return axis.values[a] < axis.values[b]; });
  const std::size_t group = (order.size() + most_cells - 1) / most_cells;
  bins.of.resize(order.size());
  for (std::size_t begin = 0; begin < order.size(); begin += group) {
    const std::size_t end = std::min(begin + group, order.size());
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      sum += axis.log ? std::log(axis.values[order[i]]) : axis.values[order[i]];
      bins.of[order[i]] = bins.middles.size();
    }
    sum /= double(end - begin);
    bins.middles.push_back(axis.log ? std::exp(sum) : end == begin + 1 ? axis.values[order[begin]] : sum);
    bins.first.push_back(axis.values[order[begin]]);
  }
  return bins;
}

/// Of a point, the place of its value on a grid axis.
std::size_t place_on(const Plan& plan, std::size_t axis, std::uint64_t point, std::uint64_t each) {
  std::uint64_t cell = point / each;
  for (std::size_t i = plan.grid_axes(); i-- > axis + 1;) cell /= plan.axes[i].values.size();
  return std::size_t(cell % plan.axes[axis].values.size());
}

plot::Axis axis_of(const Axis& axis) {
  plot::Axis drawn{axis.path, axis.unit, {}, axis.log};
  return drawn;
}

class Page {
 public:
  Page(const Plan& plan, const Points& points, const Whole& whole, const StudyOutcome& outcome)
      : plan_(plan),
        points_(points),
        whole_(whole),
        outcome_(outcome),
        each_(points.count() / std::max<std::uint64_t>(plan.grid_points(), 1)) {
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
      const Axis& axis = plan.axes[i];
      if (axis.random) random_.push_back(i);
      else if (axis.words.empty() && axis.values.size() > 1 && distinct(axis)) numbers_.push_back(i);
    }
  }

  std::string border(const plot::Figure& picture, const std::vector<BorderSearch::Crossing>& crossings) {
    const std::string& name = plan_.border->measure;
    head(fmt::format("{} points along the border of {}", outcome_.points, name));
    for (const Measure& measure : plan_.measures)
      text_ += fmt::format("<p class=\"soft\">{} = <code>{}</code></p>\n", escaped(measure.name), escaped(measure.formula));
    std::istringstream lines(outcome_.summary);
    for (std::string line; std::getline(lines, line);) text_ += fmt::format("<p>{}</p>\n", escaped(line));
    this->picture(picture);
    if (crossings.empty()) return foot(), std::move(text_);
    text_ += fmt::format("<h2>Where {} changes</h2>\n<table><tr>", escaped(name));
    for (const Axis& axis : plan_.axes)
      text_ += fmt::format("<th>{}{}</th>", escaped(axis.path), axis.unit.empty() ? "" : escaped(" [" + axis.unit + "]"));
    text_ += "</tr>\n";
    const std::size_t stride = (crossings.size() + most_rows - 1) / most_rows;
    for (std::size_t i = 0; i < crossings.size(); i += stride) {
      text_ += "<tr>";
      for (const double value : crossings[i].at) text_ += fmt::format("<td>{:.6g}</td>", value);
      text_ += "</tr>\n";
    }
    text_ += "</table>\n";
    if (stride > 1)
      text_ += fmt::format("<p class=\"soft\">Every {}th of {} places; all are in border.csv.</p>\n", stride, crossings.size());
    foot();
    return std::move(text_);
  }

  std::string text() {
    head(plan_.total());
    for (std::size_t m = 0; m < plan_.measures.size(); ++m) measure(m);
    foot();
    return std::move(text_);
  }

 private:
  static bool distinct(const Axis& axis) {
    std::vector<double> sorted = axis.values;
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  }

  void head(const std::string& total) {
    text_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"light\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"Asperity\">\n"
        "<title>{0}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{1}\n"
        "figure svg {{ max-width: 100%; height: auto; }}\n.pick {{ cursor: crosshair; }}\n"
        "table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}\n"
        "td, th {{ padding: .15rem .7rem; text-align: right; border-bottom: 1px solid var(--edge); }}\n"
        "td:first-child, th:first-child {{ text-align: left; }}\n"
        "</style>\n</head>\n<body>\n<main>\n<p class=\"bar\"><span class=\"brand\">Asperity</span></p>\n<h1>{0}</h1>\n",
        escaped(plan_.title), report::page_style);
    const std::uint64_t bad = outcome_.points - outcome_.trust[0];
    const bool wrong = outcome_.trust[std::size_t(Trust::failed)] + outcome_.trust[std::size_t(Trust::refused)] > 0;
    text_ += fmt::format("<p class=\"verdict {}\"><strong>{}</strong>",
                         bad == 0 ? "good"
                         : wrong  ? "bad"
                                  : "doubtful",
                         escaped(total));
    for (std::size_t i = 0; i < trust_levels; ++i)
      if (outcome_.trust[i] > 0) text_ += fmt::format(", {} {}", outcome_.trust[i], to_text(Trust(i)));
    text_ += "</p>\n";
    if (wrong)
      text_ +=
          "<p class=\"soft\">Points that failed or were refused are white in maps, and left out of means, bands, histograms and "
          "indices.</p>\n";
    if (!outcome_.examples.empty()) {
      text_ += "<ul class=\"warnings\">\n";
      for (const std::string& example : outcome_.examples) text_ += fmt::format("<li>{}</li>\n", escaped(example));
      text_ += "</ul>\n";
    }
    text_ += "<p class=\"soft\">All points are in table.csv and table.h5.</p>\n";
  }

  void foot() {
    nlohmann::json maps = nlohmann::json::array();
    for (auto& map : maps_) maps.push_back(std::move(map));
    std::string json = maps.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) json.replace(at, 1, "\\u003c");
    text_ +=
        fmt::format("<footer><p>asperity {}</p></footer>\n</main>\n<script type=\"application/json\" id=\"maps\">{}</script>\n",
                    version(), json);
    // The picture of the cells is as wide as the map: where it is clicked is a cell.
    text_ += R"(<script type="module">
const maps = JSON.parse(document.getElementById("maps").textContent);
for (const figure of document.querySelectorAll("figure[data-map]")) {
  const map = maps[figure.dataset.map], image = figure.querySelector("image"), out = figure.querySelector("code");
  image.classList.add("pick");
  const place = (edges, share, log) => {
    const low = edges[0], high = edges[edges.length - 1];
    const value = log ? low * (high / low) ** share : low + (high - low) * share;
    let i = 0;
    while (i + 2 < edges.length && edges[i + 1] < value) ++i;
    return i;
  };
  image.addEventListener("click", (event) => {
    const box = image.getBoundingClientRect();
    const x = place(map.x_edges, (event.clientX - box.left) / box.width, map.x_log);
    const y = place(map.y_edges, (box.bottom - event.clientY) / box.height, map.y_log);
    out.textContent = `${map.command} --set ${map.x_path}=${map.xs[x]} --set ${map.y_path}=${map.ys[y]}${map.rest}`;
  });
}
</script>
</body>
</html>
)";
  }

  void picture(const plot::Figure& figure) {
    if (++pictures_ > most_pictures) return;
    text_ += "<figure>" + svg(figure) + "</figure>\n";
  }
  /// Names within a picture are those of the page: made different.
  std::string svg(const plot::Figure& figure) {
    std::string drawn = plot::to_svg(figure);
    const std::string mark = fmt::format("f{}", ++names_);
    for (const char* name : {"panel", "bar"})
      for (const char* before : {"id=\"", "url(#"}) {
        const std::string from = std::string(before) + name, to = std::string(before) + mark + name;
        for (std::size_t at = drawn.find(from); at != std::string::npos; at = drawn.find(from, at + to.size()))
          drawn.replace(at, from.size(), to);
      }
    return drawn;
  }

  void measure(std::size_t m) {
    const Measure& measure = plan_.measures[m];
    text_ += fmt::format("<section>\n<h2>{}</h2>\n<p class=\"soft\"><code>{}</code></p>\n", escaped(measure.name),
                         escaped(measure.formula));
    const Quantiles all = quantiles_of(whole_.measures[m]);
    if (all.count == 0) {
      text_ += "<p>It is known at no point.</p>\n</section>\n";
      return;
    }
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double x : whole_.measures[m])
      if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
    text_ += fmt::format(
        "<table><tr><th>points</th><th>mean</th><th>least</th><th>5 %</th><th>median</th><th>95 %</th><th>most</th></tr>\n"
        "<tr><td>{}</td><td>{:.5g}</td><td>{:.5g}</td><td>{:.5g}</td><td>{:.5g}</td><td>{:.5g}</td><td>{:.5g}</td></tr></table>\n",
        all.count, all.mean, least, all.low, all.middle, all.high, most);
    const bool yes_no = std::all_of(whole_.measures[m].begin(), whole_.measures[m].end(),
                                    [](double x) { return !std::isfinite(x) || x == 0 || x == 1; });
    for (std::size_t a = 0; a < numbers_.size(); ++a)
      for (std::size_t b = a + 1; b < numbers_.size() && b < 4; ++b) map(m, numbers_[a], numbers_[b], least, most);
    if (numbers_.size() != 2 || !random_.empty())
      for (const std::size_t a : numbers_) curve(m, a, yes_no);
    if (!random_.empty() && plan_.sensitivity != Sensitivity::morris && least < most) {
      if (!yes_no) histogram(m, least, most);
      for (const std::size_t a : random_)
        if (!yes_no) scatter(m, a);
      if (plan_.sensitivity == Sensitivity::none && random_.size() > 1) tornado(m);
    }
    if (plan_.sensitivity == Sensitivity::sobol) indices(m);
    if (plan_.sensitivity == Sensitivity::morris) effects(m);
    text_ += "</section>\n";
  }

  /// The mean over everything else, in each cell.
  void map(std::size_t m, std::size_t a, std::size_t b, double least, double most) {
    const Bins xs = bins_of(plan_.axes[a]), ys = bins_of(plan_.axes[b]);
    if (xs.middles.size() < 2 || ys.middles.size() < 2 || ++pictures_ > most_pictures) return;
    std::vector<double> sums(xs.middles.size() * ys.middles.size()), counts(sums.size());
    for (std::uint64_t i = 0; i < points_.count(); ++i) {
      const double value = whole_.measures[m][i];
      if (!std::isfinite(value)) continue;
      const std::size_t cell = ys.of[place_on(plan_, b, i, each_)] * xs.middles.size() + xs.of[place_on(plan_, a, i, each_)];
      sums[cell] += value;
      counts[cell] += 1;
    }
    plot::Map drawn{
        "", axis_of(plan_.axes[a]), axis_of(plan_.axes[b]), {plan_.measures[m].name, "", {}, false}, xs.middles, ys.middles, {}};
    if (least < most) drawn.value.range = {least, most};
    for (std::size_t i = 0; i < sums.size(); ++i) drawn.values.push_back(counts[i] > 0 ? sums[i] / counts[i] : nan);
    plot::Figure figure;
    figure.columns = 1;
    figure.panel_width = 720, figure.panel_height = 460;
    figure.maps.push_back(std::move(drawn));
    // What a click needs.
    nlohmann::json click;
    const auto edges = [](const Bins& bins, bool log) {
      std::vector<double> list;
      const auto flat = [&](double x) { return log ? std::log(x) : x; };
      const auto back = [&](double x) { return log ? std::exp(x) : x; };
      const auto& at = bins.middles;
      list.push_back(back(flat(at[0]) - (flat(at[1]) - flat(at[0])) / 2));
      for (std::size_t i = 1; i < at.size(); ++i) list.push_back(back((flat(at[i - 1]) + flat(at[i])) / 2));
      list.push_back(back(flat(at.back()) + (flat(at.back()) - flat(at[at.size() - 2])) / 2));
      return list;
    };
    std::vector<double> values(plan_.axes.size());
    points_.at(0, values);
    std::string rest;
    for (std::size_t i = 0; i < plan_.axes.size(); ++i)
      if (i != a && i != b) rest += " --set " + plan_.axes[i].setting(values[i]);
    Plan alone = plan_;
    alone.axes.clear();
    click = {{"command", command_of(alone, {})},
             {"x_path", plan_.axes[a].path},
             {"y_path", plan_.axes[b].path},
             {"xs", xs.first},
             {"ys", ys.first},
             {"x_edges", edges(xs, plan_.axes[a].log)},
             {"y_edges", edges(ys, plan_.axes[b].log)},
             {"x_log", plan_.axes[a].log},
             {"y_log", plan_.axes[b].log},
             {"rest", rest}};
    const bool others = plan_.axes.size() > 2;
    text_ += fmt::format(
        "<figure data-map=\"{}\">{}<figcaption class=\"soft\">{}Click on a point for the command that runs it: "
        "<code></code></figcaption></figure>\n",
        maps_.size(), svg(figure), others ? "The mean over the other parameters. " : "");
    maps_.push_back(std::move(click));
  }

  /// Median and the middle nine tenths of what the other parameters make of it; of a yes/no measure, how often it is so.
  void curve(std::size_t m, std::size_t a, bool yes_no) {
    const Bins bins = bins_of(plan_.axes[a]);
    std::vector<std::vector<double>> lists(bins.middles.size());
    for (std::uint64_t i = 0; i < points_.count(); ++i)
      lists[bins.of[place_on(plan_, a, i, each_)]].push_back(whole_.measures[m][i]);
    plot::Line middle{"median", bins.middles, {}}, low{"5 %", bins.middles, {}, plot::Stroke::dashed, 1.2},
        high{"95 %", bins.middles, {}, plot::Stroke::dashed, 1.2};
    low.colour = high.colour = 4;
    middle.colour = 0;
    bool wide = false;
    for (auto& list : lists) {
      const Quantiles q = quantiles_of(std::move(list));
      middle.y.push_back(yes_no ? q.mean : q.middle);
      low.y.push_back(q.low);
      high.y.push_back(q.high);
      wide = wide || q.count > 1;
    }
    plot::Figure figure =
        one_panel("", axis_of(plan_.axes[a]),
                  {yes_no && wide ? "share of the points with " + plan_.measures[m].name : plan_.measures[m].name, "", {}, false});
    wide = wide && !yes_no;
    if (!wide) middle.label.clear();
    figure.panels[0].lines.push_back(std::move(middle));
    if (wide) figure.panels[0].lines.push_back(std::move(low)), figure.panels[0].lines.push_back(std::move(high));
    picture(figure);
  }

  static plot::Figure one_panel(std::string title, plot::Axis x, plot::Axis y) {
    plot::Figure figure;
    figure.columns = 1;
    figure.panel_width = 720, figure.panel_height = 320;
    figure.panels.push_back({std::move(title), std::move(x), std::move(y), {}});
    return figure;
  }

  void histogram(std::size_t m, double least, double most) {
    const auto& list = whole_.measures[m];
    const std::size_t bins = std::clamp<std::size_t>(std::size_t(std::sqrt(double(list.size()))), 5, most_bins);
    std::vector<double> counts(bins);
    double all = 0;
    for (const double x : list)
      if (std::isfinite(x)) ++counts[std::min(bins - 1, std::size_t((x - least) / (most - least) * double(bins)))], ++all;
    plot::Line steps;
    for (std::size_t i = 0; i < bins; ++i)
      for (const std::size_t end : {i, i + 1}) {
        if (i == 0 && end == 0) steps.x.push_back(least), steps.y.push_back(0);
        steps.x.push_back(least + (most - least) * double(end) / double(bins));
        steps.y.push_back(counts[i] / all);
      }
    steps.x.push_back(most), steps.y.push_back(0);
    plot::Figure figure = one_panel("", {plan_.measures[m].name, "", {}, false}, {"share of the points", "", {}, false});
    figure.panels[0].lines.push_back(std::move(steps));
    picture(figure);
  }

  void scatter(std::size_t m, std::size_t a) {
    const auto& xs = whole_.values[a];
    const auto& ys = whole_.measures[m];
    const Distribution& of = *plan_.axes[a].random;
    plot::Axis x = axis_of(plan_.axes[a]);
    x.log = of.kind == Distribution::Kind::loguniform;
    plot::Figure figure = one_panel("", x, {plan_.measures[m].name, "", {}, false});
    const double low = of.quantile(1e-3), high = of.quantile(1 - 1e-3), half = (high - low) / 700;
    plot::Line dots;
    dots.width = 2.5;
    dots.colour = 0;
    const std::size_t stride = std::max<std::size_t>(1, xs.size() / most_dots);
    for (std::size_t i = 0; i < xs.size(); i += stride) {
      if (!std::isfinite(ys[i])) continue;
      for (const double by : {-half, half}) dots.x.push_back(xs[i] + by), dots.y.push_back(ys[i]);
      dots.x.push_back(nan), dots.y.push_back(nan);
    }
    figure.panels[0].lines.push_back(std::move(dots));
    picture(figure);
    if (stride > 1) text_ += fmt::format("<p class=\"soft\">Every {}th point.</p>\n", stride);
  }

  /// Bars side by side, from below: low to high around a middle.
  void bars(const std::vector<std::tuple<std::string, double, double>>& list, const std::string& label) {
    if (++pictures_ > most_pictures || list.empty()) return;
    double low = 0, high = 0;
    bool first = true;
    for (const auto& [name, from, to] : list) {
      low = first ? std::min(from, to) : std::min({low, from, to});
      high = first ? std::max(from, to) : std::max({high, from, to});
      first = false;
    }
    if (!(low < high)) return;
    const double left = 200, width = 480, row = 26;
    const auto at = [&](double x) { return left + width * (x - low) / (high - low); };
    text_ += fmt::format(
        "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 {0:.0f}\" width=\"720\" height=\"{0:.0f}\" "
        "role=\"img\" "
        "font-family=\"Helvetica,Arial,sans-serif\" font-size=\"13\"><rect width=\"720\" height=\"{0:.0f}\" fill=\"#fff\"/>",
        row * double(list.size()) + 40);
    double y = 8;
    for (const auto& [name, from, to] : list) {
      text_ += fmt::format(
          "<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#222\">{}</text>"
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"18\" fill=\"{}\"/>",
          left - 8, y + 14, escaped(name), at(std::min(from, to)), y, std::max(1.0, std::abs(at(to) - at(from))),
          to >= from ? "#0072B2" : "#D55E00");
      y += row;
    }
    for (const double tick : plot::nice_ticks(low, high, 6))
      text_ += fmt::format(
          "<path d=\"M{0:.1f} 4V{1:.1f}\" stroke=\"#999\" stroke-width=\".6\"/><text x=\"{0:.1f}\" y=\"{2:.1f}\" "
          "text-anchor=\"middle\" fill=\"#333\">{3:.4g}</text>",
          at(tick), y, y + 14, tick);
    text_ += fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"#222\">{}</text></svg></figure>\n",
                         left + width / 2, y + 29, escaped(label));
  }

  /// The mean of the measure where a parameter is in its lowest tenth, and where it is in its highest.
  void tornado(std::size_t m) {
    std::vector<std::tuple<std::string, double, double>> list;
    for (const std::size_t a : random_) {
      const Distribution& of = *plan_.axes[a].random;
      const double low = of.quantile(.1), high = of.quantile(.9);
      double sums[2] = {}, counts[2] = {};
      for (std::size_t i = 0; i < whole_.values[a].size(); ++i) {
        const double value = whole_.measures[m][i], x = whole_.values[a][i];
        if (!std::isfinite(value) || (x > low && x < high)) continue;
        sums[x >= high] += value, ++counts[x >= high];
      }
      if (counts[0] > 0 && counts[1] > 0) list.emplace_back(plan_.axes[a].path, sums[0] / counts[0], sums[1] / counts[1]);
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return std::abs(std::get<2>(a) - std::get<1>(a)) > std::abs(std::get<2>(b) - std::get<1>(b));
    });
    text_ +=
        "<p>What it is on average with each parameter in its lowest and in its highest tenth (blue: it grows with the parameter, "
        "red: it falls):</p>\n";
    bars(list, plan_.measures[m].name);
  }

  void indices(std::size_t m) {
    const SobolIndices found = sobol_indices(whole_.measures[m], random_.size(), plan_.seed);
    text_ += fmt::format(
        "<h3>Sobol's indices</h3>\n<p class=\"soft\">Of the variance of {}: the share by each parameter alone, and with all that "
        "it acts in; with the interval of 95 % by the bootstrap. {} samples{}.</p>\n",
        escaped(plan_.measures[m].name), found.used,
        found.left_out > 0 ? fmt::format(", {} left out because a point of theirs failed", found.left_out) : "");
    if (!(found.variance > 0)) {
      text_ += "<p>It does not vary.</p>\n";
      return;
    }
    text_ += "<table><tr><th>parameter</th><th>first order</th><th>95 %</th><th>total</th><th>95 %</th></tr>\n";
    std::vector<std::tuple<std::string, double, double>> list;
    for (std::size_t i = 0; i < random_.size(); ++i) {
      const Estimate &s = found.first[i], &t = found.total[i];
      text_ += fmt::format("<tr><td>{}</td><td>{:.3f}</td><td>{:.3f} to {:.3f}</td><td>{:.3f}</td><td>{:.3f} to {:.3f}</td></tr>\n",
                           escaped(plan_.axes[random_[i]].path), s.value, s.low, s.high, t.value, t.low, t.high);
      list.emplace_back(plan_.axes[random_[i]].path, 0.0, t.value);
    }
    text_ += "</table>\n";
    bars(list, "total order");
  }

  void effects(std::size_t m);

  const Plan& plan_;
  const Points& points_;
  const Whole& whole_;
  const StudyOutcome& outcome_;
  std::uint64_t each_;
  std::vector<std::size_t> numbers_, random_;  // axes: grids of numbers, distributions
  std::vector<nlohmann::json> maps_;
  std::size_t pictures_ = 0, names_ = 0;
  std::string text_;
};

void Page::effects(std::size_t m) {
  const MorrisEffects found = morris_effects(plan_, points_, whole_.measures[m]);
  text_ += fmt::format(
      "<h3>Elementary effects</h3>\n<p class=\"soft\">The change of {} over the whole width of a parameter, at {} places{}. A "
      "large deviation: it acts with others, or not along a line.</p>\n",
      escaped(plan_.measures[m].name), found.used,
      found.left_out > 0 ? fmt::format(", {} left out because a point of theirs failed", found.left_out) : "");
  text_ += "<table><tr><th>parameter</th><th>mean size</th><th>mean</th><th>deviation</th></tr>\n";
  std::vector<std::tuple<std::string, double, double>> list;
  for (std::size_t i = 0; i < random_.size(); ++i) {
    const auto& e = found.effects[i];
    text_ += fmt::format("<tr><td>{}</td><td>{:.4g}</td><td>{:.4g}</td><td>{:.4g}</td></tr>\n",
                         escaped(plan_.axes[random_[i]].path), e.mean_size, e.mean, e.deviation);
    list.emplace_back(plan_.axes[random_[i]].path, 0.0, e.mean_size);
  }
  text_ += "</table>\n";
  bars(list, "mean size of the effect");
}

}  // namespace

std::string page_of(const Plan& plan, const Points& points, const Whole& whole, const StudyOutcome& outcome) {
  return Page(plan, points, whole, outcome).text();
}

std::string border_page(const Plan& plan, const StudyOutcome& outcome, const plot::Figure& picture,
                        const std::vector<BorderSearch::Crossing>& crossings) {
  return Page(plan, Points(plan), {}, outcome).border(picture, crossings);
}

std::string sensitivity_csv(const Plan& plan, const Points& points, const Whole& whole) {
  if (plan.sensitivity == Sensitivity::none) return "";
  const bool sobol = plan.sensitivity == Sensitivity::sobol;
  std::string text = sobol ? "measure,parameter,first,first_low,first_high,total,total_low,total_high,samples,left_out\n"
                           : "measure,parameter,mean_size,mean,deviation,trajectories,left_out\n";
  for (std::size_t m = 0; m < plan.measures.size(); ++m) {
    const SobolIndices indices = sobol ? sobol_indices(whole.measures[m], plan.axes.size(), plan.seed) : SobolIndices{};
    const MorrisEffects effects = sobol ? MorrisEffects{} : morris_effects(plan, points, whole.measures[m]);
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
      text += fmt::format("{},{}", plan.measures[m].name, plan.axes[i].path);
      if (sobol)
        text += fmt::format(",{},{},{},{},{},{},{},{}\n", indices.first[i].value, indices.first[i].low, indices.first[i].high,
                            indices.total[i].value, indices.total[i].low, indices.total[i].high, indices.used, indices.left_out);
      else
        text += fmt::format(",{},{},{},{},{}\n", effects.effects[i].mean_size, effects.effects[i].mean,
                            effects.effects[i].deviation, effects.used, effects.left_out);
    }
  }
  return text;
}

std::string sensitivity_text(const Plan& plan, const Points& points, const Whole& whole) {
  std::string text;
  for (std::size_t m = 0; m < plan.measures.size() && plan.sensitivity != Sensitivity::none; ++m) {
    if (plan.sensitivity == Sensitivity::sobol) {
      const SobolIndices found = sobol_indices(whole.measures[m], plan.axes.size(), plan.seed);
      text += fmt::format("{}: share of the variance, alone and in all:\n", plan.measures[m].name);
      for (std::size_t i = 0; i < plan.axes.size(); ++i)
        text += fmt::format("  {:<24} {:6.3f} ({:.3f} to {:.3f})  {:6.3f} ({:.3f} to {:.3f})\n", plan.axes[i].path,
                            found.first[i].value, found.first[i].low, found.first[i].high, found.total[i].value, found.total[i].low,
                            found.total[i].high);
    } else {
      const MorrisEffects found = morris_effects(plan, points, whole.measures[m]);
      text += fmt::format("{}: mean size of the effect, its deviation:\n", plan.measures[m].name);
      for (std::size_t i = 0; i < plan.axes.size(); ++i)
        text +=
            fmt::format("  {:<24} {:10.4g} {:10.4g}\n", plan.axes[i].path, found.effects[i].mean_size, found.effects[i].deviation);
    }
  }
  return text;
}

}  // namespace asperity::study
