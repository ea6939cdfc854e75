// An inclusion that has been read: its numbers, and what they are around the start.
#include "asperity/inclusion/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace asperity {

// --- evaluation -----------------------------------------------------------------------------------------------------------------

std::string TextInclusion::result_name(const SgnTerm& term, std::size_t component) {
  return term.theta.size() == 1 ? term.name : term.name + "xyz"[component];
}

std::vector<std::string> TextInclusion::state_names() const {
  std::vector<std::string> names;
  for (const State& state : states_) names.push_back(state.name);
  for (const DioTerm& term : dios_) names.push_back(term.name + ".e");
  for (const SgnTerm& term : sgns_)
    for (std::size_t k = 0; k < term.theta.size(); ++k)
      names.push_back(term.theta.size() == 1 ? term.name + ".a" : term.name + ".a." + "xyz"[k]);
  return names;
}

std::vector<double> TextInclusion::start() const {
  std::vector<double> x;
  for (const State& state : states_) x.push_back(state.start);
  x.insert(x.end(), loaded_.begin(), loaded_.end());
  x.resize(size());
  return x;
}

void TextInclusion::prepare() {
  std::vector<std::string> names{"t"};
  for (const State& state : states_) names.push_back(state.name);
  for (const DioTerm& term : dios_) names.push_back(term.name);
  for (const SgnTerm& term : sgns_) {
    first_.push_back(sgn_numbers_);
    sgn_numbers_ += term.theta.size();
    for (std::size_t k = 0; k < term.theta.size(); ++k) names.push_back(result_name(term, k));
  }
  tape_ = Tape(std::move(names));
  for (const DioTerm& term : dios_) psi_.push_back(tape_.add(term.psi.with(let_)));
  after_psi_ = tape_.size();
  for (const SgnTerm& term : sgns_) {
    chi_.push_back(tape_.add(term.chi.with(let_)));
    for (const Formula& theta : term.theta) theta_.push_back(tape_.add(theta.with(let_)));
  }
  after_theta_ = tape_.size();
  for (const State& state : states_) rate_.push_back(tape_.add(state.rate.with(let_)));
  work_ = work<double>();
  dual_work_ = work<Dual<8>>();
}

template <class S>
TextInclusion::Work<S> TextInclusion::work() const {
  return tape_.numbers<S>();
}

template <class S>
void TextInclusion::rate(const S& t, const S* x, double tau, S* xdot, Work<S>& work) const {
  // Apart, so that the compiler knows the look-ahead of an ODE.
  if (tau == 0) evaluate(t, x, S(0.0), xdot, work.data());
  else evaluate(t, x, S(tau), xdot, work.data());
}

template <class S>
void TextInclusion::evaluate(const S& t, const S* x, const S& tau, S* xdot, S* numbers) const {
  const std::size_t n = states_.size(), m = dios_.size();
  numbers[0] = t;
  std::copy_n(x, n, numbers + 1);
  Terms<S, 0> terms(x + n, x + n + m, xdot + n, xdot + n + m, tau);
  S* result = numbers + 1 + n;
  tape_.run(0, after_psi_, numbers);
  for (std::size_t i = 0; i < m; ++i) *result++ = terms.dio(numbers[psi_[i]], dios_[i].by);
  tape_.run(after_psi_, after_theta_, numbers);
  const std::uint32_t* theta = theta_.data();
  for (std::size_t i = 0; i < sgns_.size(); ++i) {
    const S& chi = numbers[chi_[i]];
    const auto vector = [&]<int D>(std::integral_constant<int, D>) {
      VecN<S, D> v;
      for (S& part : v.x) part = numbers[*theta++];
      for (const S& part : terms.sgn(chi, v, sgns_[i].by).x) *result++ = part;
    };
    if (sgns_[i].theta.size() == 1) *result++ = terms.sgn(chi, numbers[*theta++], sgns_[i].by);
    else if (sgns_[i].theta.size() == 2) vector(std::integral_constant<int, 2>());
    else vector(std::integral_constant<int, 3>());
  }
  tape_.run(after_theta_, tape_.size(), numbers);
  for (std::size_t i = 0; i < n; ++i) xdot[i] = numbers[rate_[i]];
}

template TextInclusion::Work<double> TextInclusion::work() const;
template TextInclusion::Work<Dual<1>> TextInclusion::work() const;
template TextInclusion::Work<Dual<8>> TextInclusion::work() const;
template void TextInclusion::rate(const double&, const double*, double, double*, Work<double>&) const;
template void TextInclusion::rate(const Dual<1>&, const Dual<1>*, double, Dual<1>*, Work<Dual<1>>&) const;
template void TextInclusion::rate(const Dual<8>&, const Dual<8>*, double, Dual<8>*, Work<Dual<8>>&) const;

void TextInclusion::follow(double t, const double* x, const double* xdot, Work<Dual<1>>& course) const {
  course[0] = Dual<1>::variable(t, 0);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    course[1 + i] = Dual<1>(x[i]);
    course[1 + i].v[0] = xdot[i];
  }
  tape_.run(0, after_psi_, course.data());
}

// --- around the start -----------------------------------------------------------------------------------------------------------

void TextInclusion::look_around() {
  const std::size_t n = states_.size();
  const std::vector<double> x = start();
  std::vector<double> xdot(x.size());
  rate(0.0, x.data(), 0, xdot.data(), work_);
  // The first numbers: t, the states, the results.
  const auto by_states = [&](std::uint32_t value) {
    Slopes list;
    for (const auto& [place, slope] : tape_.gradient(value, work_.data()))
      if (place >= 1 && place <= n) list.emplace_back(place - 1, slope);
    std::reverse(list.begin(), list.end());
    return list;
  };
  push_.assign(dios_.size() + sgn_numbers_, {});
  seen_.clear();
  std::vector<Slopes> rates;
  for (std::size_t i = 0; i < n; ++i) {
    for (const auto& [place, slope] : tape_.gradient(rate_[i], work_.data()))
      if (place > n) push_[place - 1 - n].emplace_back(i, slope);
    rates.push_back(by_states(rate_[i]));
  }
  for (const std::uint32_t psi : psi_) {
    // A push changes velocities, psi depends on positions: how the rate of psi changes with the motion.
    std::map<std::size_t, double> closing;
    for (const auto& [i, slope] : by_states(psi))
      for (const auto& [j, faster] : rates[i]) closing[j] -= slope * faster;
    seen_.emplace_back(closing.begin(), closing.end());
  }
  for (const std::uint32_t theta : theta_) seen_.push_back(by_states(theta));
}

/// The states of the terms at rest, for the motion as it is given: a contact has relaxed at its indentation, e = -psi; friction
/// that slides is at its limit; friction that holds bears what keeps its theta from changing, by projected Gauss-Seidel.
bool TextInclusion::load() {
  const std::size_t n = states_.size(), m = dios_.size();
  std::vector<double> x = start(), xdot(x.size());
  rate(0.0, x.data(), 0, xdot.data(), work_);
  for (std::size_t i = 0; i < m; ++i) x[n + i] = std::max(0.0, -psi(i, work_));
  rate(0.0, x.data(), 0, xdot.data(), work_);

  double* force = work_.data() + 1 + n + m;
  std::vector<std::size_t> holding;
  for (std::size_t i = 0; i < sgns_.size(); ++i) {
    double speed = 0;
    const std::size_t first = first_[i], end = first + sgns_[i].theta.size();
    for (std::size_t k = first; k < end; ++k) speed = std::hypot(speed, theta(k, work_));
    for (std::size_t k = first; k < end; ++k) force[k] = speed > 0 ? chi(i, work_) * theta(k, work_) / speed : 0;
    if (speed == 0 && sgns_[i].mass > 0) holding.push_back(i);
  }
  tape_.run(after_theta_, tape_.size(), work_.data());
  std::vector<double> rates;
  for (const std::uint32_t place : rate_) rates.push_back(work_[place]);
  std::vector<double> in_time(sgn_numbers_, 0.0);  // how a theta changes without the states
  for (std::size_t k = 0; k < sgn_numbers_; ++k)
    for (const auto& [place, slope] : tape_.gradient(theta_[k], work_.data()))
      if (place == 0) in_time[k] = slope;

  double change = 1, size = 0;
  for (int sweep = 0; sweep < 10000 && change > 1e-15 * size; ++sweep) {
    change = 0;
    for (const std::size_t i : holding) {
      std::vector<double> next;
      double length = 0;
      for (std::size_t k = 0; k < sgns_[i].theta.size(); ++k) {
        const std::size_t place = first_[i] + k;
        double faster = in_time[place];
        for (const auto& [state, slope] : seen_[m + place]) faster += slope * rates[state];
        length = std::hypot(length, next.emplace_back(force[place] + sgns_[i].mass * faster));
      }
      const double limit = chi(i, work_);
      for (std::size_t k = 0; k < next.size(); ++k) {
        const std::size_t place = first_[i] + k;
        const double more = (length > limit ? next[k] * (limit / length) : next[k]) - force[place];
        force[place] += more;
        for (const auto& [state, slope] : push_[m + place]) rates[state] += slope * more;
        change = std::max(change, std::abs(more));
        size = std::max(size, std::abs(force[place]));
      }
    }
  }
  for (std::size_t i = 0; i < sgns_.size(); ++i)
    for (std::size_t k = first_[i]; k < first_[i] + sgns_[i].theta.size(); ++k) x[n + m + k] = force[k] / sgns_[i].by.K;
  loaded_.assign(x.begin() + std::ptrdiff_t(n), x.end());
  look_around();
  return std::all_of(loaded_.begin(), loaded_.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace asperity
