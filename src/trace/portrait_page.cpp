#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "asperity/trace/portrait.hpp"
#include "files/whole.hpp"
#include "wording.hpp"

namespace asperity {
namespace {

/// An SVG as the address of an image.
std::string data_address(std::string_view svg) {
  std::string out = "data:image/svg+xml,";
  for (const char c : svg) {
    if (std::string_view("%#\"<>\n&").find(c) != std::string_view::npos)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out;
}

constexpr std::string_view page_head = R"(<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Asperity: every law in one picture</title>
<style>
:root { color-scheme: light dark; --text: #1d1d1f; --soft: #5c5c66; --back: #f6f6f4; --card: #fff; --edge: #ddd; --mark: #a33c00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ececf0; --soft: #a2a2ad; --back: #17181b; --card: #212226; --edge: #36373d; --mark: #ffa066; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); margin: 0 auto; max-width: 78rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .8rem; text-transform: capitalize; }
h3 { font-size: 1.05rem; margin: 0; font-family: ui-monospace, monospace; }
p { margin: .3rem 0; color: var(--soft); } a { color: inherit; } nav a { margin-right: .9rem; white-space: nowrap; }
.laws { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 1.1rem; }
article { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; padding: 1rem; min-width: 0; }
img { width: 100%; height: auto; border-radius: 4px; margin: .6rem 0; display: block; }
pre { overflow-x: auto; font-size: .82rem; margin: .4rem 0; line-height: 1.4; }
.exception { color: var(--mark); }
</style>
<h1>Asperity: every law in one picture</h1>
<p>Friction: the force over a slow and a ten times faster path with an inner loop, and over a velocity that swings slowly and fast.
Contact: the force while a body is pushed in and pulled out, slowly and fast. Default parameters; drawn by <code>asperity demo</code>.</p>
)";

}  // namespace

std::string page_of(const std::vector<Portrait>& portraits) {
  std::string page(page_head);
  page += "<nav>";
  for (const auto& [law, svg] : portraits) page += fmt::format("<a href=\"#{0}\">{0}</a> ", law->about().name);
  page += "</nav>\n";
  for (const Kind kind : {Kind::friction, Kind::contact, Kind::composite}) {
    page += fmt::format("<h2>{}</h2>\n<section class=\"laws\">\n", kind_name(kind));
    for (const auto& [law, svg] : portraits) {
      const About& about = law->about();
      if (about.kind != kind) continue;
      page +=
          fmt::format("<article id=\"{0}\">\n<h3>{0}</h3>\n<p>{1}</p>\n<img alt=\"force of {0}\" src=\"{2}\">\n<pre>{3}</pre>\n",
                      about.name, plot::escaped(about.title), data_address(svg), plot::escaped(about.equation));
      const auto quirks = quirk_names(about.quirks);
      if (!quirks.empty())
        page += fmt::format("<p class=\"exception\">{}: {}</p>\n", plot::escaped(fmt::format("{}", fmt::join(quirks, ", "))),
                            plot::escaped(about.quirk_note));
      page += fmt::format("<p>{}</p>\n</article>\n", plot::escaped(about.source));
    }
    page += "</section>\n";
  }
  return page + "</html>\n";
}

std::optional<std::string> write_portraits(const std::vector<Portrait>& portraits, const std::string& folder) {
  if (auto problem = files::make_folder(folder)) return problem;
  const std::filesystem::path path(folder);
  for (const auto& [law, svg] : portraits)
    if (auto problem = files::write_whole((path / fmt::format("{}.svg", law->about().name)).string(), svg)) return problem;
  return files::write_whole((path / "index.html").string(), page_of(portraits));
}

}  // namespace asperity
