#include "wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/quantity_text.hpp"

namespace asperity {

std::string known_quantity(double value, std::string_view unit, int digits) {
  return std::isfinite(value) ? quantity_text(value, unit, digits) : "not known";
}

std::unique_ptr<AnyLaw> find_law(const std::string& name, Problems& problems) {
  auto law = make_law(name);
  if (!law) {
    const auto suggestion = nearest(name, law_names());
    problems.push_back(fmt::format("unknown law \"{}\"; {}", name,
                                   suggestion ? "did you mean " + *suggestion + "?" : "`asperity laws` lists them"));
  }
  return law;
}

std::string short_number(double value) {
  std::string text = fmt::format("{:g}", value);
  if (value != 0 && std::abs(value) >= 1e4) text = fmt::format("{:.6e}", value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return mantissa + "e" + std::to_string(std::stoi(text.substr(e + 1)));
}

std::string short_values(const Parameter& parameter) {
  const auto& v = parameter.values;
  if (!parameter.is_list) return short_number(v.at(0));
  if (std::all_of(v.begin(), v.end(), [&](double x) { return x == v.front(); }))
    return fmt::format("{} (each of {})", short_number(v.at(0)), v.size());
  std::vector<std::string> texts;
  texts.reserve(v.size());
  for (const double x : v) texts.push_back(short_number(x));
  if (texts.size() <= 4) return fmt::format("{}", fmt::join(texts, ", "));
  return fmt::format("{}, {}, ..., {} ({})", texts[0], texts[1], texts.back(), texts.size());
}

std::string dimensions(int highest) { return highest == 1 ? "1-D" : fmt::format("1-{}-D", highest); }

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::friction:
      return "friction";
    case Kind::contact:
      return "contact";
    default:
      return "composite";
  }
}

std::vector<std::string> quirk_names(Quirk quirks) {
  static constexpr std::pair<Quirk, const char*> all[] = {{Quirk::creeps, "creeps"},
                                                          {Quirk::drifts, "drifts"},
                                                          {Quirk::jumps, "jumps"},
                                                          {Quirk::jumps_on_touch, "jumps_on_touch"},
                                                          {Quirk::sticky, "sticky"}};
  std::vector<std::string> names;
  for (const auto& [quirk, name] : all)
    if (has(quirks, quirk)) names.emplace_back(name);
  return names;
}

std::string counted(std::size_t warnings, std::size_t notes) {
  std::string text;
  if (warnings > 0) text += fmt::format("{} warning{}", warnings, warnings == 1 ? "" : "s");
  if (notes > 0) text += fmt::format("{}{} note{}", text.empty() ? "" : ", ", notes, notes == 1 ? "" : "s");
  return text;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view sides) {
  std::vector<std::size_t> width(sides.size());
  const auto letters = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  };
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], letters(row[i]));
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string room(width[i] - letters(row[i]), ' ');
      line += "  " + (sides[i] == '>' ? room + row[i] : row[i] + room);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column > indent && column + 1 + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) out += ' ', ++column;
    out += word;
    column += word.size();
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return out;
}

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> list(1);
  for (const char c : text)
    if (c == ',') list.emplace_back();
    else if (c != ' ') list.back() += c;
  return list;
}

}  // namespace asperity
