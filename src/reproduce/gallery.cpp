#include "asperity/reproduce/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "asperity/reproduce/facts_json.hpp"
#include "embedded_scenes.hpp"
#include "page.hpp"

namespace asperity::reproduce {
namespace {

using report::Json;

/// A field of an entry of a BibTeX file that has one field a line.
std::string field(std::string_view entry, std::string_view name) {
  const std::size_t line = entry.find(fmt::format("\n  {} ", name));
  if (line == std::string_view::npos) return "";
  const std::string_view from = entry.substr(line + 1);
  const std::size_t begin = from.find('{') + 1, end = std::min(from.find("},\n"), from.find("}\n"));
  std::string value(from.substr(begin, end - begin));
  std::erase_if(value, [](char c) { return c == '{' || c == '}'; });
  return value;
}

Json parameters(const Findings& findings) {
  Json list = Json::array();
  for (const SceneParameter& p : findings.parameters)
    list.push_back({{"component", p.component}, {"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"meaning", p.meaning}});
  return list;
}

Json shown(const Result& result) {
  const Experiment& experiment = *result.experiment;
  Json pictures = Json::array();
  for (const Picture& picture : result.findings.pictures)
    pictures.push_back({{"caption", picture.caption}, {"picture", to_svg(picture)}});
  return {{"id", experiment.id},
          {"paper", experiment.paper},
          {"where", experiment.where},
          {"title", experiment.title},
          {"about", experiment.about},
          {"scenes", experiment.scenes},
          {"failure", result.failure},
          {"passed", result.passed()},
          {"differs", result.findings.differs},
          {"doubts", lines_of(result.findings.doubts)},
          {"doubted", result.findings.doubted},
          {"pictures", pictures},
          {"facts", Json::parse(facts_json({result}))},
          {"parameters", parameters(result.findings)}};
}

}  // namespace

std::string citation(std::string_view key) {
  const std::size_t start = references().find(fmt::format("{{{},\n", key));
  if (start == std::string_view::npos) return std::string(key);
  const std::string_view entry = references().substr(start, references().substr(start).find("\n}\n") + 1);
  std::string text = fmt::format("{}: {}", field(entry, "author"), field(entry, "title"));
  for (const char* name : {"school", "booktitle", "year", "note"})
    if (const std::string value = field(entry, name); !value.empty()) text += ", " + value;
  return text;
}

std::string to_svg(const Picture& picture) { return plot::to_svg(picture.figure); }

std::string gallery_page(const std::vector<Result>& results) {
  Json content{{"kind", "gallery"}, {"title", "The five papers"}, {"papers", Json::object()}, {"experiments", Json::array()}};
  for (const Result& result : results) {
    content["papers"][result.experiment->paper] = citation(result.experiment->paper);
    content["experiments"].push_back(shown(result));
  }
  return report::page("The five papers", content, "[]");
}

}  // namespace asperity::reproduce
