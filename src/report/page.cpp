#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "asperity/plot.hpp"
#include "asperity/report/report.hpp"
#include "embedded.hpp"
#include "thin.hpp"

namespace asperity::report {
namespace {

constexpr std::string_view generator = R"(<meta name="generator" content="Asperity">)";
constexpr std::size_t most_rows = 3000, most_columns = 300, most_numbers = 300'000;

/// JSON inside of a script element: no `<` can end it.
std::string within_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string columns_json(const Table& data) {
  std::string text = "[";
  for (const Table::Column& column : data.columns) {
    if (text.size() > 1) text += ",\n";
    const Json head{{"name", column.quantity.name}, {"unit", column.quantity.unit}};
    const std::string start = dumped(head);
    text += std::string_view(start).substr(0, start.size() - 1);
    text += ",\"values\":[";
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      if (i > 0) text += ',';
      const double v = column.values[i];
      if (std::isfinite(v)) fmt::format_to(std::back_inserter(text), "{:.7g}", v == 0 ? 0.0 : v);
      else text += "null";
    }
    text += "]}";
  }
  return text + "]";
}

Table for_page(const Table& data) {
  Table chosen;
  std::size_t room = most_columns;
  for (const Table::Column& column : data.columns) {
    const bool energy = column.quantity.name.starts_with("energy.");
    if (!energy && room == 0) continue;
    if (!energy) --room;
    chosen.columns.push_back(column);
  }
  const std::size_t rows = std::clamp(most_numbers / std::max<std::size_t>(1, chosen.columns.size()), most_rows / 3, most_rows);
  return with_rows(chosen, rows_to_show(chosen, rows));
}

bool has_uplot() noexcept { return !uplot_script.empty(); }

void add_pictures(Json& panels, const std::vector<std::pair<std::string, const Table*>>& tables) {
  for (Json& panel : panels) {
    plot::Figure figure;
    figure.columns = 1;
    const bool over_time = panel["x"]["column"] == tables.front().second->columns.front().quantity.name;
    figure.panel_width = over_time ? 900 : 460;
    figure.panel_height = 300;
    plot::Panel& drawn = figure.panels.emplace_back();
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const std::string& label = tables[t].first;
      const Table& table = *tables[t].second;
      const auto values = [&](const std::string& name) {
        const auto* column = table.find(name);
        return column ? *column : Table::Column{};
      };
      const Table::Column x = values(panel["x"]["column"]);
      drawn.x = {x.quantity.name, x.quantity.unit, {}};
      int colour = 0;
      for (const std::string name : panel["y"]["columns"]) {
        const Table::Column y = values(name);
        drawn.y = {"", y.quantity.unit, {}};
        plot::Line& line = drawn.lines.emplace_back();
        line.label = label.empty() ? name : fmt::format("{} {}", name, label);
        line.x = x.values, line.y = y.values;
        line.stroke = t == 0 ? plot::Stroke::solid : plot::Stroke::dashed;
        line.colour = colour++;
      }
    }
    panel["picture"] = plot::to_svg(figure);
  }
}

std::string page(const std::string& title, const Json& content, const std::string& tables) {
  Json all = content;
  all["palette"] = plot::palette;
  all["interactive"] = has_uplot();
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n{}\n"
      "<title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}\n{}</style>\n</head>\n<body>\n"
      "<noscript>This page draws itself with JavaScript, which is switched off here. The numbers are in the file beside "
      "it.</noscript>\n"
      "<main id=\"page\"></main>\n",
      generator, plot::escaped(title), uplot_style, page_style);
  text += "<script type=\"application/json\" id=\"content\">\n" + within_script(dumped(all)) + "\n</script>\n";
  text += "<script type=\"application/json\" id=\"tables\">\n" + within_script(tables) + "\n</script>\n";
  if (has_uplot()) text += fmt::format("<script>\n/*\n{}*/\n{}</script>\n", uplot_license, uplot_script);
  text += fmt::format("<script type=\"module\">\n{}</script>\n</body>\n</html>\n", page_script);
  return text;
}

}  // namespace asperity::report

bool asperity::is_own_page(std::string_view text) { return text.substr(0, 1000).find(report::generator) != std::string_view::npos; }
