#include "asperity/identify/compensator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "asperity/identify/model.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/version.hpp"
#include "files/whole.hpp"

namespace asperity::identify {
namespace {

/// Text of a file's name may not end a comment.
std::string in_comment(std::string text) {
  for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/")) text.replace(at, 2, "* /");
  return text;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

std::optional<std::string> compensator_name(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  const bool is_name =
      !stem.empty() && is_letter(static_cast<unsigned char>(stem[0])) &&
      std::all_of(stem.begin(), stem.end(), [&](unsigned char c) { return c < 128 && (is_letter(c) || std::isdigit(c) != 0); });
  return is_name ? std::optional(stem) : std::nullopt;
}

std::string compensator_header(const Study& study, const Judged& law, const std::string& name) {
  const Fit& fit = law.fit;
  const StepInC code = make_model(law.catalogue)->step_in_c(fit.parameters, study.has_load);
  const std::string force = force_unit(study), speed = length_unit(study) + "/s", guard = upper(name) + "_H";
  std::string text = fmt::format("/* Friction compensator: {} as identified from {}, {}; asperity {}.\n", law.law,
                                 in_comment(study.data), in_comment(study.fitted), version());
  text += fmt::format(" * Residual {}, on {} {}. SI units{}.\n", quantity_text(law.rms, force), kind_of_data(study),
                      quantity_text(law.unseen_rms, force), study.is_rotary ? "; lengths are angles, forces are moments" : "");
  for (const std::string& line : doubts(study, law)) text += fmt::format(" * Uncertain: {}.\n", in_comment(line));
  for (const Finding& f : law.uncertainty.findings)
    if (f.unit.empty()) text += fmt::format(" * Not included: the force {} * ({}).\n", to_text(f.value), in_comment(f.name));
  if (fit.mass > 0)
    text += fmt::format(" * Not included: the inertia; add {} {} times the reference acceleration.\n", to_text(fit.mass),
                        unit_in(study, "M", "kg"));
  text += fmt::format(" */\n#ifndef {0}\n#define {0}\n\n#include <math.h>\n\n/* One per axis. */\ntypedef struct {{\n", guard);
  text += fmt::format("  double h; /* s, between two calls of {}_step() */\n", name);
  if (!code.states.empty()) {
    text += fmt::format("  double z[{}];\n", code.states.size());
    for (std::size_t i = 0; i < code.states.size(); ++i) text += fmt::format("  /* z[{}] {} */\n", i, in_comment(code.states[i]));
  }
  text += fmt::format("}} {0}_state;\n\n/* Once before the first sample; h is the time between samples, s. */\n", name);
  text += fmt::format("static inline void {0}_start({0}_state *s, double h) {{\n  s->h = h;\n{1}}}\n\n", name, code.start);
  text += fmt::format("/* Once per sample: the force to add for the reference velocity v_ref ({}){}, {}. */\n", speed,
                      study.has_load ? " and the normal force load (N)" : "", force);
  text +=
      fmt::format("static inline double {0}_step({0}_state *s, double v_ref{1}) {{\n", name, study.has_load ? ", double load" : "");
  if (code.states.empty()) text += "  (void)s;\n";
  text += code.step + "  return friction";
  if (fit.viscous > 0) text += fmt::format(" + {} * v_ref", to_text(fit.viscous));
  if (fit.offset != 0) text += fmt::format(" {} {}", fit.offset > 0 ? "+" : "-", to_text(std::abs(fit.offset)));
  return text + fmt::format(";\n}}\n\n#endif /* {} */\n", guard);
}

std::optional<std::string> write_compensator(const std::string& path, const Study& study) {
  const auto name = compensator_name(path);
  if (!name) return fmt::format("{}: its name must be one in C, letters, digits and _: axis1.h", path);
  return files::write_whole(path, compensator_header(study, recommended(study.laws), *name));
}

}  // namespace asperity::identify
