#include "value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "../toml.hpp"
#include "asperity/parameters.hpp"

namespace asperity::scene {
namespace {

Value from_toml(const toml::node& node) {
  Value value;
  if (const toml::table* table = node.as_table()) {
    std::vector<std::tuple<std::size_t, std::size_t, const toml::key*, const toml::node*>> entries;
    for (const auto& [key, entry] : *table) entries.emplace_back(key.source().begin.line, key.source().begin.column, &key, &entry);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
    });
    for (const auto& [line, column, key, entry] : entries) {
      value.entries.emplace_back(std::string(key->str()), from_toml(*entry));
      Origin& origin = value.entries.back().second.origin;
      if (origin.line == 0) origin.line = line;
    }
  } else if (const toml::array* list = node.as_array()) {
    value.type = Value::Type::list;
    for (const toml::node& item : *list) value.items.push_back(from_toml(item));
  } else if (node.is_number()) {
    value = Value(node.value<double>().value_or(0));
  } else if (node.is_boolean()) {
    value = Value(node.value<bool>().value_or(false));
  } else if (node.is_string()) {
    value = Value(node.value<std::string>().value_or(""));
  } else {
    value.type = Value::Type::other;
  }
  value.origin.line = node.source().begin.line;
  return value;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out + '"';
}

std::string key_text(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
  return bare ? std::string(key) : in_quotes(key);
}

/// On one line.
std::string inline_text(const Value& value) {
  std::string text;
  switch (value.type) {
    case Value::Type::number:
      return value.number == 0 && std::signbit(value.number) ? "-0.0" : to_text(value.number);
    case Value::Type::flag:
      return value.flag ? "true" : "false";
    case Value::Type::text:
      return in_quotes(value.text);
    case Value::Type::list:
      for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + inline_text(item);
      return "[" + text + "]";
    case Value::Type::table:
      for (const auto& [key, entry] : value.entries)
        text += (text.empty() ? " " : ", ") + key_text(key) + " = " + inline_text(entry);
      return "{" + text + " }";
    case Value::Type::other:
      break;
  }
  return "a date or a time";
}

bool is_table_list(const Value& value) {
  return value.is(Value::Type::list) && !value.items.empty() && value.items[0].is(Value::Type::table);
}

void write_entries(const Value& table, std::string& text) {
  for (const auto& [key, entry] : table.entries) text += key_text(key) + " = " + inline_text(entry) + "\n";
}

}  // namespace

Value::Value(const std::vector<double>& numbers) : type(Type::list) {
  for (const double x : numbers) items.emplace_back(x);
}
Value::Value(const std::vector<std::string>& texts) : type(Type::list) {
  for (const std::string& x : texts) items.emplace_back(x);
}

const Value* Value::find(std::string_view name) const noexcept {
  for (const auto& [key, entry] : entries)
    if (key == name) return &entry;
  return nullptr;
}
Value* Value::find(std::string_view name) noexcept { return const_cast<Value*>(std::as_const(*this).find(name)); }

Value& Value::set(std::string_view name, Value value) {
  if (Value* old = find(name)) return *old = std::move(value);
  return entries.emplace_back(std::string(name), std::move(value)).second;
}

std::optional<Value> read_toml(std::string_view text, Origin& where, std::string& problem) {
  TomlProblem found;
  const auto table = parse_toml(text, found);
  if (table) return from_toml(*table);
  where = {found.line, -1};
  problem = found.text;
  return std::nullopt;
}

Value read_toml_value(const std::string& text) {
  Origin where;
  std::string problem;
  const auto table = read_toml("x = " + text, where, problem);
  if (table && table->entries.size() == 1 && table->entries[0].first == "x" && !table->entries[0].second.is(Value::Type::other))
    return table->entries[0].second;
  return Value(text);
}

std::string to_toml(const Value& root) {
  std::string text;
  for (const auto& [key, entry] : root.entries)
    if (!entry.is(Value::Type::table) && !is_table_list(entry)) text += key_text(key) + " = " + inline_text(entry) + "\n";
  for (const auto& [key, entry] : root.entries) {
    if (entry.is(Value::Type::table)) {
      text += "\n[" + key_text(key) + "]\n";
      write_entries(entry, text);
    } else if (is_table_list(entry)) {
      for (const Value& item : entry.items) {
        text += "\n[[" + key_text(key) + "]]\n";
        write_entries(item, text);
      }
    }
  }
  return text;
}

std::string shown(const Value& value) {
  constexpr std::size_t longest = 60;
  if (value.is(Value::Type::table)) return "a table";
  if (value.is(Value::Type::list) && value.items.size() > longest) return fmt::format("a list of {}", value.items.size());
  std::string text = inline_text(value);
  if (text.size() <= longest) return text;
  std::size_t cut = longest - 3;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;  // not within a character
  return text.substr(0, cut) + "...";
}

}  // namespace asperity::scene
