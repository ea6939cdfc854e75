// "floor" of "floor.3": the name that a scene gives to all the points of a contact.
#pragma once

#include <string>

namespace asperity::facts {

inline std::string stem_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return name;
  return name.find_first_not_of("0123456789", dot + 1) == std::string::npos ? name.substr(0, dot) : name;
}

}  // namespace asperity::facts
