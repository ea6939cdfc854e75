#include "trials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "asperity/integrate/integrator.hpp"
#include "infinity.hpp"

namespace asperity {

Excerpt::Excerpt(const Network& network, const std::vector<std::pair<const BodyPool*, std::uint32_t>>& bodies) {
  std::map<const BodyPool*, std::vector<std::uint32_t>> taken;
  for (const auto& [pool, index] : bodies) {
    auto& items = taken[pool];
    if (!pool->in_one_piece()) items.push_back(index);
    else if (items.empty())
      for (std::uint32_t i = 0; i < pool->count(); ++i) items.push_back(i);
  }
  for (auto& [pool, items] : taken) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
  }
  const auto has = [&](const End& end, std::size_t i) {
    if (!end.bodies || end.bodies->is_given) return true;
    const auto found = taken.find(end.bodies);
    return found != taken.end() && std::binary_search(found->second.begin(), found->second.end(), end.index[i]);
  };
  std::map<const ElementPool*, std::vector<std::uint32_t>> elements;
  for (const ElementPool* pool : network.elements)
    for (std::uint32_t i = 0; i < pool->count(); ++i) {
      const bool held = (pool->a.bodies && !pool->a.bodies->is_given) || (pool->b.bodies && !pool->b.bodies->is_given);
      if (held && has(pool->a, i) && has(pool->b, i)) elements[pool].push_back(i);
    }
  for (const auto& [pool, items] : elements)
    for (const End* end : {&pool->a, &pool->b})
      if (end->bodies && end->bodies->is_given)
        for (const std::uint32_t i : items) taken[end->bodies].push_back(end->index[i]);

  Pools pools;
  std::map<const BodyPool*, BodyPool*> here;
  std::map<const BodyPool*, std::map<std::uint32_t, std::uint32_t>> place;
  for (const BodyPool* pool : network.bodies) {
    const auto found = taken.find(pool);
    if (found == taken.end()) continue;
    auto& items = found->second;
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    here[pool] = &pools.adopt(pool->pick(items));
    for (const std::uint32_t i : items) here[pool]->names.push_back(pool->names[i]);
    here[pool]->each_constant([&](double number) { constants.push_back(number); });
    for (std::uint32_t i = 0; i < items.size(); ++i) place[pool][items[i]] = i;
  }
  std::vector<std::pair<const ElementPool*, ElementPool*>> made;
  for (const ElementPool* pool : network.elements) {
    const auto found = elements.find(pool);
    if (found == elements.end()) continue;
    ElementPool& some = pools.adopt(pool->pick(found->second));
    const auto connect = [&](const End& from, End& to) {
      to.bodies = from.bodies ? here[from.bodies] : nullptr;
      for (const std::uint32_t i : found->second) to.index.push_back(from.bodies ? place[from.bodies][from.index[i]] : 0);
    };
    connect(pool->a, some.a);
    connect(pool->b, some.b);
    some.each_constant([&](double number) { constants.push_back(number); });
    for (std::uint32_t i = 0; i < found->second.size(); ++i) places_.push_back({pool, &some, found->second[i], i});
    made.emplace_back(pool, &some);
  }
  world = World(std::move(pools));
  for (const Network::Push& push : network.pushes)
    if (const auto at = place.find(push.body.pool); at != place.end())
      if (const auto body = at->second.find(push.body.index); body != at->second.end())
        world.push({here[push.body.pool], body->second}, push.coordinate, push.force);
  start = world.start();
  for (const auto& [pool, items] : taken)
    for (std::size_t c = 0; !pool->is_given && c < pool->motion_numbers(); ++c)
      for (std::uint32_t i = 0; i < items.size(); ++i)
        start[here[pool]->motion.at(c, i)] = network.state[pool->motion.at(c, items[i])];
  for (const Place& at : places_)
    for (std::size_t c = 0; c < at.from->state_numbers(); ++c)
      start[at.to->state.at(c, at.to_index)] = network.state[at.from->state.at(c, at.from_index)];
  Workspace work(world);
  const Instant now = work.instant(0, start);
  for (const auto& [pool, some] : made)
    for (std::uint32_t i = 0; i < some->count(); ++i) {
      if (std::isfinite(some->gap(now, i))) contacts.push_back({some, i});
      else only_contacts = false;
    }
}

std::optional<Excerpt::Contact> Excerpt::find(const ElementPool* pool, std::uint32_t index) const {
  for (const Place& place : places_)
    if (place.from == pool && place.from_index == index) return Contact{place.to, place.to_index};
  return std::nullopt;
}

namespace trials {
namespace {

constexpr long most_steps = 40000;       // of one way through a strike
constexpr long most_in_search = 400000;  // while looking for a step that is short enough

/// An excerpt on its way.
struct Motion {
  Workspace work;
  RungeKutta stepper;
  std::vector<double> x;
  double t;
  double last_step = 0;  // s: what a law of sampled time is asked with
  double* left;          // of the work

  Motion(const World& of, Method method, const std::vector<double>& from, double at, double* work_left)
      : work(of), stepper(method, from.size()), x(from), t(at), left(work_left) {}
  bool may_go_on() const { return !left || *left > 0; }
  void step(double h) {
    stepper.step([this](double at, std::span<const double> y, double tau, std::span<double> dy) { work.rate(at, y, tau, dy); }, t,
                 h, x);
    t += h;
    last_step = h;
    work.between_steps(t, x);
    if (left) *left -= double(x.size());
  }
  /// Without the elements: through the air.
  void fly(double h) {
    stepper.step(
        [this](double at, std::span<const double> y, double, std::span<double> dy) {
          std::fill(dy.begin(), dy.end(), 0.0);
          work.free_rate(at, y, dy);
        },
        t, h, x);
    t += h;
    work.between_steps(t, x);
    if (left) *left -= double(x.size());
  }
  Watch watch(const Excerpt::Contact& contact) {
    return contact.pool->watch(work.instant(t, x), contact.pool->about().discrete ? last_step : 0, contact.index);
  }
  double gap(const Excerpt::Contact& contact) { return contact.pool->gap(work.instant(t, x), contact.index); }
};

bool finite(const Motion& motion) {
  return std::all_of(motion.x.begin(), motion.x.end(), [](double number) { return std::isfinite(number); });
}

/// To where the first of the contacts touches; which it is. One that starts in touch and closes has touched.
std::optional<std::size_t> fly(Excerpt& excerpt, std::span<const Excerpt::Contact> contacts, Motion& motion,
                               const StrikeOptions& options) {
  std::vector<bool> rests(contacts.size());
  const auto touching = [&]() -> std::optional<std::size_t> {
    std::optional<std::size_t> first;
    double fastest = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c)
      if (!rests[c] && motion.gap(contacts[c]) <= 0)
        if (const double rate = motion.watch(contacts[c]).gap_rate; rate < fastest) fastest = rate, first = c;
    return first;
  };
  if (const auto first = touching()) return first;
  bool apart = excerpt.only_contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c) rests[c] = motion.gap(contacts[c]) <= 0;
  for (const auto& contact : excerpt.contacts) apart = apart && motion.gap(contact) > 0;
  // A flight is a parabola, which steps of any length follow.
  double h = apart ? std::max(options.step, options.duration / 2000) : options.step / 4;
  for (long k = 0; k < most_steps && motion.t < options.duration && motion.may_go_on(); ++k) {
    const std::vector<double> before = motion.x;
    const double then = motion.t;
    apart ? motion.fly(h) : motion.step(h);
    const bool lost = !finite(motion);
    if (!lost && !touching()) continue;
    // Back, and on with half the step, until it is just there.
    if (h < 1e-9 * options.step) return lost ? std::nullopt : touching();
    motion.x = before;
    motion.t = then;
    h /= 2;
  }
  return std::nullopt;
}

struct Way {
  double end = 0;   // s: when the contact has let go
  double rate = 0;  // m/s: of the gap then
  bool let_go = false;
};

/// Through the strike with a step: until it has let go, or to a time.
Way through(Excerpt& excerpt, const Excerpt::Contact& contact, Method method, const Motion& from, double h,
            std::optional<double> until, long& steps) {
  Motion motion(excerpt.world, method, from.x, from.t, from.left);
  bool touched = false;
  for (long k = 0; k < most_steps && motion.may_go_on(); ++k, ++steps) {
    if (until && motion.t + h > *until + 1e-9 * h) {
      if (*until - motion.t > 1e-9 * h) motion.step(*until - motion.t);
      if (!finite(motion)) break;
      return {motion.t, motion.watch(contact).gap_rate, true};
    }
    motion.step(h);
    if (!finite(motion)) break;
    const Watch seen = motion.watch(contact);
    const bool open = seen.mode == Mode::open;
    touched = touched || !open;
    if (!until && touched && open && seen.gap_rate > 0) return {motion.t, seen.gap_rate, true};
  }
  return {motion.t, infinity, false};
}

}  // namespace

double Strike::error() const { return std::max(std::abs(lowest - restitution), std::abs(highest - restitution)); }

std::optional<Strike> first_strike(Excerpt& excerpt, std::span<const Excerpt::Contact> contacts, const StrikeOptions& options) {
  // A law of sampled time has no other method.
  bool sampled = false;
  for (const auto& contact : excerpt.contacts) sampled = sampled || contact.pool->about().discrete;
  const Method fine = sampled ? Method::step : Method::rk4;
  Motion touch(excerpt.world, fine, excerpt.start, 0, options.work);
  const auto which = fly(excerpt, contacts, touch, options);
  if (!which) return std::nullopt;
  const Excerpt::Contact& contact = contacts[*which];
  Strike strike{.contact = *which, .time = touch.t, .speed = -touch.watch(contact).gap_rate};
  const bool flown = touch.t > 0;

  // What is right: finer and finer, until it does not change.
  double h = options.step / 16;
  std::optional<double> last;
  long steps = 0;
  for (int round = 0;; ++round, h /= 4) {
    const Way way = through(excerpt, contact, fine, touch, h, std::nullopt, steps);
    const bool same = last && way.let_go && std::abs(way.rate - *last) <= 0.1 * options.tolerance * strike.speed;
    if (way.let_go) last = way.rate, strike.restitution = way.rate / strike.speed;
    if (same) break;
    if (round == 6 || !touch.may_go_on()) return std::nullopt;  // it sticks, or swings for long
  }

  // The same with a step of the method, as if it touched at different places of the step; both measured at the same time.
  const auto range = [&](double step) {
    std::pair<double, double> found{infinity, -infinity};
    for (const double phase : {0.0, 0.25, 0.5, 0.75}) {
      Motion from = touch;
      if (phase > 0 && !flown) break;
      if (phase > 0) sampled ? from.fly(-phase * step) : from.step(-phase * step);
      const Way right = through(excerpt, contact, fine, from, h, std::nullopt, steps);
      const double until = right.end + std::max(2 * step, 0.25 * (right.end - from.t));
      const Way after = through(excerpt, contact, fine, from, h, until, steps);
      const Way rough = through(excerpt, contact, options.method, from, step, until, steps);
      const double e = strike.restitution + (rough.rate - after.rate) / strike.speed;
      found = {std::min(found.first, e), std::max(found.second, e)};
      if (!rough.let_go) return std::pair{infinity, infinity};
    }
    return found;
  };
  std::tie(strike.lowest, strike.highest) = range(options.step);
  if (!touch.may_go_on()) return std::nullopt;
  if (strike.error() <= options.tolerance) return strike;
  double step = options.step;
  for (int round = 0; round < 14; ++round) {
    step /= std::sqrt(2.0);
    Strike shorter = strike;
    if (step < 2 * h || steps > most_in_search) break;  // as fine as what it is measured by, or too much work
    std::tie(shorter.lowest, shorter.highest) = range(step);
    if (!touch.may_go_on()) break;
    if (shorter.error() > 0.6 * options.tolerance) continue;
    strike.step = step;
    break;
  }
  return strike;
}

std::optional<Spin> free_spin(const BodyPool& pool, std::uint32_t index, const Network& network, const std::string& method,
                              double step, double duration, double tolerance) {
  Pools pools;
  BodyPool& one = pools.adopt(pool.pick(std::span(&index, 1)));
  World world(std::move(pools));
  std::vector<double> x = world.start();
  for (std::size_t c = 0; c < pool.motion_numbers(); ++c) x[one.motion.at(c, 0)] = network.state[pool.motion.at(c, index)];
  for (std::size_t c = 0; c < 3; ++c) x[one.motion.at(one.velocity_column(c), 0)] = 0;
  const double before = world.kinetic(x);
  if (!(before > 0)) return std::nullopt;
  // A sample of the motion tells what a step does on average. What falls is left out: only the spin is looked at.
  const auto after = [&](double h) {
    const double steps = std::min(400.0, std::ceil(duration / h));
    const auto integrator = make_integrator(method, world, {.step = h});
    std::vector<double> y = x;
    try {
      integrator->start(0, y);
      integrator->advance(steps * h);
    } catch (const IntegrationFailure&) {
      return infinity;
    }
    y.assign(integrator->state().begin(), integrator->state().end());
    for (std::size_t c = 0; c < 3; ++c) y[one.motion.at(one.velocity_column(c), 0)] = 0;
    const double share = world.kinetic(y) / before;
    return std::isfinite(share) ? std::pow(share, duration / (h * steps)) : infinity;
  };
  const auto off = [&](double energy) { return std::abs(energy - 1); };
  Spin spin{after(step), 0};
  double shorter = step;
  for (int round = 0; round < 30 && spin.step == 0 && off(spin.energy) > tolerance; ++round)
    if (shorter /= std::sqrt(2.0); off(after(shorter)) < 0.7 * tolerance) spin.step = shorter;
  return spin;
}

}  // namespace trials
}  // namespace asperity
