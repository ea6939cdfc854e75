// Valid scenes with extreme numbers: every kind of body, law, connection, method and input, values over absurd ranges. What must
// not be: energy or a number that is none without a word, work without end, a signal, an exception that says nothing.
//
//   fuzz_numbers FROM TO          scenes FROM to TO - 1; what is found is told with a scene cut down to what it takes
//   fuzz_numbers SEED             one scene, shown and run here, for a debugger
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <set>

#include "asperity/any_law.hpp"
#include "asperity/scene/scene.hpp"
#include "sanitized.hpp"

namespace asperity {
namespace {

// --- a scene for every seed -------------------------------------------------------------------------------------------------

class Generator {
 public:
  explicit Generator(unsigned long seed) : engine_(seed) {}

  std::string scene() {
    // Most scenes are mild but for a few numbers: where all are absurd, nothing meets anything.
    wild_ = chance(.3) ? 0 : chance(.5) ? .05 : .3;
    static constexpr std::array kinds{&Generator::line, &Generator::points, &Generator::bodies, &Generator::arm,
                                      &Generator::inclusion};
    (this->*kinds[below(kinds.size())])();
    return fmt::format("{}\n{}", run(), fmt::join(tables_, "\n"));
  }

 private:
  bool chance(double p) { return std::uniform_real_distribution<double>(0, 1)(engine_) < p; }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }
  double decades(double low, double high) { return std::pow(10., std::uniform_real_distribution<double>(low, high)(engine_)); }
  double sign() { return chance(.5) ? 1 : -1; }

  /// Above zero: around `usual`, or anything.
  double size(double usual) {
    if (!chance(wild_)) return usual * decades(-1, 1);
    if (chance(.1)) return one_of({5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e-16, 4503599627370497., 1.});
    return chance(.5) ? usual * decades(-6, 6) : chance(.6) ? decades(-20, 20) : decades(-300, 300);
  }
  double number(double usual) { return chance(.15) ? 0 : sign() * size(usual); }
  static std::string text(double x) { return fmt::format("{}", x); }
  std::string vector(int dimension, double usual) {
    std::vector<std::string> list;
    for (int i = 0; i < dimension; ++i) list.push_back(text(number(usual)));
    return dimension == 1 ? list[0] : fmt::format("[{}]", fmt::join(list, ", "));
  }
  /// Of length 1.
  std::string direction(int dimension) {
    std::array<double, 3> n{};
    double length = 0;
    for (int i = 0; i < dimension; ++i) n[std::size_t(i)] = std::normal_distribution<double>()(engine_);
    if (chance(.5)) n = {}, n[std::size_t(dimension) - 1] = 1;
    for (const double x : n) length += x * x;
    std::vector<std::string> list;
    for (int i = 0; i < dimension; ++i) list.push_back(text(n[std::size_t(i)] / std::sqrt(length)));
    return fmt::format("[{}]", fmt::join(list, ", "));
  }
  /// A formula of the time: pulses, corners, jumps, swings.
  std::string formula(double usual) {
    const std::string a = text(number(usual)), b = text(size(100)), c = text(size(.01));
    return fmt::format("\"{}\"", one_of<std::string>({a, fmt::format("{}*sin({}*t)", a, b), fmt::format("t < {} ? {} : 0", c, a),
                                                      fmt::format("{}*exp(-{}*t)", a, b), fmt::format("{}*floor({}*t)", a, b),
                                                      fmt::format("min({}, {}*t)", a, b), fmt::format("{}*t^2", a),
                                                      fmt::format("abs(t - {}) < {} ? {} : 0", c, text(size(.001)), a),
                                                      fmt::format("{}*sqrt({} - t)", a, c)}));
  }

  /// Parameters of a law, as TOML: some of them drawn, the others left at their defaults; `share`: in place of what is in N.
  std::string parameters(const std::string& name, const char* between, bool share = false) {
    const auto law = make_law(name);
    std::vector<std::string> lines;
    if (const auto all = law->parameters(); std::any_of(all.begin(), all.end(), [](const Parameter& p) { return p.is_list; }))
      law->set_elements(1 + int(below(4)));
    for (int round = 0; round < 20; ++round) {
      const auto drawn = law->clone();
      std::vector<std::string> set;
      for (const Parameter& p : law->parameters()) {
        if (!share && !p.is_list && chance(.3)) continue;
        const bool force = share && p.unit == "N";
        std::vector<double> values;
        for (const double usual : p.values) {
          double x = force                                 ? size(.5)
                     : p.unit == "1" && p.range.high < 1e3 ? usual * decades(-.3, .3)
                                                           : size(usual > 0 ? usual : 1);
          values.push_back(std::clamp(p.range.low == 0 && !p.range.low_open && chance(.1) ? 0. : x, p.range.low, p.range.high));
        }
        if (drawn->set(p.name, values)) continue;
        set.push_back(p.is_list ? fmt::format("{} = [{}]", p.name, fmt::join(values, ", "))
                                : fmt::format("{} = {}", p.name, values[0]));
      }
      if (!drawn->problems().empty()) continue;
      lines.insert(lines.end(), set.begin(), set.end());
      break;
    }
    return fmt::format("{}", fmt::join(lines, between));
  }
  std::string law_of(std::initializer_list<Kind> kinds, bool any_dimension) {
    std::vector<std::string> names;
    for (const std::string& name : law_names()) {
      const auto law = make_law(name);
      const bool fits = std::find(kinds.begin(), kinds.end(), law->about().kind) != kinds.end();
      if (fits && (!any_dimension || law->highest_dimension() > 1) && (!law->about().discrete || chance(.2))) names.push_back(name);
    }
    return names[below(names.size())];
  }
  std::string touching() {
    std::string normal = "linear_compliance", friction = "single_state";
    if (chance(.3))
      normal = one_of<std::string>({"kelvin_voigt", "kelvin_voigt_clamped", "hertz", "hunt_crossley", "nonlinear_compliance"});
    else
      friction = one_of<std::string>(
          {"single_state", "threshold", "dahl", "lugre", "single_state_stribeck", "single_state_falling", "multistate"});
    return fmt::format("law = \"frictional_contact\"\nnormal = {{ law = \"{}\", {} }}\nfriction = {{ law = \"{}\", {} }}\n", normal,
                       with_something(parameters(normal, ", "), normal), friction,
                       with_something(parameters(friction, ", ", true), friction));
  }
  static std::string with_something(const std::string& list, const std::string& law) {
    return list.empty() ? fmt::format("{} = {}", make_law(law)->parameters()[0].name, make_law(law)->parameters()[0].values[0])
                        : list;
  }

  void add(std::string table) { tables_.push_back(std::move(table)); }
  void element(const std::string& ends, const std::string& lines) {
    add(fmt::format("[[element]]\nname = \"e{}\"\nbetween = [{}]\n{}\n", elements_++, ends, lines));
  }
  std::string spring() {
    return fmt::format("law = \"spring\"\nK = {}\n{}{}", number(1e3), chance(.3) ? fmt::format("K3 = {}\n", number(1e3)) : "",
                       chance(.5) ? fmt::format("B = {}\n", size(1)) : "");
  }

  // --- bodies on a line

  void line() {
    const int n = 1 + int(below(3));
    std::vector<std::string> names{"ground"};
    for (int i = 0; i < n; ++i) {
      const std::string name = fmt::format("m{}", i);
      const std::string place = fmt::format("name = \"{}\"\nposition = {}\nvelocity = {}\n", name, number(.1), number(1));
      if (chance(.1)) add(fmt::format("[[body]]\nkind = \"prescribed\"\nname = \"{}\"\nposition = {}\n", name, formula(.01)));
      else if (chance(.1)) add(fmt::format("[[body]]\nkind = \"prescribed\"\n{}", place)), constant_ = true;
      else if (chance(.05))
        add(fmt::format("[[body]]\nkind = \"friction_mass\"\nmass = {}\nF = {}\n{}", size(1), size(1), place)), method_ = "euler";
      else add(fmt::format("[[body]]\nkind = \"mass\"\nmass = {}\n{}", size(1), place)), pushed_.push_back(name);
      names.push_back(name);
    }
    for (int i = 0; i < n; ++i) {
      const std::size_t a = 1 + below(std::size_t(n)), b = below(a);
      const std::string ends = fmt::format("\"{}\", \"{}\"", names[a], names[b]);
      const std::string offset = chance(.2) ? fmt::format("offset = {}\n", number(.1)) : "";
      if (chance(.3)) element(ends, spring() + offset);
      else if (chance(.5)) friction(ends, false);
      else {
        const std::string law = law_of({Kind::contact}, false);
        element(ends, fmt::format("law = \"{}\"\n{}\n{}", law, parameters(law, "\n"), offset));
      }
    }
    push(1);
    gravity(1);
  }
  void friction(const std::string& ends, bool any_dimension, const std::string& more = "") {
    const std::string law = law_of({Kind::friction}, any_dimension);
    const bool load = chance(.2);
    element(ends, fmt::format("law = \"{}\"\n{}\n{}{}", law, parameters(law, "\n", load),
                              load ? fmt::format("load = {}\n", chance(.1) ? 0 : size(10)) : "", more));
  }

  // --- masses in the plane and in space

  void points() {
    const int D = 2 + int(below(2)), n = 1 + int(below(2));
    for (int i = 0; i < n; ++i) {
      add(fmt::format("[[body]]\nkind = \"mass\"\nname = \"m{}\"\nmass = {}\nposition = {}\nvelocity = {}\n", i, size(1),
                      vector(D, .1), vector(D, 1)));
      pushed_.push_back(fmt::format("m{}", i));
      const std::string ends = fmt::format("\"m{}\", \"{}\"", i, i > 0 && chance(.3) ? "m0" : "ground");
      const std::string along = fmt::format("direction = {}\n", direction(D));
      if (chance(.5)) element(ends, touching() + along + (chance(.3) ? fmt::format("offset = {}\n", number(.1)) : ""));
      else if (chance(.5)) friction(ends, true);
      else if (chance(.5)) friction(ends, false, along);
      else element(ends, spring() + along);
    }
    push(D);
    gravity(D);
  }

  // --- rigid bodies

  std::string shape() {
    switch (below(4)) {
      case 0:
        return fmt::format("shape = \"sphere\"\nradius = {}\n", size(.1));
      case 1:
        return fmt::format("shape = \"box\"\nsides = [{}, {}, {}]\n", size(.1), size(.1), size(.1));
      case 2:
        return fmt::format("shape = \"capsule\"\nradius = {}\nlength = {}\n", size(.1), size(.1));
      default:
        return fmt::format("shape = \"cylinder\"\nradius = {}\nlength = {}\n", size(.1), size(.1));
    }
  }
  void bodies() {
    const bool spheres = chance(.3);
    const int n = spheres ? 2 : 1 + int(below(2));
    for (int i = 0; i < n; ++i) {
      const std::string what = spheres ? fmt::format("shape = \"sphere\"\nradius = {}\n", size(.1)) : shape();
      add(fmt::format("[[body]]\nkind = \"rigid_body\"\nname = \"b{}\"\nmass = {}\n{}position = {}\nvelocity = {}\nspin = {}\n{}",
                      i, size(1), what, vector(3, .2), vector(3, 1), vector(3, 10),
                      chance(.5) ? fmt::format("rotation = {{ axis = {}, angle = {} }}\n", direction(3), number(1)) : ""));
      pushed_.push_back(fmt::format("b{}", i));
      const std::string ends = fmt::format("\"b{}\", \"ground\"", i);
      const bool cylinder = what.find("cylinder") != std::string::npos;
      if (chance(.7))
        element(ends, touching() + fmt::format("direction = {}\n", direction(3)) +
                          (chance(.3) ? fmt::format("offset = {}\n", number(.1)) : "") +
                          (cylinder ? fmt::format("radius = {}\ncentre = {}\n", size(.1), vector(3, .1)) : ""));
      else if (chance(.5))
        element(ends, spring() + fmt::format("point_a = {}\n", vector(3, .1)) +
                          (chance(.5) ? fmt::format("offset = {}\n", size(.1)) : ""));
      else
        element(ends, fmt::format("law = \"hinge\"\nK = {}\nB_pull = {}\nK_turn = {}\nB_turn = {}\nfriction = {{ F = {}, K = {}, "
                                  "beta = {} }}\nanchor_a = {}\n",
                                  size(1e4), size(10), size(1e2), size(1), size(1), size(1e3), size(1e-3), vector(3, .1)));
    }
    if (spheres) element("\"b0\", \"b1\"", touching());
    push(3);
    gravity(3);
  }

  void arm() {
    const int n = 1 + int(below(3));
    std::vector<std::string> rods, angles, rates;
    for (int i = 0; i < n; ++i) {
      rods.push_back(fmt::format("{{ length = {}, mass = {} }}", size(.5), size(1)));
      angles.push_back(text(number(1)));
      rates.push_back(text(number(1)));
    }
    add(fmt::format("[[body]]\nkind = \"arm\"\nname = \"arm\"\nrods = [{}]\nangles = [{}]\nrates = [{}]\n", fmt::join(rods, ", "),
                    fmt::join(angles, ", "), fmt::join(rates, ", ")));
    for (int i = 1; i <= n; ++i)
      if (chance(.7)) friction(fmt::format("\"arm.joint{}\", \"ground\"", i), false);
    if (chance(.5)) add(fmt::format("[[input]]\non = \"arm.joint1\"\ntorque = {}\n", formula(1)));
    gravity(2);
  }

  void inclusion() {
    const std::string rate = one_of<std::string>({"dio(p)/M - g", "(u - F*sgn(v))/M", "(-k*p - F*sgn(v))/M + u",
                                                  "dio(p)/M - g - c*v", "-k*p^3 - F/(1 + abs(v))*sgn(v - u)"});
    add(
        fmt::format("[inclusion]\nlet = {{ M = {}, g = {}, F = {}, k = {}, c = {}, u = {} }}\nstate = {{ p = {}, v = {} }}\n\n"
                    "[inclusion.rate]\np = \"v\"\nv = \"{}\"\n",
                    size(1), size(10), size(1), size(1e3), size(1), number(1), number(.1), number(1), rate));
    if (chance(.7)) {
      const double beta = size(1e-3);
      add(fmt::format("[inclusion.regularise]\ndefault = {{ K = {}, beta = {} }}\n", size(1e5), beta));
    }
  }

  // --- what acts on all

  void push(int dimension) {
    for (const std::string& name : pushed_) {
      if (!chance(.4)) continue;
      std::vector<std::string> list;
      for (int i = 0; i < dimension; ++i) list.push_back(chance(.5) ? formula(10) : "0");
      add(fmt::format("[[input]]\non = \"{}\"\nforce = {}\n", name,
                      dimension == 1 ? list[0] : fmt::format("[{}]", fmt::join(list, ", "))));
    }
  }
  void gravity(int dimension) {
    if (chance(.3)) return;
    std::vector<std::string> list;
    for (int i = 0; i < dimension; ++i) list.push_back(text(i + 1 < dimension && chance(.7) ? 0 : -size(9.81)));
    add(fmt::format("[world]\ngravity = {}\n", dimension == 1 ? list[0] : fmt::format("[{}]", fmt::join(list, ", "))));
  }
  /// Few steps: what goes wrong with extreme numbers goes wrong soon.
  std::string run() {
    std::vector<std::string> methods;
    for (const AboutMethod& method : integration_methods())
      if (method.available) methods.emplace_back(method.name);
    if (method_.empty()) method_ = methods[below(methods.size())];
    const double step = size(1e-3);
    const int steps = 1 + int(below(60));
    std::string text = fmt::format("[run]\nmethod = \"{}\"\nstep = {}\nduration = {}\n", method_, step,
                                   std::clamp(chance(.1) ? size(.1) : step * steps, 5e-324, 1.7e308));
    if (chance(.2)) text += "preload = true\n";
    if (chance(.1)) text += "subdivide = false\n";
    if (chance(.1)) text += fmt::format("rtol = {}\natol = {}\n", std::clamp(size(1e-6), 1e-14, .5), size(1e-9));
    if (chance(.1)) text += fmt::format("max_step = {}\n", size(1e-2));
    return text;
  }

  std::mt19937_64 engine_;
  double wild_ = 0;
  bool constant_ = false;
  int elements_ = 0;
  std::string method_;
  std::vector<std::string> tables_, pushed_;
};

// --- one scene -------------------------------------------------------------------------------------------------------------

enum class Verdict { fine, refused, told, energy, no_number, mute, signal, hang };
constexpr bool is_bad(Verdict verdict) { return verdict > Verdict::told; }
constexpr std::array<std::string_view, 8> verdict_names{
    "fine",     "refused", "told", "energy from nowhere, without a word", "no number, without a word", "an error that says nothing",
    "a signal", "no end"};

struct Outcome {
  Verdict verdict = Verdict::fine;
  std::string text;
};

constexpr long most_steps = 400;        // that are looked at
constexpr double energy_allowed = .05;  // of what went through the system
constexpr double energy_floor = 1e-18;  // J: 1 kg at the speed of an absolute tolerance

/// What was said before and during the run.
std::string said(const Run& run) {
  if (run.failure()) return run.failure()->text;
  if (!run.warnings().empty()) return run.warnings()[0].text;
  if (const auto findings = run.findings(); !findings.empty()) return findings[0].text;
  return "";
}

/// Whether a law of the scene keeps energy that it does not declare: what it gives back seems to come from nowhere.
bool hides_energy(const std::string& text) {
  for (const std::string& name : law_names())
    if (const auto law = make_law(name); !law->about().stores && !law->states().empty())
      if (text.find(fmt::format("law = \"{}\"", name)) != text.npos) return true;
  return false;
}

Outcome look_at(Run& run, bool knows_energy) {
  // Energies that are not known are no numbers from the start on; all others have to be numbers for ever.
  const auto& columns = run.columns();
  const auto first = run.values();
  std::vector<bool> known(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) known[i] = std::isfinite(first[i]);
  const auto total = [&] {
    const EnergyAccount now = run.energy();
    return now.kinetic + now.potential + now.stored;
  };
  std::string none;  // a number that is none
  const double start = total();
  double through = std::abs(start), lowest = start, largest_gain = 0, work = 0;
  for (long k = 0; k < most_steps && run.step(); ++k) {
    if (run.failure()) break;
    const auto row = run.values();
    for (std::size_t i = 0; i < row.size() && none.empty(); ++i)
      if (known[i] && !std::isfinite(row[i])) none = fmt::format("{} = {} at {} s", columns[i].name, row[i], run.time());
    const EnergyAccount now = run.energy();
    const double all = total();
    // Energy can only come from the work that pushes have done since it was lowest.
    through = std::max({through, std::abs(all), now.kinetic, now.stored, std::abs(now.potential)}) + std::abs(now.work_in - work);
    work = now.work_in;
    lowest = std::min(lowest, all - now.work_in);
    largest_gain = std::max(largest_gain, all - now.work_in - lowest);
  }
  if (const std::string text = said(run); !text.empty()) return {Verdict::told, text};
  if (!none.empty()) return {Verdict::no_number, none};
  if (knows_energy && std::isfinite(start) && !(largest_gain <= energy_allowed * through + energy_floor))
    return {Verdict::energy, fmt::format("{:g} J more than at its lowest, of {:g} J that went through", largest_gain, through)};
  return {};
}

Outcome outcome_of(const std::string& text) {
  try {
    std::vector<SceneProblem> problems;
    const auto scene = read_scene(text, "fuzz.toml", {}, problems);
    if (!scene) {
      if (problems.empty()) return {Verdict::mute, "no scene and no problem"};
      return {Verdict::refused, to_text(problems[0])};
    }
    scene->run.record.sink = std::make_shared<MemorySink>();
    Run run(scene->world, scene->run);
    return look_at(run, !hides_energy(text));
  } catch (const std::exception& error) {
    const std::string_view why = error.what();
    // Words of the language, not of the user.
    for (const char* raw : {"std::", "vector", "stod", "bad_", "basic_string", "map::", "exception", "_M_"})
      if (why.find(raw) != why.npos) return {Verdict::mute, std::string(why)};
    if (why.size() < 10) return {Verdict::mute, std::string(why)};
    return {Verdict::refused, std::string(why)};
  }
}

// --- many scenes, each where it can do no harm ------------------------------------------------------------------------------

constexpr int longest = sanitized ? 200 : 3;  // s of computing time for one scene

struct Shared {
  unsigned long seed;  // that is being looked at
  std::array<unsigned long, verdict_names.size()> count;
  Verdict verdict;
  char text[1000];
};

void limit_time() {
  const itimerval timer{{0, 0}, {longest, 0}};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);  // its signal, SIGVTALRM, ends the process
}

/// Of a scene in a process of its own.
Outcome outcome_apart(const std::string& text, Shared& shared) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    limit_time();
    const Outcome outcome = outcome_of(text);
    shared.verdict = outcome.verdict;
    std::snprintf(shared.text, sizeof shared.text, "%s", outcome.text.c_str());
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return {WTERMSIG(status) == SIGVTALRM ? Verdict::hang : Verdict::signal, strsignal(WTERMSIG(status))};
  if (WEXITSTATUS(status) != 0) return {Verdict::signal, fmt::format("exit code {}", WEXITSTATUS(status))};
  return {shared.verdict, shared.text};
}

/// Tables and lines that the finding does not need are left out; of a scene without end, which takes long to tell, only tables.
std::string smallest(std::string text, Verdict verdict, Shared& shared) {
  const auto without = [&](std::size_t begin, std::size_t end) {
    std::string less = text;
    less.erase(begin, end - begin);
    if (outcome_apart(less, shared).verdict != verdict) return false;
    text = std::move(less);
    return true;
  };
  for (const std::string_view piece : {"\n[", verdict == Verdict::hang ? "no such line" : "\n"})
    for (std::size_t at = 0; (at = text.find(piece, at)) != text.npos;) {
      const std::size_t end = std::min(text.find(piece, at + 1), text.size());
      if (!without(at, end)) ++at;
    }
  return text;
}

int find(unsigned long from, unsigned long to) {
  Shared& shared = *static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int found = 0;
  const auto tell = [&](unsigned long seed, const Outcome& outcome) {
    ++found;
    ++shared.count[std::size_t(outcome.verdict)];
    fmt::print("seed {}: {}: {}\n", seed, verdict_names[std::size_t(outcome.verdict)], outcome.text);
    std::fflush(stdout);
    fmt::print("{}\n", smallest(Generator(seed).scene(), outcome.verdict, shared));
    std::fflush(stdout);
  };
  for (unsigned long next = from; next < to;) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {  // one scene after the other, until something is found
      for (unsigned long seed = next; seed < to; ++seed) {
        shared.seed = seed;
        limit_time();
        const Outcome outcome = outcome_of(Generator(seed).scene());
        if (is_bad(outcome.verdict)) {
          shared.verdict = outcome.verdict;
          std::snprintf(shared.text, sizeof shared.text, "%s", outcome.text.c_str());
          _exit(7);
        }
        ++shared.count[std::size_t(outcome.verdict)];
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    const unsigned long seed = shared.seed;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 7) tell(seed, {shared.verdict, shared.text});
    else tell(seed, outcome_apart(Generator(seed).scene(), shared));
    next = seed + 1;
  }
  for (std::size_t i = 0; i < verdict_names.size(); ++i)
    if (shared.count[i] > 0) fmt::print("{:7} {}\n", shared.count[i], verdict_names[i]);
  return found > 0 ? 1 : 0;
}

}  // namespace
}  // namespace asperity

int main(int count, char** arguments) {
  using namespace asperity;
  if (count == 3) return find(std::strtoul(arguments[1], nullptr, 10), std::strtoul(arguments[2], nullptr, 10));
  if (count != 2) return std::puts("fuzz_numbers FROM TO, or fuzz_numbers SEED"), 2;
  const std::string text = Generator(std::strtoul(arguments[1], nullptr, 10)).scene();
  fmt::print("{}\n", text);
  std::fflush(stdout);
  const Outcome outcome = outcome_of(text);
  fmt::print("{}: {}\n", verdict_names[std::size_t(outcome.verdict)], outcome.text);
  return is_bad(outcome.verdict) ? 1 : 0;
}
