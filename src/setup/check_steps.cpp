// The rules for fixed steps: each part by itself, and all of them together.
#include <array>
#include <cmath>
#include <map>

#include "asperity/rules/stability.hpp"
#include "check_rules.hpp"
#include "check_words.hpp"
#include "outlook.hpp"

namespace asperity {
namespace {

using namespace words;

/// Remembers answers: a hundred thousand equal contacts ask once.
class Limits {
 public:
  Limits(Method method, bool rk4_too) : takes_rk4(rk4_too), method_(method) {}
  bool takes_rk4;  // so that it can be advised
  double smallest_mass(const Stiffness& part, double step) {
    const auto [found, is_new] = known_.try_emplace({double(int(part.kind)), part.K, part.B, part.alpha, part.beta, step}, 0.0);
    if (is_new) found->second = design::smallest_mass(part, step, method_);
    return found->second;
  }
  bool good(const Part& part, double step) { return step <= reach() * part.memory && smallest_mass(part, step) <= part.mass; }
  double reach() const { return design::reach(method_); }
  Method method() const { return method_; }

 private:
  Method method_;
  std::map<std::array<double, 6>, double> known_;
};

/// What sliding, or the memory of a contact, asks of the step.                                                   [reference rules]
void check_memory(const Part& part, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  const bool solid = part.kind == Stiffness::Kind::solid;
  const double memory = solid ? part.alpha : part.memory;
  const std::string& name = part.memory_name;
  if (memory <= 0 || options.step <= limits.reach() * memory) return;
  const double value = memory / options.step, limit = 1 / limits.reach();
  list.push_back(
      {part.name(), Warning::Kind::stability, value, limit,
       fmt::format(
           "{}: step {} is too long for {} = {}: {}/step {}; {} or {} >= {}", part.name(), time_text(options.step, false), name,
           time_text(memory, false), name, compared(value, "<", limit),
           use_step(longest_step(options.step, 60, [&](double T) { return T <= limits.reach() * memory && limits.good(part, T); })),
           name, time_text(rounded_up(options.step * limit), true))});
}

void check_stiffness(const Part& part, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  const double needed = limits.smallest_mass(part, options.step);
  if (needed <= part.mass) return;
  const double kappa_unit = options.step * options.step / part.mass;
  const bool solid = part.kind == Stiffness::Kind::solid;
  if (needed == infinity) {
    // Of a solid the memory has already been named; what is left is a spring that Euler's method makes swing up.
    if (solid || part.K <= 0 || part.pool->about().kind == Kind::spring) return;  // of springs check_swings tells how fast
    const double b = part.B / (part.K * options.step);
    list.push_back(
        {part.name(), Warning::Kind::stability, b, 1,
         fmt::format("{}: {} amplifies the oscillation of a spring of K = {} on {}: damping/(K step) {}; use {}damping >= {}",
                     part.name(), options.method, stiffness_text(part, part.K), mass_text(part), compared(b, "<", 1),
                     limits.takes_rk4 ? "rk4 or " : "",
                     plain(rounded_up(part.K * options.step), 2) + (part.turns ? " N m s/rad" : " N s/m"))});
    return;
  }
  const std::string advice = use_step(longest_step(options.step, 60, [&](double T) { return limits.good(part, T); }));
  std::string text;
  double value = 0, limit = 0;
  if (part.K > 0) {
    // At an impact a solid is K beta/alpha; the number that the rule is about.
    const bool remembers = solid && part.alpha > 0;  // without a memory the step takes its place
    const double K = remembers ? part.K * part.beta / part.alpha : part.K;
    value = K * kappa_unit;
    limit = value * part.mass / needed;
    text = fmt::format("{}: step {} is too long for K = {}{} on {}: {} {}; {}", part.name(), time_text(options.step, false),
                       stiffness_text(part, part.K), where_text(part), mass_text(part), remembers ? "kappa beta/alpha" : "kappa",
                       compared(value, ">", limit), advice);
    // How deep a curved contact goes depends on its stiffness, too: no advice on that.
    if (!part.curved)
      if (const double K_good = design::largest_stiffness(part, part.mass, options.step, limits.method()); K_good > 0)
        text += " or K <= " + stiffness_text(part, rounded_down(K_good), 2);
  } else {
    value = part.B * options.step / part.mass;
    limit = value * part.mass / needed;
    text = fmt::format("{}: step {} is too long for a damping of {} {} at rest on {}: {}; {}", part.name(),
                       time_text(options.step, false), plain(part.B, 3), part.turns ? "N m s/rad" : "N s/m", mass_text(part),
                       compared(value, ">", limit), advice);
  }
  list.push_back({part.name(), Warning::Kind::stability, value, limit, text});
}

/// The restitution of a contact that nothing strikes yet is right within .004 only if an impact takes many steps. [reference rules]
void check_accuracy(const Part& part, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  if (part.kind != Stiffness::Kind::solid || part.alpha <= 0 || part.mass == infinity || !limits.good(part, options.step)) return;
  const double pace = std::sqrt(part.K * part.beta / (part.alpha * part.mass));
  const double value = pace * options.step, limit = part.curved ? std::sqrt(0.5) : 0.3;
  if (!(value > limit)) return;
  list.push_back(
      note({part.name(), Warning::Kind::accuracy, value, limit,
            fmt::format("{}: at an impact its restitution may be wrong by more than 0.004: step sqrt(K beta/(alpha M)){} {}; {}",
                        part.name(), where_text(part), compared(value, ">", limit), use_step(limit / pace))}));
}

/// A bristle that slides forgets in F/(K |v|).                                                                    [reference rules]
void check_speed(const Part& part, double load, double speed, const CheckOptions& options, Limits& limits,
                 std::vector<Warning>& list) {
  if (part.kind != Stiffness::Kind::bristle || limits.reach() == infinity || !(load > 0)) return;
  const double limit = limits.reach() * part.slide * load / (part.K * options.step);
  list.push_back(
      {part.name(), Warning::Kind::speed, speed, limit,
       fmt::format(
           "{}: step {} is good for sliding up to {}{}", part.name(), time_text(options.step, false), speed_text(part, limit),
           speed > limit ? fmt::format(", and it starts at {}; {}", speed_text(part, speed), use_step(options.step * limit / speed))
                         : std::string())});
  list.back().note = speed <= limit;
}

/// All elements together: what each needs, weighed by how they share the bodies. With M_i the smallest mass of part i, the step
/// is stable if the largest eigenvalue of J M^-1 J^T diag(M_i) is at most 1; for overdamped asperities this is exact.
void check_coupled(Network& network, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  const auto weights = [&](double step) {
    std::vector<double> needed(network.parts.size());
    for (std::size_t p = 0; p < needed.size(); ++p) {
      needed[p] = network.parts[p].mass < infinity ? limits.smallest_mass(network.parts[p], step) : 0;
      if (needed[p] == infinity) needed[p] = 0;
      needed[p] *= network.parts[p].apart;
    }
    return needed;
  };
  std::vector<double> share;
  const double tolerance = network.numbers > 1000 ? 1e-4 : 1e-9;
  const double value = network.largest(weights(options.step), &share, tolerance);
  if (value <= 1 + 1e-6) return;
  const std::size_t most = std::size_t(std::max_element(share.begin(), share.end()) - share.begin());
  const double longest = longest_step(options.step, network.numbers > 1000 ? 8 : 40,
                                      [&](double T) { return network.largest(weights(T), nullptr, tolerance) <= 1; });
  list.push_back(
      {network.parts[most].name(), Warning::Kind::stability, value, 1,
       fmt::format("{}: step {} is too long for it and the elements coupled to it: the mass they need over "
                   "the mass they move {}; {}",
                   network.parts[most].name(), time_text(options.step, false), compared(value, ">", 1), use_step(longest))});
}

}  // namespace

void check_steps(Network& network, Method method, const CheckOptions& options, std::vector<Warning>& list) {
  Limits limits(method, takes_rk4(network));
  look_at_strikes(network, list);
  say_what_is_unchecked(network, list);
  std::vector<double> seen;
  const std::size_t before = list.size();
  for (const Part& part : network.parts) {
    if (part.pool->about().discrete && limits.reach() < infinity) continue;  // cannot run: said already
    check_memory(part, options, limits, list);
    if (part.mass == infinity) continue;
    check_stiffness(part, options, limits, list);
  }
  if (list.size() == before) check_coupled(network, options, limits, list);
  const bool stable = list.size() == before;
  const std::set<const Part*> struck = stable ? check_first_strikes(network, method, options, list) : std::set<const Part*>();
  check_equations(network, method, options, list);
  for (const Part& part : network.parts) {
    if (!struck.contains(&part)) check_accuracy(part, options, limits, list);
    seen.resize(part.pool->force_numbers());
    part.pool->relative(network.moving(), part.index, seen.data());
    double speed = 0;
    for (std::size_t k = part.first; k < part.first + part.count; ++k) speed = std::hypot(speed, seen[k]);
    check_speed(part, load_on(part, network), speed, options, limits, list);
  }
}

}  // namespace asperity
