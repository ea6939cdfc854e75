#include "asperity/system/joined_pool.hpp"

namespace asperity {

JoinedPool::JoinedPool(std::unique_ptr<LawPool> laws, std::unique_ptr<ConnectionPool> connections)
    : laws_(std::move(laws)), connections_(std::move(connections)) {}

JoinedPool::Seen JoinedPool::seen(const Instant& now, std::size_t i) const noexcept {
  Seen found;
  connections_->gather(now, a, b, {i, i + 1, 1}, found.numbers);
  return found;
}

template <class S>
void JoinedPool::react_over(const InstantOf<S>& now, double tau, S* force, S* xdot) const {
  S seen[most_seen * at_once], push[most_pushed * at_once];
  const std::size_t all = count();
  for (std::size_t begin = 0; begin < all; begin += at_once) {
    const std::size_t end = std::min(begin + at_once, all);
    const Slice items{begin, end, end - begin};
    connections_->gather(now, a, b, items, seen);
    laws_->react(items, now.state, state, seen, tau, push, xdot);
    connections_->scatter(now, a, b, items, push, force);
  }
}
void JoinedPool::react(const Instant& now, double tau, double* force, double* xdot) const noexcept {
  react_over(now, tau, force, xdot);
}
void JoinedPool::react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8* xdot) const {
  react_over(now, tau, force, xdot);
}

void JoinedPool::transit(const Instant& now, double* x) const noexcept {
  if (!laws_->switches()) return;
  for (std::size_t i = 0; i < count(); ++i) {
    const Seen saw = seen(now, i);
    laws_->transit(at(now, i, saw), x);
  }
}

std::vector<Quantity> JoinedPool::quantities(std::size_t i) const {
  const bool turns = (a.bodies && a.bodies->turns) || (b.bodies && b.bodies->turns);
  std::vector<Quantity> list = laws_->quantities(i);
  if (turns)
    for (Quantity& one : list)
      one.unit = one.unit == "m" ? "rad" : one.unit == "N" ? "N m" : one.unit == "m/s" ? "rad/s" : one.unit;
  list.push_back({"power", "W"});
  list.push_back({"stored", "J"});
  return list;
}

void JoinedPool::read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const {
  const Seen saw = seen(now, i);
  values.clear();
  laws_->read(at(now, i, saw), tau, values);
  values.push_back(watch(now, tau, i).power);
  values.push_back(energy(now, i));
}

Watch JoinedPool::watch(const Instant& now, double tau, std::size_t i) const noexcept {
  Watch one;
  watch_some(now, tau, i, i + 1, &one);
  return one;
}
void JoinedPool::watch(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept {
  for (; begin < end; begin += at_once, all += at_once) watch_some(now, tau, begin, std::min(begin + at_once, end), all);
}
void JoinedPool::watch_some(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept {
  const Slice items{begin, end, end - begin};
  double seen[most_seen * at_once], push[most_pushed * at_once];
  LawWatch laws[at_once];
  EndPowers powers[at_once];
  connections_->gather(now, a, b, items, seen);
  laws_->watch(items, now.state, state, seen, tau, push, laws);
  connections_->powers(now, a, b, items, push, powers);
  const bool joint = connections_->own_numbers() > 0;
  for (std::size_t i = begin; i < end; ++i) {
    const LawWatch& law = laws[i - begin];
    const EndPowers& by = powers[i - begin];
    Watch watched{.mode = law.mode, .power = by.a + by.b, .by_course = 0, .gap_rate = law.gap_rate, .heat = 0};
    if (a.bodies && a.bodies->is_given) watched.by_course += by.a;
    if (b.bodies && b.bodies->is_given) watched.by_course += by.b;
    double after = law.energy_after, before = law.energy_before;
    if (joint) {
      after = connections_->stored(now, a, b, i, law.time) + after;
      before = connections_->stored(now, a, b, i, -law.time) + before;
    }
    watched.heat = watched.power - (after - before) / (2 * law.time);
    all[i - begin] = watched;
  }
}

double JoinedPool::energy(const Instant& now, std::size_t i) const noexcept {
  const Seen saw = seen(now, i);
  return connections_->stored(now, a, b, i, 0) + laws_->energy(at(now, i, saw));
}

void JoinedPool::push(const Instant& now, std::size_t i, const double* f, double* force) const noexcept {
  constexpr std::size_t most_own = 8;
  double all[most_own + most_pushed];
  const std::size_t own = connections_->own_numbers();
  std::copy_n(f, own, all);
  laws_->to_push(f + own, all + own);
  connections_->push(now, a, b, i, all, force);
}

void JoinedPool::relative(const Instant& now, std::size_t i, double* v) const noexcept {
  const Seen saw = seen(now, i);
  connections_->relative(now, a, b, i, v);
  laws_->relative(saw.numbers, v + connections_->own_numbers());
}

std::vector<Stiffness> JoinedPool::stiffness(const Instant& now, std::size_t i) const {
  const Seen saw = seen(now, i);
  std::vector<Stiffness> parts = connections_->stiffness(i);
  const bool in_joint = !parts.empty();
  for (Stiffness& part : laws_->stiffness(i, saw.numbers)) {
    if (in_joint) {
      part.part = "friction";
      part.first = int(connections_->own_numbers());
      part.turns = true;
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

double JoinedPool::gap(const Instant& now, std::size_t i) const noexcept { return laws_->gap(seen(now, i).numbers); }

double JoinedPool::resting_force(const Instant& now, std::size_t i) const noexcept {
  const double distance = gap(now, i);
  return std::isfinite(distance) ? laws_->carried(i, -distance) : 0;
}

double JoinedPool::friction_force(const Instant& now, std::size_t i) const noexcept {
  const Seen saw = seen(now, i);
  return laws_->friction_force(at(now, i, saw));
}

void JoinedPool::rest(const Instant& now, std::size_t i, const double* f, double* x) const {
  const Seen saw = seen(now, i);
  laws_->rest(at(now, i, saw), f + connections_->own_numbers(), x);
}

void JoinedPool::each_constant(const std::function<void(double)>& f) const {
  for (std::size_t i = 0; i < count(); ++i) {
    laws_->each_parameter_of(i, f);
    connections_->each_constant(i, f);
    f(laws_->load(i));
  }
}

std::unique_ptr<ElementPool> JoinedPool::pick(std::span<const std::uint32_t> elements) const {
  return std::make_unique<JoinedPool>(laws_->pick(elements), connections_->pick(elements));
}

}  // namespace asperity
