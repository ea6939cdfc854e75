#include "asperity/trace/describe.hpp"
#include "commands.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

constexpr const char* list_notes =
    "In parentheses: what a good law would not do, declared and tested.\nMore about one: asperity describe LAW\n";

}  // namespace

int run_laws(const LawsOptions& options) {
  const auto pages = law_pages();
  return print("laws", options.json ? list_json(pages) : list_text(pages, terminal_width()) + list_notes) ? fine : run_failed;
}

}  // namespace asperity::cli
