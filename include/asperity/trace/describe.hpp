// What is known of a law: its page, in words and as JSON; the catalogue as a list.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "asperity/any_law.hpp"

namespace asperity {

struct LawPage {
  About about{};
  int dimensions = 1;  // the highest
  bool hybrid = false;
  std::vector<std::string> exceptions{};  // names of the declared ones
  std::vector<StateEntry> states{};
  std::vector<Parameter> parameters{};
  std::string example{};  // a command that shows its character: a contact, or a slow path back and forth
};
LawPage page_of(const AnyLaw& law);
/// Every law of the catalogue.
std::vector<LawPage> law_pages();

/// Lines of at most `width` letters.
std::string to_text(const LawPage& page, std::size_t width = 100);
std::string to_json(const LawPage& page);

/// As a table, kind by kind: one entry per law.
std::string list_text(const std::vector<LawPage>& pages, std::size_t width = 100);
std::string list_json(const std::vector<LawPage>& pages);

}  // namespace asperity
