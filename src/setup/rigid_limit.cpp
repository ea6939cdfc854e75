#include "asperity/setup/rigid_limit.hpp"

#include <fmt/format.h>

#include <array>

#include "connected.hpp"

namespace asperity {
namespace {

/// The force of gravity on body i: the mass that each coordinate feels times its acceleration.
double weight(const Network& network, const BodyPool& pool, std::size_t i, std::vector<double>& force, std::vector<double>& xdot) {
  double square = 0;
  for (std::size_t c = 0; c < pool.force_numbers(); ++c) {
    const std::size_t entry = pool.motion.at(pool.velocity_column(c), i);
    pool.rate_of(i, network.still().state, force.data(), xdot.data());
    const double idle = xdot[entry];
    force[pool.force.at(c, i)] = 1;
    pool.rate_of(i, network.still().state, force.data(), xdot.data());
    force[pool.force.at(c, i)] = 0;
    square += std::pow(idle / (xdot[entry] - idle), 2);
  }
  return std::sqrt(square);
}

double largest(const std::function<double(double)>& push, double duration) {
  constexpr int samples = 1000;
  double most = 0;
  for (int s = 0; s <= samples; ++s) most = std::max(most, std::abs(push(duration * s / samples)));
  return most;
}

/// How far the purely elastic part of a bristle reaches, of the deflection at which it slides; that of the law's own numbers.
constexpr double elastic_share = 0.7;

bool is_power(const Parameter& p) { return p.unit.starts_with("N/m^"); }

}  // namespace

bool is_stiffness(const Parameter& p) { return p.range.role == Role::stiffness || p.range.role == Role::length; }
bool is_rigid_parameter(const Parameter& p, Kind kind) {
  switch (p.range.role) {
    case Role::stiffness:
    case Role::length:
      return true;
    case Role::damping:
      return p.unit == "s" || p.unit == "N s/m";
    case Role::time:  // friction has other times: by which its limit lags
      return kind == Kind::contact && (p.unit == "s" || p.unit == "1/s");
    default:
      return false;
  }
}

std::optional<std::string> why_not_rigid(const About& law, const std::vector<Parameter>& parameters) {
  if (law.discrete) return fmt::format("{} lives in sampled time, no implicit method runs it", law.name);
  if (std::none_of(parameters.begin(), parameters.end(), is_stiffness))
    return fmt::format("{} has no stiffness, under a load it creeps; use a law without the exception `creeps`", law.name);
  if (has(law.quirks, Quirk::creeps))
    return fmt::format("{} creeps under a load, whatever its stiffness; use a law without the exception `creeps`", law.name);
  return std::nullopt;
}

RigidLaw rigid_law(const About& law, const std::vector<Parameter>& parameters, double elastic,
                   const std::function<bool(const std::string&)>& open, double load, double mass, double step,
                   double displacement) {
  const auto find = [&](const auto& is_it) -> const Parameter* {
    const auto found = std::find_if(parameters.begin(), parameters.end(), is_it);
    return found == parameters.end() ? nullptr : &*found;
  };
  const auto of_role = [&](Role role, std::string_view unit) {
    return find([&](const Parameter& p) { return p.range.role == role && (unit.empty() || p.unit == unit); });
  };
  // A number that was given, of a parameter that the rule would choose.
  const auto given = [&](const Parameter* p, double otherwise) { return p && !open(p->name) ? p->values.front() : otherwise; };

  const Parameter *stiffness = of_role(Role::stiffness, ""), *damping_time = of_role(Role::damping, "s");
  const bool power = stiffness && is_power(*stiffness), bristle = has(law.quirks, Quirk::drifts);
  const Parameter* exponent = power ? of_role(Role::exponent, "") : nullptr;
  const double lambda = exponent ? exponent->values.front() : 1, slope = bristle ? -std::log(1 - bristle_share) : lambda;
  RigidLaw rigid{rigid_stiffness(load, mass, step, displacement, slope), {}};
  const RigidStiffness& found = rigid.stiffness;
  const Parameter* relaxation = law.kind == Kind::contact ? of_role(Role::time, "s") : nullptr;
  const double beta = given(damping_time, std::max(found.beta, given(relaxation, 0)));
  // Elements carry shares of the limit and stretch alike, so that all of them let go at once.
  const Parameter* weights = of_role(Role::weight, "");
  const auto share = [&](const Parameter& p, std::size_t i) {
    if (!p.is_list) return 1.0;
    return weights && weights->values[i] > 0 ? weights->values[i] : 1 / double(p.values.size());
  };
  // The smallest limit: below it a purely elastic part has to end.
  const Parameter* limit = nullptr;
  for (const Parameter& p : parameters)
    if (p.range.role == Role::limit && (!limit || p.values.front() < limit->values.front())) limit = &p;
  for (const Parameter& p : parameters) {
    if (!is_rigid_parameter(p, law.kind) || !open(p.name)) continue;
    std::vector<double> values = p.values;
    std::string why = "a disturbance decays without oscillation";
    const auto each = [&](double all) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = share(p, i) * all;
    };
    switch (p.range.role) {
      case Role::stiffness:
        why.clear();
        if (power) values = {load / std::pow(found.displacement, lambda)};
        else each(found.K);
        break;
      case Role::damping:
        if (p.unit == "s") values = {beta};
        else each(found.K * found.beta);
        break;
      case Role::time:
        if (p.unit == "s") values = {rigid_relaxation * beta}, why = fmt::format("{} {}", rigid_relaxation, damping_time->name);
        else values = {1 / (rigid_relaxation * beta)}, why = fmt::format("{}/{}", 1 / rigid_relaxation, damping_time->name);
        break;
      default:
        if (stiffness) {
          values = {elastic_share * limit->values.front() / found.K};
          why = fmt::format("{} {}/{}", elastic_share, limit->name, stiffness->name);
        } else {
          why.clear();
          for (double& value : values) value *= elastic / found.K;
        }
    }
    rigid.parameters.push_back({p.name, values, why});
  }
  if (bristle) rigid.stiffness.load *= bristle_share;
  return rigid;
}

std::vector<double> largest_loads(const Network& network, double duration) {
  Connected connected(network);
  std::vector<double> pressed(connected.size()), force(network.force_numbers), xdot(network.state.size());
  for (const BodyPool* pool : network.bodies)
    for (std::size_t i = 0; i < pool->count() && !pool->is_given; ++i)
      pressed[connected.top(pool, i)] +=
          pool->in_one_piece() ? std::numeric_limits<double>::quiet_NaN() : weight(network, *pool, i, force, xdot);
  for (const Network::Push& push : network.pushes)
    if (push.coordinate < 3) pressed[connected.top(push.body.pool, push.body.index)] += largest(push.force, duration);

  std::vector<double> loads;
  for (const Network::Part& part : network.parts) {
    const End& end = Connected::moves(part.pool->a) ? part.pool->a : part.pool->b;
    const double load = Connected::moves(end) ? pressed[connected.top(end.bodies, end.index[part.index])] : 0;
    if (part.unilateral) loads.push_back(load);
    else if (part.under_normal) loads.push_back(part.hold > 0 ? part.hold * load : load);
    else loads.push_back(part.hold);
  }
  return loads;
}

}  // namespace asperity
