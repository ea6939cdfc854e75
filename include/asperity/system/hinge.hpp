// A hinge: a revolute joint and the friction about its axis, in one.
#pragma once

#include "asperity/contact/defaults.hpp"
#include "asperity/nested_name.hpp"
#include "asperity/system/revolute.hpp"

namespace asperity {

/// The friction law acts on an angle: its forces are moments, its lengths angles.
template <class Friction = DefaultFriction<double>>
struct Hinge : Revolute<typename Friction::Scalar> {
  Friction law{};

  template <class Field>
  constexpr void describe(Field&& field) {
    Revolute<typename Friction::Scalar>::describe(field);
    law.describe([&](std::string_view name, auto& value, std::string_view unit, const Range& range, std::string_view meaning) {
      field(NestedName("friction", name).view(), value, unit, range, meaning);
    });
  }
};

}  // namespace asperity
