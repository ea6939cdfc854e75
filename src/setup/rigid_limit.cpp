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

struct Meant {
  std::string_view name, unit;
};
constexpr std::array stiffnesses{Meant{"K", "N/m"}, Meant{"K", "N/m^lambda"}, Meant{"kappa", "N/m"}};
constexpr std::array others{Meant{"beta", "s"},  Meant{"beta1", "s"},     Meant{"alpha", "s"}, Meant{"gamma", "1/s"},
                            Meant{"B", "N s/m"}, Meant{"sigma", "N s/m"}, Meant{"a_ba", "m"}};
template <class List>
bool is_among(const List& list, std::string_view name, std::string_view unit) {
  return std::any_of(list.begin(), list.end(), [&](const Meant& one) { return one.name == name && one.unit == unit; });
}

}  // namespace

bool is_stiffness(std::string_view name, std::string_view unit) { return is_among(stiffnesses, name, unit); }
bool is_rigid_parameter(std::string_view name, std::string_view unit) {
  return is_stiffness(name, unit) || is_among(others, name, unit);
}

RigidLaw rigid_law(const About& law, const std::vector<Parameter>& parameters, const std::function<bool(const std::string&)>& open,
                   double load, double mass, double step, double displacement) {
  const auto values_of = [&](std::string_view name) {
    for (const Parameter& p : parameters)
      if (p.name == name) return p.values;
    return std::vector<double>();
  };
  // A number that was given, of a parameter that the rule would choose.
  const auto given = [&](std::string_view name, double otherwise) {
    for (const Parameter& p : parameters)
      if (p.name == name && is_rigid_parameter(p.name, p.unit) && !open(p.name)) return p.values.front();
    return otherwise;
  };
  const bool power = std::any_of(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.unit == "N/m^lambda"; });
  const bool bristle = has(law.quirks, Quirk::drifts);
  const double lambda = power ? values_of("lambda").front() : 1, slope = bristle ? -std::log(1 - bristle_share) : lambda;
  RigidLaw rigid{rigid_stiffness(load, mass, step, displacement, slope), {}};
  const RigidStiffness& found = rigid.stiffness;
  const double beta = given("beta1", given("beta", std::max(found.beta, given("alpha", 0))));
  // Elements carry shares of the limit and stretch alike, so that all of them let go at once.
  const std::vector<double> shares = values_of("lambda");
  const auto share = [&](std::size_t i) { return shares[i] > 0 ? shares[i] : 1 / double(shares.size()); };
  for (const Parameter& p : parameters) {
    if (!is_rigid_parameter(p.name, p.unit) || !open(p.name)) continue;
    std::vector<double> values = p.values;
    std::string why = "a knock dies out without a swing";
    if (p.name == "K") values = {power ? load / std::pow(found.displacement, lambda) : found.K};
    else if (p.name == "beta" || p.name == "beta1") values = {beta};
    else if (p.name == "B") values = {found.K * found.beta};
    else if (p.name == "alpha") values = {rigid_relaxation * beta}, why = fmt::format("{} beta", rigid_relaxation);
    else if (p.name == "gamma") values = {1 / (rigid_relaxation * beta)}, why = fmt::format("{}/beta1", 1 / rigid_relaxation);
    else if (p.name == "a_ba")
      values = {elastic_share * values_of("F_c").front() / found.K}, why = fmt::format("{} F_c/K", elastic_share);
    else
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = share(i) * found.K * (p.name == "sigma" ? found.beta : 1);
    rigid.parameters.push_back({p.name, values, is_stiffness(p.name, p.unit) ? "" : why});
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
