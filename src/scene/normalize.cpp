// The one way of writing an element.
#include <fmt/format.h>

#include <utility>

#include "builder.hpp"

namespace asperity::scene {

namespace {

std::string scene_name(std::string_view part) { return std::string(part == "tangential" ? "friction" : part); }
std::string force_name(std::string_view name) {
  return name == "mu" || name.starts_with("mu_") ? "F" + std::string(name.substr(2)) : std::string(name);
}

}  // namespace

void normalize_element(Value& element, Problems& problems) {
  if (!element.is(Value::Type::table)) return;
  Value clean;
  clean.origin = element.origin;
  // A later value of the same key is the same key twice.
  const auto put = [&](Value& table, const std::string& name, const std::string& written, Value value) {
    if (table.find(name)) {
      problems.add(value.origin, fmt::format("{}: is {} under another name; give one of them", written, name));
    } else {
      if (!written.ends_with(name)) value.written = written.substr(written.rfind('.') + 1);
      table.set(name, std::move(value));
    }
  };
  const auto put_part = [&](const std::string& part, const std::string& written, Value& from) {
    Value* to = clean.find(part);
    if (!to) {
      to = &clean.set(part, Value());
      to->origin = from.origin;
    }
    if (!to->is(Value::Type::table)) return;
    for (auto& [name, value] : from.entries)
      put(*to, part == "friction" ? force_name(name) : name, written + "." + name, std::move(value));
  };
  for (auto& [key, value] : element.entries) {
    const std::size_t dot = key.find('.');
    const std::string part = scene_name(key.substr(0, dot));
    if (dot != std::string::npos) {
      Value one;
      one.origin = value.origin;
      one.set(key.substr(dot + 1), std::move(value));
      put_part(part, key.substr(0, dot), one);
    } else if (value.is(Value::Type::table)) {
      put_part(part, key, value);
    } else {
      put(clean, part, key, std::move(value));
    }
  }
  element = std::move(clean);
}

std::vector<std::string> normalize_path(const std::vector<std::string>& path) {
  std::vector<std::string> clean = path;
  if (clean.size() >= 2) clean[1] = scene_name(clean[1]);
  if (clean.size() == 3 && clean[1] == "friction") clean[2] = force_name(clean[2]);
  return clean;
}

}  // namespace asperity::scene
