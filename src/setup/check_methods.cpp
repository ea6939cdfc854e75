// What a method can run, and what it makes of impacts and jumps.
#include <cmath>
#include <map>
#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "check_rules.hpp"
#include "check_words.hpp"
#include "connected.hpp"

namespace asperity {
namespace {

using namespace words;

template <int D>
void check_friction_mass(const BodyPool& pool, const CheckOptions& options, std::vector<Warning>& list) {
  const auto* masses = dynamic_cast<const Bodies<FrictionMass<double, D>>*>(&pool);
  if (!masses) return;
  const AboutMethod* about = find_method(options.method);
  const bool runs = about && (about->tableau == Method::euler || about->tableau == Method::step);
  for (std::size_t i = 0; i < masses->items.size(); ++i) {
    const double T = masses->items[i].T;
    if (!runs)
      list.push_back({pool.names[i], Warning::Kind::method, 0, 0,
                      fmt::format("{}: friction_mass lives in sampled time and cannot run with {}; use euler or step at step = {}",
                                  pool.names[i], options.method, time_text(T, false))});
    else if (std::abs(options.step - T) > 1e-9 * T)
      list.push_back({pool.names[i], Warning::Kind::method, options.step, T,
                      fmt::format("{}: step {} is not its sampling time {}; make them equal", pool.names[i],
                                  time_text(options.step, false), time_text(T, false))});
  }
}

}  // namespace

void check_methods(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  const AboutMethod* about = find_method(options.method);
  const bool looks_ahead = about && about->look_ahead > 0;
  for (const ElementPool* pool : network.elements)
    if (pool->about().discrete && !looks_ahead)
      for (const std::string& name : pool->names)
        list.push_back({.component = name,
                        .kind = Warning::Kind::method,
                        .text = fmt::format("{}: {} lives in sampled time and cannot run with {}; use step", name,
                                            pool->about().name, options.method),
                        .prevents = true});
  for (const BodyPool* pool : network.bodies) {
    check_friction_mass<1>(*pool, options, list);
    check_friction_mass<2>(*pool, options, list);
    check_friction_mass<3>(*pool, options, list);
  }
}

/// What an implicit step makes of an impact that it does not subdivide. Longer than half a swing, pi sqrt(M/K), it absorbs it;
/// longer than a small share of the swing it damps it: with x = omega h implicit Euler turns a swing by atan x in a step and
/// divides its speed by sqrt(1 + x^2), so that half a swing leaves (1 + x^2)^(-pi/(2 atan x)). A solid hit by a mass swings with K
/// beta/alpha. implicit2 is implicit on all bodies that are connected to an element whose force jumps.
constexpr double resolved_strike = 0.05;  // omega h: 8 % of the speed
void check_strikes(Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  Connected connected(network);
  const auto body = [&](const ElementPool& pool, std::size_t i) {
    const End& end = Connected::moves(pool.a) ? pool.a : pool.b;
    return Connected::moves(end) ? connected.top(end.bodies, end.index[i]) : connected.size();
  };
  std::map<std::size_t, std::string> jumping;  // the first element that does, of each part of the world
  for (const ElementPool* pool : network.elements)
    for (std::size_t i = 0; i < pool->count() && has(pool->about().quirks, Quirk::jumps); ++i)
      jumping.try_emplace(body(*pool, i), pool->names[i]);
  const AboutMethod* about = find_method(options.method);
  const bool second = about && about->implicit && about->order == 2;
  if (second && options.subdivide && jumping.empty()) return;
  look_at_strikes(network, list);
  for (const Part& part : network.parts) {
    if (!part.unilateral || part.mass == infinity || !(part.K > 0)) continue;
    const auto jumps = jumping.find(body(*part.pool, part.index));
    const bool one_stage = !second || jumps != jumping.end();
    if (!one_stage && options.subdivide) continue;
    const std::string why = jumps == jumping.end() ? "" : fmt::format(" (implicit2 is no better where {} jumps)", jumps->second);
    const double contact = std::numbers::pi * std::sqrt(part.mass / part.K);
    const bool solid = part.kind == Stiffness::Kind::solid && part.alpha > 0;
    const double pace = std::sqrt((solid ? part.K * part.beta / part.alpha : part.K) / part.mass), value = pace * options.step;
    if (contact < options.step)
      list.push_back({part.name(), Warning::Kind::accuracy, options.step, contact,
                      fmt::format("{}: an impact lasts {}, less than the step of {}: it does not bounce; {}", part.name(),
                                  time_text(contact, true), time_text(options.step, false),
                                  why.empty() ? "implicit2 with subdivision does" : use_step(resolved_strike / pace) + why)});
    else if (one_stage && value > resolved_strike)
      list.push_back(
          {part.name(), Warning::Kind::accuracy, value, resolved_strike,
           fmt::format("{}: the method damps bounces, to about {:.2f} of their speed: step sqrt({}/M){} {:.2f} > {}; {}{}",
                       part.name(), std::pow(1 + value * value, -std::numbers::pi / 2 / std::atan(value)),
                       solid ? "K beta/alpha" : "K", where_text(part), value, resolved_strike, use_step(resolved_strike / pace),
                       why.empty() ? ", or implicit2" : why)});
  }
}

/// Laws that a fixed step does not step over in one go: those whose force jumps, and, of an implicit step, those that have no
/// closed form of it. They are as good as the step resolves what happens in them.
void check_closed_forms(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  for (const ElementPool* pool : network.elements) {
    const About& law = pool->about();
    const bool jumps = has(law.quirks, Quirk::jumps), implicit = is_implicit(options.method);
    if (law.discrete || !(jumps || (implicit && !law.implicit))) continue;
    for (const std::string& name : pool->names)
      list.push_back(
          note({name, Warning::Kind::accuracy, options.step, 0,
                fmt::format("{}: {} {}: {} is of order 1 at best, and good only for steps that resolve its transitions; compare "
                            "with a step of {}",
                            name, law.name, jumps ? "jumps" : "has no implicit step in closed form", options.method,
                            time_text(options.step / 10, false))}));
  }
}

}  // namespace asperity
