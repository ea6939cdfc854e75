// Trials before a run: a piece of the world, taken out, does what it is about to do, with the method and step of the run and with a
// fine one. What differs is the method's doing, whatever the law.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/setup/network.hpp"

namespace asperity {

/// Some bodies of a network, with the elements between them, and between them and what does not follow forces, and their pushes.
class Excerpt {
 public:
  /// `bodies`: pool and index. An arm is taken whole.
  Excerpt(const Network& network, const std::vector<std::pair<const BodyPool*, std::uint32_t>>& bodies);

  struct Contact {
    const ElementPool* pool;  // of the excerpt
    std::uint32_t index;
  };
  /// An element of the network, here; none if it is not here.
  std::optional<Contact> find(const ElementPool* pool, std::uint32_t index) const;

  World world;
  std::vector<double> start;      // as in the network
  std::vector<Contact> contacts;  // those with a gap
  bool only_contacts = true;      // no other elements
  std::vector<double> constants;  // of all its parts: equal excerpts have equal ones

 private:
  struct Place {
    const ElementPool *from, *to;
    std::uint32_t from_index, to_index;
  };
  std::vector<Place> places_;
};

namespace trials {

/// A strike as the run will see it.
struct Strike {
  std::size_t contact = 0;         // the one that touches first
  double time = 0, speed = 0;      // s, m/s: when and how fast it touches
  double restitution = 0;          // as fine steps find it
  double lowest = 0, highest = 0;  // with the step of the run, wherever in a step it touches; not finite if it does not come back
  double step = 0;                 // a step that is good enough; 0 if none is found

  double error() const;
};
struct StrikeOptions {
  Method method = Method::rk4;
  double step = 1e-3, duration = 1;
  double tolerance = 4e-3;  // of the restitution
  double* work = nullptr;   // numbers of states that may still be stepped, by all trials together; null: no bound but their own
};
/// The first strike among some contacts of an excerpt. None if nothing touches, if it does not come back, or if it would take too
/// long to find out.
std::optional<Strike> first_strike(Excerpt& excerpt, std::span<const Excerpt::Contact> contacts, const StrikeOptions& options);

/// What a method makes of the free spin of a body in a number of steps: the energy of the spin after over before.
struct Spin {
  double energy = 1;  // after the whole run
  double step = 0;    // that keeps it; 0 if none is found
};
std::optional<Spin> free_spin(const BodyPool& pool, std::uint32_t index, const Network& network, const std::string& method,
                              double step, double duration, double tolerance);

}  // namespace trials
}  // namespace asperity
