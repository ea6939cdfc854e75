// Contacts among bodies that have shapes: which points touch is found while they move.
//
// A pair of shapes has as many slots as they can have points in common, and each slot is an element of the world: a law of its own
// with its state, and the name of the point that it stands for, which changes between steps only. Gaps, normals and weights
// are functions of the poses, at every stage of a step. Deflections are vectors in the world that turn with the normal and with the
// mean spin of the two bodies about it: what rolls does not bend them.
#pragma once

#include "asperity/shapes/meet.hpp"
#include "asperity/shapes/moving.hpp"
#include "asperity/system/world.hpp"

namespace asperity {

/// Two shapes, each fixed to a body. Not two bodies on given courses.
struct ShapePair {
  BodyId a;
  Shape shape_a;
  BodyId b;
  Shape shape_b;
};

/// A place at which a slot of a pair acts.
template <class S>
struct SlotPlace {
  MeetingPoint<S> point{};
  VecN<S, 3> turning{};  // of the frame of its deflection, 1/s
  bool on = false;
  bool borrows = false;   // it has no name yet: its state is a mean of those that have one
  bool inherits = false;  // it takes the slot of the one point that is gone from the same place, with its state
  unsigned from = 0;      // of whom it borrows, a bit for each slot: points that are gone from the same edges; 0: of all
};

class ShapeContacts final : public ElementPool {
 public:
  /// All pairs follow the law of item 0 of `law`; their bodies are of the same two pools.
  ShapeContacts(const LawPool& law, std::span<const ShapePair> pairs);

  const LawPool& laws() const noexcept { return *laws_; }
  std::size_t pairs() const noexcept { return pairs_.size(); }
  /// Of slot i: its pair, and where it is now, if it is anywhere.
  std::size_t pair_of(std::size_t i) const noexcept { return pair_of_[i]; }
  SlotPlace<double> place(const Instant& now, std::size_t i) const noexcept;
  /// The most that the shapes of a pair overlap; negative: they do not.
  double overlap(const Instant& now, std::size_t pair) const noexcept;

  std::size_t count() const noexcept override { return pair_of_.size(); }
  std::size_t state_numbers() const noexcept override { return law_numbers_ + 1; }
  void write_start(double* x) const noexcept override;
  void react(const Instant& now, double tau, double* force, double* xdot) const noexcept override;
  void react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8* xdot) const override;
  bool has_derivatives() const noexcept override { return laws_->has_derivatives(); }
  bool switches() const noexcept override { return laws_->switches(); }
  void transit(const Instant& now, double* x) const noexcept override;
  bool hands_over() const noexcept override { return true; }

  const About& about() const noexcept override { return laws_->about(); }
  std::vector<Quantity> quantities(std::size_t i) const override;
  void read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const override;
  Watch watch(const Instant& now, double tau, std::size_t i) const noexcept override;
  void watch(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept override;
  double energy(const Instant& now, std::size_t i) const noexcept override;

  std::size_t force_numbers() const noexcept override { return laws_->force_numbers(); }
  void push(const Instant& now, std::size_t i, const double* f, double* force) const noexcept override;
  void relative(const Instant& now, std::size_t i, double* v) const noexcept override;
  std::vector<Stiffness> stiffness(const Instant& now, std::size_t i) const override;
  double gap(const Instant& now, std::size_t i) const noexcept override;
  double indentation(std::size_t i, double N) const override { return laws_->indentation(i, N / share_[i]); }
  double carried(std::size_t i, double depth) const noexcept override { return share_[i] * laws_->carried(i, depth); }
  double resting_force(const Instant& now, std::size_t i) const noexcept override;
  double strike_depth(std::size_t i, double energy_in, double load) const override {
    return laws_->strike_depth(i, energy_in / share_[i], load / share_[i]);
  }
  Stiffness struck_stiffness(std::size_t i, double depth) const override;
  double room(std::size_t i) const noexcept override { return pairs_[pair_of_[i]].room; }
  double friction_force(const Instant& now, std::size_t i) const noexcept override;
  void rest(const Instant& now, std::size_t i, const double* f, double* x) const override;

  void each_constant(const std::function<void(double)>& f) const override;
  std::unique_ptr<ElementPool> pick(std::span<const std::uint32_t> elements) const override;

 private:
  static constexpr int most = Meeting<double>::most;
  struct Pair {
    Shape a, b;
    std::size_t first;  // of its slots
    int slots;
    double reach, margin;  // beyond these no point can touch, and no point is kept
    double room;
  };
  template <class S>
  using Places = std::array<SlotPlace<S>, most>;
  struct Seen {
    double numbers[most_seen];
  };
  ShapeContacts();
  void add(const Shape& shape_a, const Shape& shape_b, std::uint32_t body_a, std::uint32_t body_b, const std::string& name);

  /// Where the shapes of a pair meet, and how that changes.
  const Meeting<Moving<double>>& meeting_of(std::size_t pair, const Frame<double>& a, const Frame<double>& b) const noexcept;
  /// How far apart the balls around the two shapes are.
  template <class S>
  MeetingPoint<S> between_balls(const Pair& pair, const Pose<S>& at_a, const Pose<S>& at_b) const noexcept;
  /// Where the slots of a pair are; the first also says how far apart the shapes are where there is no point. False: far apart.
  template <class S>
  bool look(const S* x, const Columns& columns, std::size_t p, const Frame<S>& a, const Frame<S>& b,
            Places<S>& places) const noexcept;
  template <class S>
  void assign(const S* x, const Columns& columns, std::size_t p, const Meeting<S>& meeting, const Meeting<Moving<double>>& rates,
              const Frame<S>& a, const Frame<S>& b, Places<S>& places) const noexcept;
  template <class S>
  void react_over(const InstantOf<S>& now, double tau, S* force, S* xdot) const;
  template <class S>
  void react_pair(const S* x, const Columns& columns, std::size_t p, const Frame<S>& a, const Frame<S>& b, double tau,
                  Wrench<S>& on_a, Wrench<S>& on_b, S* xdot) const;
  void react_constant(const Dual8* x, std::size_t p, const Frame<Dual8>& a, const Frame<Dual8>& b, double tau, Wrench<Dual8>& on_a,
                      Wrench<Dual8>& on_b, Dual8* xdot) const;
  /// The state of a slot for its law: its own, or in `scratch` the mean of those that it borrows from.
  template <class S>
  std::pair<const S*, Columns> state_of(const S* x, const Columns& columns, std::size_t i, const SlotPlace<S>& place,
                                        std::vector<S>& scratch) const;
  Seen seen(const Frame<double>& a, const Frame<double>& b, const MeetingPoint<double>& at) const noexcept;
  Watch watch_slot(const Instant& now, double tau, std::size_t i, const SlotPlace<double>& place) const noexcept;
  double label(const double* x, std::size_t i) const noexcept { return x[state.at(law_numbers_, i)]; }

  std::uint64_t number_;  // of this pool
  std::unique_ptr<LawPool> laws_;
  std::size_t law_numbers_ = 0;
  std::vector<std::size_t> vectors_;  // columns in which deflections begin
  std::vector<double> fresh_;         // the state of a slot that has touched nothing
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> pair_of_;
  std::vector<double> share_;  // of a slot, when its shapes lie flat on each other
};

/// Contacts of one law among shapes: a pool for each kind of bodies. `names` has one for each pair, "upper-lower"; its slots are
/// upper-lower.1, upper-lower.2, ...
std::vector<ElementPool*> add_contacts(World& world, const LawPool& law, std::span<const ShapePair> pairs,
                                       std::span<const std::string> names);

template <class Law>
requires(Law::about.kind == Kind::composite &&
         Law::dimension == 3) std::vector<ElementPool*> add_contacts(World& world, const Law& law, std::span<const ShapePair> pairs,
                                                                     std::span<const std::string> names) {
  LawsOf<Law> laws;
  laws.items.push_back(law);
  laws.loads.push_back(1);
  laws.seen_numbers = most_seen;
  return add_contacts(world, static_cast<const LawPool&>(laws), pairs, names);
}

}  // namespace asperity
