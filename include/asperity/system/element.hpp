// An element: a law between two ports. Motions of the bodies in, forces on the bodies out.
#pragma once

#include "asperity/laws.hpp"
#include "asperity/system/connection.hpp"
#include "asperity/system/spring.hpp"

namespace asperity {

template <class LawT, class ConnectionT>
struct Element {
  using Law = LawT;
  using Connection = ConnectionT;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;
  using A = typename Connection::A;
  using B = typename Connection::B;

  Law law{};
  Connection connection{};
  Scalar load = Scalar(1.0);  // of a friction law; a frictional contact finds its own

  using Forces = decltype([](const Connection& c, const A& a, const B& b, const typename Law::Force& f) {
    if constexpr (Law::about.kind == Kind::composite) return c.forces(a, b, f.normal, f.tangential);
    else return c.forces(a, b, f);
  }(Connection{}, A{}, B{}, typename Law::Force{}));

  struct Answer {
    Forces on;
    State rate;
    typename Law::Force force;
  };

  constexpr typename Law::Input input(const A& a, const B& b) const noexcept {
    const auto relative = connection.motion(a, b);
    if constexpr (Law::about.kind == Kind::composite) return {relative.gap, relative.rate, relative.slip};
    else if constexpr (Law::about.kind == Kind::contact || Law::about.kind == Kind::spring) return {relative.x, relative.v};
    else return {relative.v, load};
  }

  constexpr Answer react(const State& z, const A& a, const B& b, const Scalar& tau) const noexcept {
    const auto r = law.react(z, input(a, b), tau);
    if constexpr (Law::about.kind == Kind::composite) return {connection.forces(a, b, r.f.normal, r.f.tangential), r.rate, r.f};
    // A contact law's force pushes apart: it is conjugate to minus the gap's rate.
    else if constexpr (Law::about.kind == Kind::contact) return {connection.forces(a, b, -r.f), r.rate, r.f};
    else return {connection.forces(a, b, r.f), r.rate, r.f};
  }

  constexpr Scalar energy(const State& z, const A& a, const B& b) const noexcept { return law.energy(z, input(a, b)); }

  constexpr State start() const noexcept { return law.start(); }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    Law::states(field, z...);
  }
  template <class Field>
  constexpr void describe(Field&& field) {
    law.describe(field);
    connection.describe(field);
    if constexpr (Law::about.kind == Kind::friction)
      field("load", load, "1", nonnegative, "normal load that scales the friction limit");
  }
};

}  // namespace asperity
