#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "files/whole.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

constexpr std::string_view starter = R"toml(# A block on a rough floor, pulled by a spring: it sticks and slips.
# Numbers are in SI units; "5 N/mm" converts, "2*mu" calculates with [let].
#   asperity check {0}       is everything right?
#   asperity run {0}         runs it; out/{1}/report.html shows it
#   asperity run {0} --set let.mu=0.2 --set block.mass="500 g"

title = "{1}"

[let]                            # names for formulas
mu = 0.4                         # friction coefficient, sliding
speed = 0.1                      # m/s, of the hand

[run]
duration = 10.0                  # s
step = 5e-4                      # s
method = "rk4"                   # euler step rk4 rk4-lookahead implicit implicit2 dopri5 cvode auto

[[body]]
name = "block"
kind = "mass"                    # mass rigid_body prescribed arm friction_mass
mass = 1.0                       # kg
position = 0.0                   # m; three numbers: in space

[[body]]
name = "hand"
kind = "prescribed"              # goes where it is told
position = "speed*t"             # m

[[element]]
name = "floor"
between = ["block", "ground"]    # the ground is always there
law = "single_state_stribeck"    # `asperity laws` lists them, `asperity describe single_state` explains one
F_c = "mu*1.0*9.81"              # N, friction when it slides
F_s = "1.5*mu*1.0*9.81"          # N, friction when it sticks
v_s = "10 mm/s"                  # how fast it falls from one to the other
K = "50 N/mm"                    # asperity stiffness
beta = 2e-3                      # s, asperity damping time

[[element]]
name = "spring"
between = ["block", "hand"]
law = "spring"
K = 20.0                         # N/m

# [[input]]                      # a force of your own
# on = "block"
# force = "t < 1 ? 0.5*t : 0"    # N

[record]
every = 1e-3                     # s
columns = ["block.position", "block.velocity", "hand.position", "floor.*", "spring.force", "energy.*"]
)toml";

}  // namespace

int run_new(const NewCommand& typed) {
  std::filesystem::path path(typed.name);
  if (path.extension() != ".toml") path += ".toml";
  const std::string file = path.string(), name = path.stem().string();
  Problems problems;
  const bool a_line = typed.name.find_first_of("\n\t") == std::string::npos && printable(typed.name) == typed.name;
  const std::filesystem::path last = std::filesystem::path(typed.name).filename();
  if (last.empty() || last == "." || last == ".." || !a_line || name.find_first_of("\"\\") != std::string::npos)
    problems.push_back(fmt::format(
        "\"{}\": must be the name of a file without quotes, backslashes and control characters, for instance stick_slip",
        typed.name));
  else if (std::error_code none; std::filesystem::exists(path, none)) problems.push_back(fmt::format("{}: is there already", file));
  if (problems.empty()) {
    std::string text(starter);
    for (const auto& [from, to] : {std::pair<std::string, std::string>("{0}", file), {"{1}", name}})
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
    if (auto problem = files::write_whole(file, text)) problems.push_back(*problem);
  }
  report("new", problems);
  if (!problems.empty()) return bad_input;
  return print("new", fmt::format("wrote {0}\nNext: asperity run {0}\n", file)) ? fine : run_failed;
}

}  // namespace asperity::cli
