#include "asperity/report/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "asperity/facts/facts.hpp"
#include "asperity/parameters.hpp"

namespace asperity::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 6;  // of one panel by default: as many as there are colours

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    if (!word.empty()) words.push_back(word);
    begin = end + 1;
  }
  return words;
}

/// Where the quantity of a column stands in its name: "position" in "block.position.x", "force" in "force".
std::pair<std::size_t, std::size_t> quantity_in(std::string_view name) {
  std::size_t end = name.size(), dot = name.rfind('.');
  if (dot != std::string_view::npos && end - dot == 2)
    end = dot, dot = dot == 0 ? std::string_view::npos : name.rfind('.', dot - 1);
  const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
  return {begin, end - begin};
}

/// Whether a column is among those that are drawn unless others are asked for.
bool belongs(std::string_view name, std::string_view quantity) {
  const std::size_t at = name.rfind(quantity);
  if (at == std::string_view::npos || (at > 0 && name[at - 1] != '.')) return false;
  const std::string_view rest = name.substr(at + quantity.size());
  return rest.empty() || rest.front() == '.';
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Table::Column& column : table.columns) names.push_back(column.quantity.name);
  return names;
}

std::vector<std::string> default_columns(const Table& table, const std::string& x) {
  std::vector<std::string> chosen;
  for (const char* quantity : {"position", "velocity", "force", "normal_force", "tangential_force"}) {
    std::size_t lines = 0;
    for (const std::string& name : names_of(table))
      if (name != x && belongs(name, quantity) && lines++ < most_lines) chosen.push_back(name);
  }
  if (!chosen.empty()) return chosen;
  for (const std::string& name : names_of(table))
    if (name != x && chosen.size() < 4) chosen.push_back(name);
  return chosen;
}

struct Group {
  std::string unit;
  std::vector<std::string> names;
};

/// Columns of one unit share a panel; those without one have each their own.
std::vector<Group> groups_of(const Table& table, const std::vector<std::string>& names) {
  std::vector<Group> groups;
  for (const std::string& name : names) {
    const std::string& unit = table.find(name)->quantity.unit;
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return !unit.empty() && group.unit == unit; });
    if (same == groups.end()) groups.push_back({unit, {name}});
    else same->names.push_back(name);
  }
  return groups;
}

/// What the columns of a panel have in common: "position"; else their names.
std::string label_of(const Group& group) {
  if (group.names.size() == 1) return group.names.front();
  std::vector<std::string> words;
  for (const std::string& name : group.names) {
    const auto [begin, size] = quantity_in(name);
    const std::string word = name.substr(begin, size);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  if (words.size() > 3) words = {words[0], words[1], "..."};
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Labels of the lines of a panel: without what the axis says already, if they still differ.
std::vector<std::string> lines_of(const Group& group) {
  if (group.names.size() == 1) return {""};
  std::vector<std::string> labels;
  for (const std::string& name : group.names) {
    const auto [begin, size] = quantity_in(name);
    std::string label = name.substr(0, begin == 0 ? 0 : begin - 1) + name.substr(begin + size);
    if (label.empty() || std::find(labels.begin(), labels.end(), label) != labels.end()) return group.names;
    labels.push_back(std::move(label));
  }
  return labels;
}

/// About the width of a legend, px.
double width_of(const std::vector<std::string>& labels) {
  double width = 80;
  for (const std::string& label : labels) width += 60 + 7.5 * static_cast<double>(label.size());
  return width;
}

}  // namespace

std::optional<Data> read_data(const std::string& path, bool to_draw, std::vector<std::string>& problems) {
  fs::path file(path), folder = file.parent_path();
  std::string name = file.stem().string();
  std::vector<std::string> ignored;
  std::error_code none;
  const bool is_folder = fs::is_directory(file, none);
  if (is_folder) {
    folder = file;
    const fs::path whole = fs::absolute(file, none).lexically_normal();
    name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  }
  const auto facts = read_facts((folder / "summary.json").string(), is_folder ? problems : ignored);
  if (is_folder) {
    if (!facts) return std::nullopt;
    file = folder / facts->files.data;
  }
  auto table = to_draw ? read_table_to_draw(file.string(), problems) : read_table(file.string(), problems);
  if (!table) return std::nullopt;
  if (table->rows() == 0) {
    problems.push_back(fmt::format("{}: no rows in it", file.string()));
    return std::nullopt;
  }
  const std::string title = facts ? facts->title : "";
  return Data{name, title.empty() ? name : title, std::move(*table)};
}

Choice choose(const Table& table, const std::optional<std::string>& x, const std::optional<std::string>& y,
              std::vector<std::string>& problems) {
  const std::vector<std::string> known = names_of(table);
  const auto unknown = [&](const char* option, const std::string& name) {
    const auto suggestion = nearest(name, known);
    problems.push_back(
        fmt::format("{} {}: no such column; {}", option, name,
                    suggestion ? "did you mean " + *suggestion + "?" : fmt::format("the columns are: {}", fmt::join(known, ", "))));
  };
  Choice choice;
  choice.x = known.front();
  for (const char* name : {"t", "time"})
    if (table.find(name)) choice.x = name;
  if (x) {
    choice.x = *x;
    if (!table.find(*x)) unknown("--x", *x);
  }
  if (!y) {
    choice.y = default_columns(table, choice.x);
    if (choice.y.empty()) choice.y = {choice.x};
    return choice;
  }
  for (const std::string& word : split(*y)) {
    const std::size_t before = choice.y.size();
    for (const std::string& name : known)
      if (name == word || (word.ends_with('*') && name.starts_with(word.substr(0, word.size() - 1)) && name != choice.x))
        choice.y.push_back(name);
    if (choice.y.size() == before) unknown("--y", word);
  }
  if (choice.y.empty() && problems.empty()) problems.emplace_back("--y: no column is named");
  return choice;
}

plot::Figure figure_of(const Table& table, const Choice& choice) {
  plot::Figure figure;
  const Table::Column& x = *table.find(choice.x);
  for (const Group& group : groups_of(table, choice.y)) {
    plot::Panel panel{"", {x.quantity.name, x.quantity.unit}, {label_of(group), group.unit}, {}};
    const std::vector<std::string> labels = lines_of(group);
    for (std::size_t i = 0; i < labels.size(); ++i)
      panel.lines.push_back({labels[i], x.values, table.find(group.names[i])->values});
    figure.panels.push_back(std::move(panel));
    figure.panel_width = std::max(figure.panel_width, width_of(labels));
  }
  if (figure.panels.size() == 1) figure.panel_width = std::max(figure.panel_width, 720.0);
  if (figure.panels.size() == 1 || figure.panel_width > 600) figure.columns = 1;
  return figure;
}

plot::Figure figure_of(const Table& a, const std::string& label_a, const Table& b, const std::string& label_b,
                       const Choice& choice) {
  plot::Figure figure;
  for (const std::string& name : choice.y) {
    const Table::Column &x = *a.find(choice.x), &y = *a.find(name);
    plot::Panel panel{"", {x.quantity.name, x.quantity.unit}, {name, y.quantity.unit}, {}};
    panel.lines.push_back({label_a, x.values, y.values});
    panel.lines.push_back({label_b, b.find(choice.x)->values, b.find(name)->values, plot::Stroke::dashed});
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace asperity::report
