#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

std::string as_json() {
  nlohmann::ordered_json laws = nlohmann::ordered_json::array();
  for (const std::string& name : law_names()) {
    const auto law = make_law(name);
    const About& about = law->about();
    laws.push_back({{"name", about.name},
                    {"kind", kind_name(about.kind)},
                    {"title", about.title},
                    {"dimensions", law->highest_dimension()},
                    {"states", law->states().size()},
                    {"source", about.source},
                    {"exceptions", quirk_names(about.quirks)},
                    {"exception_note", about.quirk_note},
                    {"implicit", about.implicit},
                    {"discrete", about.discrete},
                    {"hybrid", law->hybrid()}});
  }
  return nlohmann::ordered_json{{"laws", laws}}.dump(2) + "\n";
}

std::string as_table() {
  constexpr std::size_t text_column = 41;
  const std::size_t width = terminal_width();
  std::string text;
  for (const Kind kind : {Kind::friction, Kind::contact, Kind::composite}) {
    text += fmt::format("{:<24} {:<7} {:<7} {}\n", kind_name(kind), "dim", "states", "what it is, (exceptions) source");
    for (const std::string& name : law_names()) {
      const auto law = make_law(name);
      const About& about = law->about();
      if (about.kind != kind) continue;
      text += fmt::format("  {:<22} {:<7} {:<7} {}\n", name, dimensions(*law), law->states().size(),
                          wrapped(about.title, text_column, width));
      std::string notes(about.source);
      if (const auto quirks = quirk_names(about.quirks); !quirks.empty())
        notes = fmt::format("({}) {}", fmt::join(quirks, ", "), notes);
      text += fmt::format("{:{}}{}\n", "", text_column, wrapped(notes, text_column, width));
    }
    text += "\n";
  }
  text += "In parentheses: what a good law would not do, declared and tested.\nMore about one: asperity describe LAW\n";
  return text;
}

}  // namespace

int run_laws(const LawsOptions& options) { return print("laws", options.json ? as_json() : as_table()) ? fine : run_failed; }

}  // namespace asperity::cli
