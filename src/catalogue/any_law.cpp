#include "asperity/any_law.hpp"

#include "catalogue/rows.hpp"

namespace asperity {

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  rows::catalogue::each([&](const auto& entry) { names.emplace_back(entry.about->name); });
  return names;
}

std::unique_ptr<AnyLaw> make_law(std::string_view name) {
  std::unique_ptr<AnyLaw> law;
  rows::catalogue::each([&](const auto& entry) {
    if (entry.about->name == name) law = entry.make();
  });
  return law;
}

}  // namespace asperity
