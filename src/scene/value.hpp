// The text of a scene as a tree of values that know where they stand. toml++ is seen by value.cpp only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asperity::scene {

/// Where a value comes from: a line of the file, or a setting of the command line.
struct Origin {
  std::size_t line = 0;
  int setting = -1;
};

struct Value {
  enum class Type { number, flag, text, list, table, other };
  Type type = Type::table;
  double number = 0;
  bool flag = false;
  std::string text;
  std::vector<Value> items;                            // of a list
  std::vector<std::pair<std::string, Value>> entries;  // of a table, in the order of the file
  Origin origin;
  std::string written;  // the name under which the file has it, where that is another one

  Value() = default;
  explicit Value(double x) : type(Type::number), number(x) {}
  explicit Value(bool x) : type(Type::flag), flag(x) {}
  explicit Value(std::string x) : type(Type::text), text(std::move(x)) {}
  explicit Value(const std::vector<double>& numbers);
  explicit Value(const std::vector<std::string>& texts);

  bool is(Type wanted) const noexcept { return type == wanted; }
  const Value* find(std::string_view name) const noexcept;
  Value* find(std::string_view name) noexcept;
  /// Sets an entry of a table; a new one comes last.
  Value& set(std::string_view name, Value value);
};

/// A whole file. Nothing, and where and why, if it is not TOML.
std::optional<Value> read_toml(std::string_view text, Origin& where, std::string& problem);
/// What stands behind `--set path=`: a number, a list, true or false if it reads as such, else a text.
Value read_toml_value(const std::string& text);

/// Reads back to the same tree.
std::string to_toml(const Value& root);
/// One line, as in a message; long ones are cut.
std::string shown(const Value& value);

}  // namespace asperity::scene
