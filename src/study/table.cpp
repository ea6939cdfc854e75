#include "table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "files/output_file.hpp"

namespace asperity::study {
namespace {

std::string cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

class CsvTable final : public TableWriter {
 public:
  CsvTable(const Plan& plan, const std::string& path) : plan_(plan) {
    if (auto problem = file_.open(path)) throw std::runtime_error(*problem);
    std::string header = "point";
    for (const Axis& axis : plan.axes) header += "," + cell(axis.path);
    for (const Measure& measure : plan.measures) header += "," + cell(measure.name);
    file_.stream() << header << ",verdict,problem\n";
  }

  void add(std::uint64_t first, std::span<const double> values, std::span<const Result> results) override {
    const std::size_t axes = plan_.axes.size();
    text_.clear();
    auto out = std::back_inserter(text_);
    for (std::size_t i = 0; i < results.size(); ++i) {
      fmt::format_to(out, "{}", first + i);
      for (std::size_t a = 0; a < axes; ++a) {
        const Axis& axis = plan_.axes[a];
        const double value = values[i * axes + a];
        if (axis.words.empty()) fmt::format_to(out, ",{}", value);
        else fmt::format_to(out, ",{}", cell(axis.words[std::size_t(value)]));
      }
      for (const double measure : results[i].measures)
        if (std::isnan(measure)) text_ += ",nan";  // of either sign
        else fmt::format_to(out, ",{}", measure);
      fmt::format_to(out, ",{},{}\n", to_text(results[i].trust), cell(results[i].problem));
    }
    file_.stream() << text_;
    if (!file_.stream()) throw std::runtime_error(fmt::format("{}: cannot write: the disk may be full", file_.path()));
  }

  void commit() override {
    if (auto problem = file_.commit()) throw std::runtime_error(*problem);
  }

 private:
  const Plan& plan_;
  files::OutputFile file_;
  std::string text_;
};

}  // namespace

std::unique_ptr<TableWriter> csv_table(const Plan& plan, const std::string& path) { return std::make_unique<CsvTable>(plan, path); }

}  // namespace asperity::study
