// The laws that can be fitted, row by row of the list.
#pragma once

#include "asperity/identify/model.hpp"

namespace asperity::rows::identify {

struct Row {
  /// Null if the row has no law of that name that can be fitted.
  std::unique_ptr<asperity::identify::Model> (*make)(std::string_view name);
  void (*add_names)(std::vector<std::string>&);
};
struct Table {
  const Row* const* rows;
  std::size_t count;
};
extern const Table table;

}  // namespace asperity::rows::identify
