// Elements made of a law and a connection: gather the motion, react, scatter the force.
#pragma once

#include "asperity/system/connection_pool.hpp"
#include "asperity/system/law_pool.hpp"

namespace asperity {

/// Whether a law can stand behind a connection: it sees what it needs.
template <class Law, class Connection>
constexpr bool fits() {
  using Relative = typename Connection::Relative;
  constexpr bool has_gap = requires(Relative seen) { seen.gap; };
  constexpr bool has_position = requires(Relative seen) { seen.x; };
  if constexpr (Law::about.kind == Kind::composite) return has_gap;
  else if constexpr (has_gap) return false;
  else if constexpr (Law::about.kind == Kind::friction) return std::is_same_v<decltype(Relative::v), decltype(Law::Input::v)>;
  else return has_position;
}

class JoinedPool final : public ElementPool {
 public:
  JoinedPool(std::unique_ptr<LawPool> laws, std::unique_ptr<ConnectionPool> connections);

  LawPool& laws() noexcept { return *laws_; }
  const LawPool& laws() const noexcept { return *laws_; }
  ConnectionPool& connections() noexcept { return *connections_; }
  const ConnectionPool& connections() const noexcept { return *connections_; }

  std::size_t count() const noexcept override { return laws_->count(); }
  std::size_t state_numbers() const noexcept override { return laws_->state_numbers(); }
  void write_start(double* x) const noexcept override { laws_->write_start(x, state); }
  void react(const Instant& now, double tau, double* force, double* xdot) const noexcept override;
  void react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8* xdot) const override;
  bool has_derivatives() const noexcept override { return laws_->has_derivatives(); }
  bool switches() const noexcept override { return laws_->switches(); }
  void transit(const Instant& now, double* x) const noexcept override;

  const About& about() const noexcept override { return laws_->about(); }
  std::vector<Quantity> quantities(std::size_t i) const override;
  void read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const override;
  Watch watch(const Instant& now, double tau, std::size_t i) const noexcept override;
  void watch(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept override;
  double energy(const Instant& now, std::size_t i) const noexcept override;

  std::size_t force_numbers() const noexcept override { return connections_->own_numbers() + laws_->force_numbers(); }
  void push(const Instant& now, std::size_t i, const double* f, double* force) const noexcept override;
  void relative(const Instant& now, std::size_t i, double* v) const noexcept override;
  std::vector<Stiffness> stiffness(const Instant& now, std::size_t i) const override;
  double gap(const Instant& now, std::size_t i) const noexcept override;
  double indentation(std::size_t i, double N) const override { return laws_->indentation(i, N); }
  double carried(std::size_t i, double depth) const noexcept override { return laws_->carried(i, depth); }
  double resting_force(const Instant& now, std::size_t i) const noexcept override;
  double strike_depth(std::size_t i, double energy_in, double load) const override {
    return laws_->strike_depth(i, energy_in, load);
  }
  Stiffness struck_stiffness(std::size_t i, double depth) const override { return laws_->struck_stiffness(i, depth); }
  double friction_force(const Instant& now, std::size_t i) const noexcept override;
  void rest(const Instant& now, std::size_t i, const double* f, double* x) const override;

  void each_constant(const std::function<void(double)>& f) const override;
  std::unique_ptr<ElementPool> pick(std::span<const std::uint32_t> elements) const override;

 private:
  static constexpr std::size_t at_once = 16;  // what is handed from connections to laws and back stays in the cache
  void watch_some(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept;
  /// What element i sees, for as long as it is looked at.
  struct Seen {
    double numbers[most_seen];
  };
  Seen seen(const Instant& now, std::size_t i) const noexcept;
  LawAt at(const Instant& now, std::size_t i, const Seen& seen) const noexcept { return {i, now.state, state, seen.numbers}; }
  template <class S>
  void react_over(const InstantOf<S>& now, double tau, S* force, S* xdot) const;

  std::unique_ptr<LawPool> laws_;
  std::unique_ptr<ConnectionPool> connections_;
};

}  // namespace asperity
