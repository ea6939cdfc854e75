// Every number of a world by name: "block.position.x", "floor.force", "floor.dissipated", "energy.closing_error", "time". A body
// that rubs by itself has "block.dissipated".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asperity/system/world.hpp"

namespace asperity {

/// Where a named number comes from.
struct Source {
  enum class Of { time, energy, body, body_dissipated, element, dissipated };
  Of of = Of::time;
  std::size_t item = 0;    // body or element, counted through all pools
  std::size_t number = 0;  // of the item, or of the energy account
};

/// The names of a world. Its parts have to be complete; the world has to outlive it.
class Readings {
 public:
  struct Body {
    const BodyPool* pool;
    std::size_t index;
    const std::string& name() const { return pool->names[index]; }
  };
  struct Item {
    const ElementPool* pool;
    std::size_t index;
    const std::string& name() const { return pool->names[index]; }
  };
  explicit Readings(const World& world);

  std::vector<Quantity> all() const;
  /// "time", "floor.force", and with a star at the end all that start so: "floor.*", "*". Unknown names are
  /// std::invalid_argument, with the nearest one that is known.
  std::vector<std::pair<Quantity, Source>> find(std::string_view name) const;
  /// Whose number the state has at a place: "block.velocity".
  std::string name_in_state(std::size_t place) const;

  const std::vector<Body>& bodies() const noexcept { return bodies_; }
  /// Whether there is an account of it; an inclusion has none.
  bool knows_energy() const noexcept { return knows_energy_; }
  const std::vector<Item>& elements() const noexcept { return elements_; }

 private:
  template <class F>
  void each(std::string_view start, F&& f) const;

  std::vector<Body> bodies_;
  std::vector<Item> elements_;
  bool knows_energy_ = true;
};

}  // namespace asperity
