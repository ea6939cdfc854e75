// An element: a law between two ports. Motions of the bodies in, forces on the bodies out.
#pragma once

#include "asperity/spring.hpp"
#include "asperity/statics.hpp"
#include "asperity/system/connection.hpp"

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
    return {push(a, b, r.f), r.rate, r.f};
  }

  /// What a force of the law does to the bodies.
  using Push = typename Law::Force;
  constexpr Forces push(const A& a, const B& b, const Push& f) const noexcept {
    if constexpr (Law::about.kind == Kind::composite) return connection.forces(a, b, f.normal, f.tangential);
    // A contact law's force pushes apart: it is conjugate to minus the gap's rate.
    else if constexpr (Law::about.kind == Kind::contact) return connection.forces(a, b, -f);
    else return connection.forces(a, b, f);
  }
  /// The velocity conjugate to that force: their product is the power that flows in.
  constexpr Push relative(const A& a, const B& b) const noexcept {
    const auto seen = connection.motion(a, b);
    if constexpr (Law::about.kind == Kind::composite) return {-seen.rate, seen.slip};
    else if constexpr (Law::about.kind == Kind::contact) return -seen.v;
    else return seen.v;
  }

  constexpr Scalar energy(const State& z, const A& a, const B& b) const noexcept { return law.energy(z, input(a, b)); }

  /// The parts of its force, and how stiff they are here.
  std::vector<Stiffness> stiffness(const A& a, const B& b) const {
    std::vector<Stiffness> parts;
    [[maybe_unused]] const auto in = input(a, b);
    if constexpr (Law::about.kind == Kind::composite) {
      if constexpr (Static<decltype(law.normal)>) {
        parts.push_back(statics::stiffness(law.normal, -in.gap));
        parts.back().unilateral = true;
        parts.back().part = "normal";
      }
      if constexpr (Static<decltype(law.tangential)>) {
        parts.push_back(statics::at_speed(law.tangential, 1.0, magnitude(in.v)));
        parts.back().part = "tangential";
        parts.back().first = 1;
        parts.back().count = Law::dimension;
        parts.back().under_normal = true;
      }
    } else if constexpr (Static<Law>) {
      if constexpr (Law::about.kind == Kind::contact) parts.push_back(statics::stiffness(law, -in.gap));
      else if constexpr (Law::about.kind == Kind::spring) parts.push_back(statics::stiffness(law, in.x));
      else parts.push_back(statics::at_speed(law, load, magnitude(in.v)));
      parts.back().unilateral = Law::about.kind == Kind::contact;
      parts.back().count = Law::dimension;
    }
    return parts;
  }
  /// The stiffness of a contact that is indented by d, and how deep a strike goes; the normal part of it.
  Stiffness struck_stiffness(const Scalar& d) const {
    if constexpr (Law::about.kind == Kind::composite) {
      if constexpr (Static<decltype(law.normal)>) return statics::stiffness(law.normal, d);
    } else if constexpr (Law::about.kind == Kind::contact && Static<Law>) {
      return statics::stiffness(law, d);
    }
    return {};
  }
  Scalar strike_depth(const Scalar& energy, const Scalar& force) const {
    if constexpr (Law::about.kind == Kind::composite) return statics::strike_depth(law.normal, energy, force);
    else if constexpr (Law::about.kind == Kind::contact) return statics::strike_depth(law, energy, force);
    else return 0;
  }
  /// The indentation that carries N, what a contact carries that has been indented by d, and what it would carry as it is now.
  Scalar indentation(const Scalar& N) const {
    if constexpr (Law::about.kind == Kind::composite) return statics::indentation(law.normal, N);
    else if constexpr (Law::about.kind == Kind::contact) return statics::indentation(law, N);
    else return 0;
  }
  Scalar carried(const Scalar& d) const noexcept {
    if constexpr (Law::about.kind == Kind::composite) return statics::resting_force(law.normal, d);
    else if constexpr (Law::about.kind == Kind::contact) return statics::resting_force(law, d);
    else return 0;
  }
  Scalar gap(const A& a, const B& b) const noexcept {
    if constexpr (Law::about.kind == Kind::composite || Law::about.kind == Kind::contact) return input(a, b).gap;
    else return std::numeric_limits<Scalar>::infinity();
  }
  Scalar resting_force(const A& a, const B& b) const noexcept {
    if constexpr (Law::about.kind == Kind::composite || Law::about.kind == Kind::contact) return carried(-gap(a, b));
    else return 0;
  }
  /// The state in which the law, at rest, has the force f.
  State resting(const A& a, const B& b, const Push& f) const {
    if constexpr (Law::about.kind == Kind::composite)
      return {statics::indented(law.normal, std::max(0.0, -gap(a, b))),
              statics::holding(law.tangential, f.tangential, resting_force(a, b))};
    else if constexpr (Law::about.kind == Kind::contact) return statics::indented(law, std::max(0.0, -gap(a, b)));
    else if constexpr (Law::about.kind == Kind::friction) return statics::holding(law, f, load);
    else return law.start();
  }

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
