#include "outlook.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "check_words.hpp"
#include "connected.hpp"
#include "system/probe.hpp"
#include "trials.hpp"

namespace asperity {

using namespace words;

/// Accelerations of the world as it starts, in the place of velocities.
std::vector<double> first_accelerations(Network& network) {
  std::vector<double> force(network.force_numbers), xdot(network.state.size()), motion = network.state;
  network.add_pushes(0, force);
  for (const ElementPool* pool : network.elements)
    if (!pool->about().discrete) pool->react(network.moving(), 0, force.data(), xdot.data());
  network.accelerate(force, motion);
  return motion;
}

// --- what a step makes of a strike, a swing, a spin
// ---------------------------------------------------------------------------------

namespace {

constexpr double told_restitution = 0.004, doubtful_restitution = 0.02;
constexpr double told_energy = 0.01, doubtful_energy = 0.05;

/// The bodies of an element that follow forces.
using Moving = std::vector<std::pair<const BodyPool*, std::uint32_t>>;
Moving moving_ends(const ElementPool& pool, std::size_t i) {
  Moving bodies;
  for (const End* end : {&pool.a, &pool.b})
    if (Connected::moves(*end)) bodies.emplace_back(end->bodies, end->bodies->in_one_piece() ? 0 : end->index[i]);
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

}  // namespace

/// Contacts that will be struck are struck: the bodies of each, with what is between them, taken out of the world, run into it with
/// the run's own step and with a fine one. Returns the parts of which this tells the restitution. The quickest come first; of those
/// that are alike one is tried.
std::set<const Part*> check_first_strikes(Network& network, Method method, const CheckOptions& options,
                                          std::vector<Warning>& list) {
  struct Group {
    double pace = 0, gap = infinity, speed = 0;
    std::vector<const Part*> parts;
  };
  std::vector<std::pair<Moving, Group>> groups;  // in the order of the elements
  std::map<Moving, std::size_t> place;
  std::vector<double> seen;
  for (const Part& part : network.parts) {
    if (!part.unilateral || part.mass == infinity || !(part.K > 0)) continue;
    if (!std::isfinite(part.pool->gap(network.still(), part.index))) continue;  // terms of an inclusion
    if (part.pool->about().discrete && method != Method::step && method != Method::rk4_lookahead) continue;
    const bool solid = part.kind == Stiffness::Kind::solid && part.alpha > 0;
    const auto [at, is_first] = place.try_emplace(moving_ends(*part.pool, part.index), groups.size());
    if (is_first) groups.emplace_back(at->first, Group());
    Group& group = groups[at->second].second;
    group.parts.push_back(&part);
    group.pace = std::hypot(group.pace, std::sqrt((solid ? part.K * part.beta / part.alpha : part.K) / part.mass));
    seen.resize(part.pool->force_numbers());
    part.pool->relative(network.moving(), part.index, seen.data());
    group.gap = std::min(group.gap, part.pool->gap(network.still(), part.index));
    group.speed = std::max(group.speed, seen[0]);
  }
  // A step that is this short beside the strike is good for any law.
  const double short_enough = method == Method::rk4 ? 0.02 : 2e-4;
  std::vector<std::pair<const Moving*, const Group*>> order;
  for (const auto& [bodies, group] : groups)
    if (group.pace * options.step > short_enough) order.emplace_back(&bodies, &group);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second->pace > b.second->pace; });

  constexpr std::size_t most_trials = 12;
  double work = 2e7;  // a few seconds
  std::set<const Part*> told;
  std::map<std::array<double, 4>, const Group*> known;  // how alike they look
  std::map<const Group*, Warning> said;
  for (const auto& [bodies, group] : order) {
    const auto digits = [](double x) { return std::isfinite(x) ? std::round(1e6 * x) : 0; };
    const std::array<double, 4> looks{digits(group->pace), digits(group->gap), digits(group->speed), double(group->parts.size())};
    const auto [alike, is_new] = known.try_emplace(looks, group);
    if (is_new && known.size() > most_trials) break;
    if (is_new) {
      Excerpt excerpt(network, *bodies);
      std::vector<Excerpt::Contact> contacts;
      for (const Part* part : group->parts)
        if (const auto contact = excerpt.find(part->pool, std::uint32_t(part->index))) contacts.push_back(*contact);
      const auto strike = trials::first_strike(
          excerpt, contacts,
          {.method = method, .step = options.step, .duration = options.duration, .tolerance = told_restitution, .work = &work});
      if (!strike) continue;
      told.insert(group->parts.begin(), group->parts.end());
      if (strike->error() <= told_restitution) continue;
      const Part& part = *group->parts[strike->contact];
      const std::string range = !std::isfinite(strike->highest) ? "with a speed without bound"
                                : strike->highest - strike->lowest < 5e-4
                                    ? fmt::format("with {:.3f} of its speed", strike->highest)
                                    : fmt::format("with {:.3f} to {:.3f} of its speed", strike->lowest, strike->highest);
      Warning warning{
          part.name(), Warning::Kind::accuracy, std::isfinite(strike->highest) ? strike->error() : infinity, told_restitution,
          fmt::format("{}: hit at {}, it returns {} instead of {:.3f}: step {} is too long for it with {}; {}", part.name(),
                      speed_text(part, strike->speed), range, strike->restitution, time_text(options.step, false), options.method,
                      strike->step > 0 || method == Method::rk4 ? use_step(strike->step)
                      : !takes_rk4(network)                     ? "use a shorter step"
                                                                : "use rk4 or a shorter step")};
      warning.note = strike->error() <= doubtful_restitution;
      said.emplace(group, warning);
      list.push_back(std::move(warning));
    } else {
      const auto found = said.find(alike->second);
      if (!told.contains(alike->second->parts.front())) continue;
      told.insert(group->parts.begin(), group->parts.end());
      if (found == said.end()) continue;
      // In the words of the one that was tried.
      Warning warning = found->second;
      const std::string name = group->parts.front()->name();
      warning.text.replace(0, warning.component.size(), name);
      warning.component = name;
      list.push_back(std::move(warning));
    }
  }
  return told;
}

namespace {

/// A spring that is stretched as far as what moves it can stretch it.
double stiffest(Probe& probe, const Part& part, double speed, double acceleration) {
  const End& end = Connected::moves(part.pool->a) ? part.pool->a : part.pool->b;
  if (!part.curved || !Connected::moves(end) || end.bodies->in_one_piece()) return part.K;
  const std::vector<double> along = probe.push(*part.pool, part.index, end, part.first);
  const double before = part.pool->energy(probe.instant(), part.index);
  double most = part.K;
  for (const double side : {-1.0, 1.0}) {
    double reach = 1e-9;
    for (int round = 0; round < 200; ++round, reach *= 1.25) {
      probe.put_back(*part.pool, part.index);
      for (std::size_t c = 0; c < std::min<std::size_t>(along.size(), 3); ++c)
        probe.motion(end, part.index, c) += side * reach * along[c];
      const double brought = before + part.mass * (speed * speed / 2 + std::abs(acceleration) * reach);
      if (part.pool->energy(probe.instant(), part.index) > brought) break;
      for (const Stiffness& stiff : part.pool->stiffness(probe.instant(), part.index))
        if (stiff.first == part.first) most = std::max(most, stiff.K);
    }
  }
  probe.put_back(*part.pool, part.index);
  return most;
}

}  // namespace

/// A spring oscillates at s = -B/(2M) +- i sqrt(K/M - B^2/(4M^2)); a step multiplies the swing by R(s h) instead of exp(s h), N
/// times. What has died away by itself is not missed.
void check_swings(Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  const AboutMethod* about = find_method(options.method);
  if (!about || !about->growth) return;
  const std::vector<double> motion = first_accelerations(network);
  const bool driven = !network.pushes.empty() || !network.given.empty();
  Probe probe(network.still(), network.state.size(), network.force_numbers);
  std::map<Moving, std::vector<const Part*>> beside;
  for (const Part& part : network.parts) beside[moving_ends(*part.pool, part.index)].push_back(&part);
  std::vector<double> speed, acceleration;
  for (const Part& part : network.parts) {
    if (part.pool->about().kind != Kind::spring || part.mass == infinity) continue;
    speed.assign(part.pool->force_numbers(), 0.0);
    acceleration = speed;
    part.pool->relative(network.moving(), part.index, speed.data());
    part.pool->relative(network.seen(motion), part.index, acceleration.data());
    const double v = speed[part.first], a = acceleration[part.first];
    // Dampers beside it count along its direction; what rubs beside it takes energy, too.
    double B = part.B;
    bool rubs = false;
    const End& end = Connected::moves(part.pool->a) ? part.pool->a : part.pool->b;
    const std::vector<double> along = probe.push(*part.pool, part.index, end, part.first);
    for (const Part* other : beside[moving_ends(*part.pool, part.index)]) {
      rubs = rubs || other->kind == Stiffness::Kind::asperity || other->kind == Stiffness::Kind::bristle;
      if (other == &part || other->kind != Stiffness::Kind::spring || other->unilateral) continue;
      const End& there = other->pool->a.bodies == end.bodies ? other->pool->a : other->pool->b;
      const std::vector<double> too = probe.push(*other->pool, other->index, there, other->first);
      double cosine = 0;
      for (std::size_t c = 0; c < std::min<std::size_t>(along.size(), 3); ++c) cosine += along[c] * too[c];
      B += other->B * cosine * cosine;
    }
    const double K = stiffest(probe, part, v, a), half = B / (2 * part.mass), square = K / part.mass - half * half;
    if (!(square > 0)) continue;  // creeps back without a swing
    const std::complex<double> s(-half, std::sqrt(square));
    struct Off {
      double energy, turn;
    };
    const auto off = [&](double h) {
      const std::complex<double> R = about->growth(s * h);
      const double steps = std::min(options.duration, half > 0 ? 1 / (2 * half) : infinity) / h;
      // The angle of one step is far below half a turn wherever this rule has a say.
      return Off{std::expm1(2 * steps * (std::log(std::abs(R)) + half * h)), steps * (std::arg(R) - s.imag() * h)};
    };
    const auto good = [&](double h) {
      const Off there = off(h);
      return std::abs(there.energy) <= told_energy && std::abs(there.turn) <= 0.1;
    };
    const Off there = off(options.step);
    if (good(options.step) || (there.energy > told_energy && !part.curved && options.method.starts_with("rk4")))
      continue;                                                        // unstable: said already
    if (!driven && v == 0 && a == 0 && there.energy < 1e20) continue;  // stands still, and not even rounding starts it
    const bool of_energy = std::abs(there.energy) > told_energy;
    const std::string what = !of_energy           ? fmt::format("turns it {:.2g} rad {} until the end", std::abs(there.turn),
                                                      there.turn < 0 ? "too little" : "too far")
                             : there.energy > 1e3 ? "makes its oscillation grow without bound"
                             : there.energy > 0   ? fmt::format("gives it {:.2g} % of energy", 100 * there.energy)
                                                  : fmt::format("takes {:.2g} % of its energy", -100 * there.energy);
    std::string advice = use_step(longest_step(options.step, 40, good));
    if (!options.method.starts_with("rk4") && takes_rk4(network)) advice += ", or rk4";
    list.push_back({part.name(), Warning::Kind::accuracy, of_energy ? std::abs(there.energy) : std::abs(there.turn),
                    of_energy ? told_energy : 0.1,
                    fmt::format("{}: oscillates at {} rad/s ({}{} on {}): {} with step {} {}; {}", part.name(), plain(s.imag(), 3),
                                "K = " + stiffness_text(part, K), part.curved ? " at most" : "", mass_text(part), options.method,
                                time_text(options.step, false), what, advice)});
    list.back().note = rubs || (std::abs(there.energy) <= doubtful_energy && std::abs(there.turn) <= 0.5);
  }
}

/// A rigid body that spins about no axis of its own: the energy of its spin is what a method loses first.
void check_spins(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  struct Spinning {
    double spin;
    const BodyPool* pool;
    std::uint32_t index;
  };
  std::vector<Spinning> bodies;
  for (const BodyPool* pool : network.bodies) {
    if (pool->is_given || pool->motion_numbers() != parts<Frame<double>>() || pool->force_numbers() != 6) continue;
    for (std::uint32_t i = 0; i < pool->count(); ++i) {
      double spin = 0;
      for (std::size_t c = 3; c < 6; ++c) spin = std::hypot(spin, network.state[pool->motion.at(pool->velocity_column(c), i)]);
      if (spin * options.step > 1e-4) bodies.push_back({spin, pool, i});
    }
  }
  std::stable_sort(bodies.begin(), bodies.end(), [](const Spinning& a, const Spinning& b) { return a.spin > b.spin; });
  constexpr std::size_t most_trials = 16;
  if (bodies.size() > most_trials) bodies.resize(most_trials);
  for (const Spinning& body : bodies) {
    const auto spin =
        trials::free_spin(*body.pool, body.index, network, options.method, options.step, options.duration, told_energy);
    if (!spin || std::abs(spin->energy - 1) <= told_energy) continue;
    const std::string what = !(spin->energy < 1e3) ? "lets its energy grow without bound"
                             : spin->energy > 1    ? fmt::format("lets its energy grow by {:.2g} %", 100 * (spin->energy - 1))
                                                   : fmt::format("takes {:.2g} % of its energy", 100 * (1 - spin->energy));
    const std::string& name = body.pool->names[body.index];
    list.push_back({name, Warning::Kind::accuracy, std::abs(spin->energy - 1), told_energy,
                    fmt::format("{}: spins at {} rad/s: {} with step {} {} in {}: step x spin {:.2g} rad; {}", name,
                                plain(body.spin, 3), options.method, time_text(options.step, false), what,
                                time_text(options.duration, false), body.spin * options.step, use_step(spin->step))});
    list.back().note = std::abs(spin->energy - 1) <= doubtful_energy;
  }
}

namespace {

// --- equations of the user's own
// ----------------------------------------------------------------------------------------------------

/// Square matrices, row by row.
using Square = std::vector<double>;
/// The factor by which a matrix makes the fastest-growing vector grow, and that vector: |A^n|^(1/n), n = 2^40, by squaring.
double growth(const Square& A, std::size_t n, std::vector<double>* fastest = nullptr) {
  Square power = A, square(n * n);
  double log_size = 0, exponent = 1;
  for (int round = 0; round < 40; ++round) {
    double size = 0;
    for (const double number : power) {
      if (!std::isfinite(number)) return infinity;
      size = std::max(size, std::abs(number));
    }
    if (!(size > 0)) return 0;
    log_size += std::log(size) / exponent;
    exponent *= 2;
    std::fill(square.begin(), square.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        if (const double factor = power[i * n + k] / size; factor != 0)
          for (std::size_t j = 0; j < n; ++j) square[i * n + j] += factor * (power[k * n + j] / size);
    std::swap(power, square);
  }
  if (fastest) {
    fastest->assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) (*fastest)[i] = std::max((*fastest)[i], std::abs(power[i * n + j]));
  }
  return std::exp(log_size);
}

/// By how much x' = J x itself grows at most in a time h: e^(J h) in parts that are short for the fastest of its modes.
double own_growth(Square J, std::size_t n, double h) {
  double fastest = 0;
  for (const double number : J) fastest = std::max(fastest, std::abs(number));
  if (!std::isfinite(fastest)) return infinity;
  const double parts = std::exp2(std::ceil(std::log2(std::max(1.0, 32 * double(n) * h * fastest))));
  for (double& number : J) number *= h / parts;
  Square sum(n * n), product(n * n);  // 1 + J (1 + J/2 (1 + J/3 (1 + J/4)))
  for (const double order : {4., 3., 2., 1.}) {
    for (std::size_t i = 0; i < n; ++i) sum[i * n + i] += 1;
    std::fill(product.begin(), product.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j) product[i * n + j] += J[i * n + k] / order * sum[k * n + j];
    std::swap(sum, product);
  }
  for (std::size_t i = 0; i < n; ++i) sum[i * n + i] += 1;
  return std::pow(growth(sum, n), parts);
}

}  // namespace

/// Equations of the user's own may be stiff by themselves. Along the motion that fine steps find at first, a step of the run is
/// differentiated: what it makes of a small difference must not grow where the motion itself does not let it grow.
void check_equations(const Network& network, Method method, const CheckOptions& options, std::vector<Warning>& list) {
  const BodyPool* states = nullptr;
  for (const BodyPool* pool : network.bodies)
    if (!pool->is_given && !pool->knows_energy()) states = pool;
  const std::size_t n = network.state.size();
  constexpr std::size_t most_states = 40;
  if (!states || n > most_states) return;
  std::vector<double> force(network.force_numbers), given = network.given;
  const auto rate = [&](double t, std::span<const double> x, double tau, std::span<double> xdot) {
    std::fill(force.begin(), force.end(), 0.0);
    network.add_pushes(t, force);
    for (const BodyPool* pool : network.bodies) pool->place(t, given.data());
    for (const ElementPool* pool : network.elements) pool->react({x.data(), given.data()}, tau, force.data(), xdot.data());
    for (const BodyPool* pool : network.bodies) pool->rate(x.data(), force.data(), xdot.data());
  };
  RungeKutta rough(method, n), fine(Method::rk4, n);
  constexpr int parts_of_step = 32;
  const auto go = [&](RungeKutta& by, double t, double h, int pieces, std::vector<double>& x) {
    for (int k = 0; k < pieces; ++k) by.step(rate, t + k * h / pieces, h / pieces, x);
  };
  const auto slopes = [&](RungeKutta& by, double t, double h, int pieces, const std::vector<double>& x) {
    Square A(n * n);
    std::vector<double> base = x, moved;
    go(by, t, h, pieces, base);
    for (std::size_t j = 0; j < n; ++j) {
      moved = x;
      const double by_this = 1e-7 * std::abs(x[j]) + 1e-10;
      moved[j] += by_this;
      go(by, t, h, pieces, moved);
      for (std::size_t i = 0; i < n; ++i) A[i * n + j] = (moved[i] - base[i]) / by_this;
    }
    return A;
  };
  const auto rates = [&](double t, const std::vector<double>& x) {
    Square J(n * n);
    std::vector<double> base(n), moved(n), there;
    rate(t, x, 0, base);
    for (std::size_t j = 0; j < n; ++j) {
      there = x;
      const double by_this = 1e-7 * std::abs(x[j]) + 1e-10;
      there[j] += by_this;
      rate(t, there, 0, moved);
      for (std::size_t i = 0; i < n; ++i) J[i * n + j] = (moved[i] - base[i]) / by_this;
    }
    return J;
  };
  // Where to look: at the start, and on the way of the first steps.
  std::vector<std::pair<double, std::vector<double>>> places;
  std::vector<double> x = network.state;
  const int steps = int(std::min(200.0, options.duration / options.step));
  for (int k = 0; k <= steps; ++k) {
    if (k < 4 || k % 10 == 0) places.emplace_back(k * options.step, x);
    go(fine, k * options.step, options.step, parts_of_step, x);
    if (!std::all_of(x.begin(), x.end(), [](double number) { return std::abs(number) < 1e100; })) break;
  }
  // How much it grows beyond what it should, at worst, in a step.
  const auto excess = [&](double h, std::vector<double>* fastest) {
    double worst = 1;
    std::vector<double> direction;
    for (const auto& [t, at] : places) {
      const double own = growth(slopes(rough, t, h, 1, at), n, &direction);
      if (own <= worst) continue;
      const double right = std::max(1.0, own_growth(rates(t, at), n, h));
      if (std::isfinite(right) && own / right > worst) {
        worst = own / right;
        if (fastest) *fastest = direction;
      }
    }
    return worst;
  };
  const auto bad = [&](double factor, double h) { return std::log(factor) * std::min(options.duration / h, 1000.0) > 0.7; };
  std::vector<double> fastest;
  const double factor = excess(options.step, &fastest);
  if (!bad(factor, options.step) || fastest.empty()) return;
  double h = options.step;
  int round = 0;
  // A step that is advised has to be good to the end.
  for (; round < 40 && std::log(excess(h, nullptr)) * options.duration / h > 0.7; ++round) h /= 1.25;
  const std::size_t most = std::size_t(std::max_element(fastest.begin(), fastest.end()) - fastest.begin());
  const auto names = states->quantities();
  const std::string name = most < names.size() ? names[most].name : "states";
  list.push_back(
      {name, Warning::Kind::stability, factor, 1,
       fmt::format(
           "{}: step {} is too long for the equations: with {} what should not grow grows {} times in a step; {}", name,
           time_text(options.step, false), options.method, plain(factor, 3),
           use_step(round < 40 ? h : 0) + (method == Method::euler || method == Method::step ? "; rk4 takes longer ones" : ""))});
}

// --- where bodies are, and where they go
// --------------------------------------------------------------------------------------------

/// Bodies that start inside what they touch, and bodies that will go through it.
void check_depths(Network& network, std::vector<Warning>& list) {
  const std::vector<double> motion = first_accelerations(network);
  std::vector<double> speed, acceleration;
  Probe probe(network.still(), network.state.size(), network.force_numbers);
  for (const Part& part : network.parts) {
    if (!part.unilateral || part.mass == infinity) continue;
    const double gap = part.pool->gap(network.still(), part.index);
    if (!std::isfinite(gap)) continue;
    speed.assign(part.pool->force_numbers(), 0.0);
    acceleration = speed;
    part.pool->relative(network.moving(), part.index, speed.data());
    part.pool->relative(network.seen(motion), part.index, acceleration.data());
    const double v = speed[0], a = acceleration[0];
    const bool two = Connected::moves(part.pool->a) && Connected::moves(part.pool->b);
    const double open = std::max(gap, 0.0);
    const double height = probe.thickness(*part.pool, part.index);
    if (gap < 0) {
      const double pushes = part.pool->resting_force(network.still(), part.index);
      const double load = std::max(0.0, part.mass * a + pushes);  // what it would have to carry
      const double depth = -gap;
      // The work of the force on the way out, less that of the load: laws are powers of the depth.
      const double off = std::sqrt(std::max(0.0, pushes * depth - 2 * load * depth) / part.mass);
      const bool deep = height > 0 && depth > 0.05 * height;
      if (pushes > 2 * load * (1 + 1e-6) && v < off && (off > 0.05 || deep) &&
          depth > part.pool->indentation(part.index, 2 * load)) {
        list.push_back(
            {part.name(), Warning::Kind::depth, depth, 0,
             fmt::format("{}: starts {} m deep: it pushes with {} where {} hold, and throws off what it touches; start that {} m "
                         "farther out, where it just touches",
                         part.name(), plain(depth, 3), force_text(part, pushes), force_text(part, load), plain(depth, 3))});
        list.back().note = !(deep || off > 1);
        continue;
      }
    }
    if (!(height > 0)) continue;
    const double squared = v * v + 2 * a * open;
    if (!(squared > 0) || (v <= 0 && a <= 0)) continue;
    const double depth = part.pool->strike_depth(part.index, part.mass * squared / 2, part.mass * std::max(a, 0.0));
    if (depth <= 0.5 * height) continue;
    const bool through = two && depth >= height;
    const double stiffer = std::pow(depth / (0.1 * height), 2);
    list.push_back(
        {part.name(), Warning::Kind::depth, depth, 0.5 * height,
         fmt::format("{}: hit at {}, it is too soft: it is compressed by {} m{}, {:.2g} times the {} m from its surface to the "
                     "centre{}; {}",
                     part.name(), speed_text(part, std::sqrt(squared)), plain(depth, 3),
                     through ? " and the other body passes through" : "", depth / height, plain(height, 3), two ? "s" : "",
                     stiffer < 1e12 ? fmt::format("make it {} times as stiff, and it is compressed by a tenth of that",
                                                  plain(rounded_up(stiffer), 2))
                                    : "no stiffness would stop it")});
    list.back().note = !two && depth < height;
  }
}

/// Whether a body that falls freely from its start may come to a contact of shapes with something that does not fall. It moves by
/// no more than the gap from one look to the next.
bool comes_to(Network& network, const ElementPool& pool, std::size_t i, const End& end, const std::array<double, 3>& g,
              double duration) {
  constexpr int most_looks = 300;
  std::vector<double> x = network.state;
  const BodyPool& body = *end.bodies;
  const std::size_t k = end.index[i];
  std::array<double, 3> from{}, v{};
  for (std::size_t c = 0; c < 3; ++c) {
    from[c] = network.state[body.motion.at(c, k)];
    v[c] = network.state[body.motion.at(body.velocity_column(c), k)];
  }
  const double a = std::hypot(g[0], g[1], g[2]), least = 1e-4 * (1 + std::hypot(from[0], from[1], from[2]));
  double t = 0;
  for (int look = 0; look < most_looks; ++look) {
    for (std::size_t c = 0; c < 3; ++c) x[body.motion.at(c, k)] = from[c] + v[c] * t + g[c] * t * t / 2;
    const double gap = pool.gap(network.seen(x), i);
    if (!(gap > least)) return true;
    if (std::isinf(gap)) return false;
    const double speed = std::hypot(v[0] + g[0] * t, v[1] + g[1] * t, v[2] + g[2] * t);
    t += 2 * gap / (speed + std::sqrt(speed * speed + 2 * a * gap));
    if (t > duration) return false;
  }
  return true;
}

/// What falls, and has nothing under it: no element between it, or what it hangs together with, and the ground acts against its
/// weight.
void check_support(Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  std::vector<double> falling = network.state, force(network.force_numbers, 0.0);
  network.accelerate(force, falling);
  Connected connected(network);
  const auto weight = [&](const BodyPool& pool, std::size_t i) {
    std::array<double, 3> g{};
    for (std::size_t c = 0; c < std::min<std::size_t>(pool.force_numbers(), 3); ++c)
      g[c] = falling[pool.motion.at(pool.velocity_column(c), i)];
    return g;
  };
  // Of each group of connected bodies the largest: what holds one of them may carry the others.
  std::map<std::size_t, std::array<double, 3>> weights;
  for (const BodyPool* pool : network.bodies)
    for (std::size_t i = 0; i < pool->count() && !pool->is_given && !pool->in_one_piece() && pool->knows_energy(); ++i) {
      const auto g = weight(*pool, i);
      auto& most = weights[connected.top(pool, i)];
      if (std::hypot(g[0], g[1], g[2]) > std::hypot(most[0], most[1], most[2])) most = g;
    }
  std::set<std::size_t> held, touched, pushed;
  for (const Network::Push& one : network.pushes) pushed.insert(connected.top(one.body.pool, one.body.index));
  for (const Feedback* one : network.feedbacks) pushed.insert(connected.top(one->body.pool, one->body.index));
  std::map<std::size_t, int> bodies_of;
  for (const BodyPool* pool : network.bodies)
    for (std::size_t i = 0; i < pool->count() && !pool->is_given; ++i) ++bodies_of[connected.top(pool, i)];
  const auto alone = [&](std::size_t top) { return bodies_of[top] == 1; };
  std::vector<double> push;
  for (const ElementPool* pool : network.elements)
    for (std::size_t i = 0; i < pool->count(); ++i) {
      for (const End* end : {&pool->a, &pool->b})
        if (Connected::moves(*end)) touched.insert(connected.top(end->bodies, end->index[i]));
      if (Connected::moves(pool->a) == Connected::moves(pool->b)) continue;  // between bodies, or of nobody
      const End& end = Connected::moves(pool->a) ? pool->a : pool->b;
      if (end.bodies->in_one_piece() || !end.bodies->knows_energy()) continue;
      const auto g = weights[connected.top(end.bodies, end.index[i])];
      const double gap = pool->gap(network.still(), i);
      const bool contact = std::isfinite(gap);
      const std::size_t top = connected.top(end.bodies, end.index[i]);
      // Shapes have ends: what falls beside them is not held. Nor does a wall hold what nothing presses on it.
      const bool shapes = contact && pool->hands_over() && is_in_space(*end.bodies) && alone(top);
      if (shapes && !comes_to(network, *pool, i, end, g, options.duration)) continue;
      const bool pressed = !shapes || gap < 0 || pushed.contains(top);
      bool acts = pool->force_numbers() == 0;
      push.assign(pool->force_numbers(), 0.0);
      for (std::size_t k = 0; k < push.size(); ++k) {
        push[k] = 1;
        std::array<double, 3> f{};
        for (const End* other : {&pool->a, &pool->b})
          for (std::size_t c = 0; other->bodies && c < other->bodies->force_numbers(); ++c)
            force[other->bodies->force.at(c, other->index[i])] = 0;
        pool->push(network.still(), i, push.data(), force.data());
        double along = 0, size = 0;
        for (std::size_t c = 0; c < std::min<std::size_t>(end.bodies->force_numbers(), 3); ++c) {
          f[c] = force[end.bodies->force.at(c, end.index[i])];
          along += f[c] * g[c];
          size += g[c] * g[c];
        }
        push[k] = 0;
        // A contact pushes only; what rubs or springs acts both ways.
        if (k > 0 && !pressed) continue;
        if (contact && k == 0 ? along < -1e-6 * std::sqrt(size) : std::abs(along) > 1e-6 * std::sqrt(size)) acts = true;
      }
      if (acts) held.insert(connected.top(end.bodies, end.index[i]));
    }
  for (const BodyPool* pool : network.bodies) {
    if (pool->is_given || pool->in_one_piece() || !pool->knows_energy()) continue;
    for (std::size_t i = 0; i < pool->count(); ++i) {
      const auto g = weight(*pool, i);
      const double size = std::hypot(g[0], g[1], g[2]);
      const std::size_t top = connected.top(pool, i);
      if (!(size > 0) || held.contains(top)) continue;
      const std::size_t axis = std::size_t(
          std::max_element(g.begin(), g.end(), [](double p, double q) { return std::abs(p) < std::abs(q); }) - g.begin());
      const double way = size * options.duration * options.duration / 2;
      const std::string direction = fmt::format("{}{}", g[axis] < 0 ? "-" : "+", "xyz"[axis]);
      list.push_back(
          note({pool->names[i], Warning::Kind::support, way, 0,
                touched.contains(top)
                    ? fmt::format("{}: nothing can stop it in direction {}, where its weight pulls: no element holds it there; it "
                                  "falls {} m in {}",
                                  pool->names[i], direction, plain(way, 3), time_text(options.duration, false))
                    : fmt::format("{}: falls freely in direction {}, {} m in {}", pool->names[i], direction, plain(way, 3),
                                  time_text(options.duration, false))}));
    }
  }
}

}  // namespace asperity
