// THE table of keys: what a scene may say. The reader checks against it, docs/scenes.md is made of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/law.hpp"

namespace asperity::scene {

// Limits of a scene.
constexpr std::size_t largest_file = 48 << 20;  // bytes: 100 000 bodies with an element each; fifty times that in memory at worst
constexpr std::size_t most_items = 100000;      // bodies, elements, inputs, names, columns: each
// What a few letters can stand for: "*" for all columns, elements = 1000 for as many states.
constexpr std::size_t most_columns = 200000, most_law_elements = 100000, most_rods = 100, most_rods_in_all = 1000;
constexpr std::size_t longest_name = 100;

struct Key {
  enum class Takes {
    text,
    word,     // one of a list
    flag,     // true or false
    number,   // 5, "2*mu", "5 N/mm"
    count,    // a whole number
    numbers,  // one number, or a list of them
    course,   // one formula of t, or a list of them
    texts,    // a list of names
    table,    // with keys of its own
    tables,   // a list of such
  };
  std::string_view name;
  Takes takes;
  std::string_view meaning;
  std::string_view unit = "";
  Range range{};
  std::string_view fallback = "";  // what holds if the key is missing; empty: nothing does
  bool required = false;
};
std::string_view to_text(Key::Takes takes);

/// The keys of one kind of table.
struct Section {
  std::string_view heading;
  std::string_view about;
  std::vector<Key> keys;

  const Key* find(std::string_view name) const noexcept;
  const Key& at(std::string_view name) const;
  std::vector<std::string> names() const;
};

extern const Section top_keys, world_keys, run_keys, record_keys;
extern const Section body_keys;  // of every body
extern const Section mass_keys, friction_mass_keys, rigid_body_keys, prescribed_keys, arm_keys, rod_keys, rotation_keys;
extern const Section element_keys, contacts_keys, law_keys, design_keys, input_keys, controller_keys;
extern const Section inclusion_keys, relaxation_keys;

/// The kinds of bodies, each with its keys.
struct BodyKind {
  std::string_view name;
  const Section* keys;
};
std::span<const BodyKind> body_kinds();

/// The keys of this list that are in no describe(): shapes of rigid bodies.
std::span<const std::string_view> shapes();

}  // namespace asperity::scene
