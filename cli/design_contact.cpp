#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "asperity/design/impact.hpp"
#include "asperity/parameters.hpp"
#include "design.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

struct Wish {
  double restitution = 0, mass = 0, speed = 0, penetration = 0, ratio = .1;
};

int run_design_contact(const Wish& wish) {
  const auto b = design::linear_b_of(wish.ratio, wish.restitution);
  if (!b) {
    report("design contact", {fmt::format("--restitution = {}: must be between {:.4f} and 1 with --ratio = {}", wish.restitution,
                                          design::least_linear_restitution(wish.ratio).restitution, wish.ratio)});
    return bad_input;
  }
  const double omega = design::linear_impact(wish.ratio, *b).deepest * wish.speed / wish.penetration, beta = *b / omega;
  return print("design contact", fmt::format("K = {}\nalpha = {}\nbeta = {}\n", to_text(wish.mass * omega * omega),
                                             to_text(wish.ratio * beta), to_text(beta)))
             ? fine
             : run_failed;
}

}  // namespace

Command add_design_contact(CLI::App& design) {
  const auto wish = std::make_shared<Wish>();
  CLI::App& command = *design.add_subcommand("contact", "A contact that bounces as wanted");
  const auto number = [&](const char* name, double& target, const char* help) {
    return command.add_option(name, target, help)->check(CLI::PositiveNumber);
  };
  number("--restitution", wish->restitution, "speed after the impact over speed before")->required();
  number("--mass", wish->mass, "kg")->required();
  number("--speed", wish->speed, "of the impact, m/s")->required();
  number("--penetration", wish->penetration, "at its deepest, m")->required();
  number("--ratio", wish->ratio, "alpha/beta");
  return {&command, [wish] { return run_design_contact(*wish); }};
}

}  // namespace asperity::cli
