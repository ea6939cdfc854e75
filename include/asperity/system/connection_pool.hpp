// The connections of a pool of elements, in columns: they gather what the laws see of the bodies, and scatter the forces of the
// laws over the bodies. Compiled once for each connection, whatever the laws.
#pragma once

#include "asperity/inner_loop.hpp"
#include "asperity/system/connection.hpp"
#include "asperity/system/element_pool.hpp"
#include "asperity/system/revolute.hpp"

namespace asperity {

/// Every number that a connection shows to a law: position and velocity along it, or the velocities of all directions, or gap, its
/// rate and slip.
template <class F, class Relative>
constexpr void each_seen(F&& f, Relative& seen) {
  if constexpr (requires { seen.gap; }) {
    f(seen.gap);
    f(seen.rate);
    each_number(f, seen.slip);
  } else {
    if constexpr (requires { seen.x; }) f(seen.x);
    each_number(f, seen.v);
  }
}
template <class Connection>
constexpr std::size_t seen_numbers() {
  std::size_t n = 0;
  typename Connection::Relative seen{};
  each_seen([&](auto&) { ++n; }, seen);
  return n;
}
/// The numbers of a law's force that it brings to the bodies.
template <class Connection>
constexpr std::size_t pushed_numbers() {
  std::size_t n = 0;
  typename Connection::Relative seen{};
  if constexpr (requires { seen.gap; }) ++n, each_number([&](auto&) { ++n; }, seen.slip);
  else each_number([&](auto&) { ++n; }, seen.v);
  return n;
}
/// The most that any connection shows, and the most numbers of a law's force.
inline constexpr std::size_t most_seen = 5, most_pushed = 4;

/// A connection that has a force of its own: a joint.
template <class Connection>
concept Joint = requires {
  typename Connection::Own;
};

/// The force of a law, number by number, on both ends.
template <class Connection, class S>
constexpr auto end_forces(const Connection& connection, const typename Connection::A& a, const typename Connection::B& b,
                          const S* push, std::size_t stride) noexcept {
  using Relative = typename Connection::Relative;
  if constexpr (requires(Relative seen) { seen.slip; }) {
    decltype(Relative::slip) f{};
    std::size_t c = 1;
    each_number([&](S& number) { number = push[c++ * stride]; }, f);
    return connection.forces(a, b, push[0], f);
  } else {
    decltype(Relative::v) f{};
    std::size_t c = 0;
    each_number([&](S& number) { number = push[c++ * stride]; }, f);
    return connection.forces(a, b, f);
  }
}

/// Power that an element takes from each of its ends.
struct EndPowers {
  double a, b;
};

class ConnectionPool {
 public:
  virtual ~ConnectionPool() = default;
  virtual std::size_t count() const noexcept = 0;

  /// What the laws see of the bodies.
  virtual void gather(const InstantOf<double>& now, const End& a, const End& b, const Slice& items,
                      double* seen) const noexcept = 0;
  virtual void gather(const InstantOf<Dual8>& now, const End& a, const End& b, const Slice& items, Dual8* seen) const = 0;
  /// Adds the forces of the laws, and those of a joint itself, to those of the bodies.
  virtual void scatter(const InstantOf<double>& now, const End& a, const End& b, const Slice& items, const double* push,
                       double* force) const noexcept = 0;
  virtual void scatter(const InstantOf<Dual8>& now, const End& a, const End& b, const Slice& items, const Dual8* push,
                       Dual8* force) const = 0;
  virtual void powers(const Instant& now, const End& a, const End& b, const Slice& items, const double* push,
                      EndPowers* all) const noexcept = 0;

  // A joint has numbers of its own ahead of those of its law.
  virtual std::size_t own_numbers() const noexcept = 0;
  /// Stored in a joint now, and where its motion leads in a short time.
  virtual double stored(const Instant& now, const End& a, const End& b, std::size_t i, double ahead) const noexcept = 0;
  /// Adds forces of all numbers, those of the joint first.
  virtual void push(const Instant& now, const End& a, const End& b, std::size_t i, const double* f,
                    double* force) const noexcept = 0;
  virtual void relative(const Instant& now, const End& a, const End& b, std::size_t i, double* own) const noexcept = 0;
  virtual std::vector<Stiffness> stiffness(std::size_t i) const = 0;

  virtual void each_constant(std::size_t i, const std::function<void(double)>& f) const = 0;
  virtual std::unique_ptr<ConnectionPool> pick(std::span<const std::uint32_t> items) const = 0;
};

template <class Connection>
class ConnectionsOf final : public ConnectionPool {
 public:
  using A = typename Connection::A;
  using B = typename Connection::B;
  std::vector<Connection> items;

  std::size_t count() const noexcept override { return items.size(); }
  ASPERITY_INNER_LOOP void gather(const InstantOf<double>& now, const End& a, const End& b, const Slice& some,
                                  double* seen) const noexcept override {
    gather_over<Connection>(now, a, b, some, seen);
  }
  ASPERITY_INNER_LOOP void gather(const InstantOf<Dual8>& now, const End& a, const End& b, const Slice& some,
                                  Dual8* seen) const override {
    gather_over<Over<Connection, Dual8>>(now, a, b, some, seen);
  }
  ASPERITY_INNER_LOOP void scatter(const InstantOf<double>& now, const End& a, const End& b, const Slice& some, const double* push,
                                   double* force) const noexcept override {
    scatter_over<Connection>(now, a, b, some, push, force);
  }
  ASPERITY_INNER_LOOP void scatter(const InstantOf<Dual8>& now, const End& a, const End& b, const Slice& some, const Dual8* push,
                                   Dual8* force) const override {
    scatter_over<Over<Connection, Dual8>>(now, a, b, some, push, force);
  }
  ASPERITY_INNER_LOOP void powers(const Instant& now, const End& a, const End& b, const Slice& some, const double* push,
                                  EndPowers* all) const noexcept override {
    for (std::size_t i = some.begin; i < some.end; ++i) {
      const A at_a = motion_of<A>(a, now, i);
      const B at_b = motion_of<B>(b, now, i);
      const auto on = end_forces(items[i], at_a, at_b, push + some.at(0, i), some.stride);
      *all++ = {-power_of(on.a, at_a), -power_of(on.b, at_b)};
    }
  }

  std::size_t own_numbers() const noexcept override {
    if constexpr (Joint<Connection>) return own_count;
    else return 0;
  }
  double stored([[maybe_unused]] const Instant& now, [[maybe_unused]] const End& a, [[maybe_unused]] const End& b,
                [[maybe_unused]] std::size_t i, [[maybe_unused]] double ahead) const noexcept override {
    if constexpr (Joint<Connection>) {
      A at_a = motion_of<A>(a, now, i);
      B at_b = motion_of<B>(b, now, i);
      if (ahead != 0) at_a = moved(at_a, ahead), at_b = moved(at_b, ahead);
      return items[i].stored(at_a, at_b);
    } else {
      return 0;
    }
  }
  void push(const Instant& now, const End& a, const End& b, std::size_t i, const double* f, double* force) const noexcept override {
    const A at_a = motion_of<A>(a, now, i);
    const B at_b = motion_of<B>(b, now, i);
    if constexpr (Joint<Connection>) {
      typename Connection::Own own{};
      const double* number = f;
      own.each([&](double& x) { x = *number++; });
      give(items[i].push(at_a, at_b, own, *number), a, b, i, force);
    } else {
      give(end_forces(items[i], at_a, at_b, f, 1), a, b, i, force);
    }
  }
  void relative([[maybe_unused]] const Instant& now, [[maybe_unused]] const End& a, [[maybe_unused]] const End& b,
                [[maybe_unused]] std::size_t i, [[maybe_unused]] double* own) const noexcept override {
    if constexpr (Joint<Connection>) {
      auto v = items[i].relative(motion_of<A>(a, now, i), motion_of<B>(b, now, i));
      v.each([&](double& x) { *own++ = x; });
    }
  }
  std::vector<Stiffness> stiffness([[maybe_unused]] std::size_t i) const override {
    if constexpr (Joint<Connection>) return items[i].stiffness();
    else return {};
  }

  void each_constant(std::size_t i, const std::function<void(double)>& f) const override {
    Connection copy = items[i];
    each_parameter(copy, [&](double number) { f(number); });
  }
  std::unique_ptr<ConnectionPool> pick(std::span<const std::uint32_t> some) const override {
    auto picked = std::make_unique<ConnectionsOf>();
    for (const std::uint32_t i : some) picked->items.push_back(items[i]);
    return picked;
  }

 private:
  static constexpr std::size_t own_count = [] {
    std::size_t n = 0;
    if constexpr (Joint<Connection>) {
      typename Connection::Own own{};
      own.each([&](double&) { ++n; });
    }
    return n;
  }();

  /// Item i over any scalar.
  template <class ConnectionT>
  decltype(auto) item(std::size_t i) const noexcept {
    if constexpr (std::is_same_v<ConnectionT, Connection>) return (items[i]);
    else return over<Dual8>(items[i]);
  }
  template <class ConnectionT, class S>
  void gather_over(const InstantOf<S>& now, const End& a, const End& b, const Slice& some, S* seen) const noexcept {
    for (std::size_t i = some.begin; i < some.end; ++i) {
      const auto& connection = item<ConnectionT>(i);
      auto relative =
          connection.motion(motion_of<typename ConnectionT::A>(a, now, i), motion_of<typename ConnectionT::B>(b, now, i));
      std::size_t c = 0;
      each_seen([&](S& number) { seen[some.at(c++, i)] = number; }, relative);
    }
  }
  template <class ConnectionT, class S>
  void scatter_over(const InstantOf<S>& now, const End& a, const End& b, const Slice& some, const S* push,
                    S* force) const noexcept {
    for (std::size_t i = some.begin; i < some.end; ++i) {
      const auto& connection = item<ConnectionT>(i);
      give(end_forces(connection, motion_of<typename ConnectionT::A>(a, now, i), motion_of<typename ConnectionT::B>(b, now, i),
                      push + some.at(0, i), some.stride),
           a, b, i, force);
    }
  }
  template <class Forces, class S>
  static void give(const Forces& on, const End& a, const End& b, std::size_t i, S* force) noexcept {
    if (a.bodies) add(force, a.bodies->force, a.index[i], on.a);
    if (b.bodies) add(force, b.bodies->force, b.index[i], on.b);
  }
  template <class Force, class Motion>
  static double power_of(const Force& f, const Motion& m) noexcept {
    if constexpr (requires { f.m; }) return dot(f.f, m.v) + dot(f.m, m.w);
    else return dot(f, m.v);
  }
  /// Where a motion leads in a short time.
  template <class Motion>
  static Motion moved(Motion m, double time) noexcept {
    m.p = m.p + time * m.v;
    if constexpr (requires { m.q; }) {
      const auto turn = RigidBody<double>::turning(m);
      m.q.w += time * turn.w;
      m.q.u = m.q.u + time * turn.u;
    }
    return m;
  }
};

extern template class ConnectionsOf<Line<double>>;
extern template class ConnectionsOf<Axis<double, 2>>;
extern template class ConnectionsOf<Axis<double, 3>>;
extern template class ConnectionsOf<Surface<double, 2>>;
extern template class ConnectionsOf<Surface<double, 3>>;
extern template class ConnectionsOf<PointPlane<double, 2>>;
extern template class ConnectionsOf<PointPlane<double, 3>>;
extern template class ConnectionsOf<BallPlane<double, false>>;
extern template class ConnectionsOf<BallPlane<double, true>>;
extern template class ConnectionsOf<BallBall<double>>;
extern template class ConnectionsOf<PointPoint<double>>;
extern template class ConnectionsOf<Revolute<double>>;

}  // namespace asperity
