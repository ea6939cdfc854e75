// Laws by name, row by row of the list.
#pragma once

#include <cstddef>
#include <memory>

#include "asperity/any_law.hpp"

namespace asperity::rows::catalogue {

struct Entry {
  const About* about;
  std::unique_ptr<AnyLaw> (*make)();
};
struct Row {
  const Entry* laws;
  std::size_t count;
};
struct Table {
  const Row* const* rows;
  std::size_t count;
};
extern const Table table;

template <class Visit>
void each(Visit visit) {
  for (std::size_t r = 0; r < table.count; ++r)
    for (std::size_t i = 0; i < table.rows[r]->count; ++i) visit(table.rows[r]->laws[i]);
}

}  // namespace asperity::rows::catalogue
