// What scenes make of the laws, row by row of the list.
#pragma once

#include "scene/elements.hpp"

namespace asperity::rows::scene {

struct Row {
  void (*add_makers)(std::vector<asperity::scene::Maker>&);
  /// The frictional contact of that name, "normal+tangential"; null if the row has no law in it.
  std::unique_ptr<asperity::scene::SceneLaw> (*contact)(const std::string& pair);
};
struct Table {
  const Row* const* rows;
  std::size_t count;
};
extern const Table table;

template <class Visit>
void each(Visit visit) {
  for (std::size_t r = 0; r < table.count; ++r) visit(*table.rows[r]);
}

}  // namespace asperity::rows::scene
