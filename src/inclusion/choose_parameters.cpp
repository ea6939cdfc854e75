#include "choose_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "asperity/parameters.hpp"

namespace asperity {
namespace {

/// The sum over the states that two have in common.
double along(const TextInclusion::Slopes& x, const TextInclusion::Slopes& y) {
  double sum_of_both = 0;
  for (auto a = x.begin(), b = y.begin(); a != x.end() && b != y.end();) {
    if (a->first == b->first) sum_of_both += a++->second * b++->second;
    else ++(a->first < b->first ? a : b);
  }
  return sum_of_both;
}

/// Two digits, and none of the rounding behind them.
double rounded(double x) { return std::strtod(fmt::format("{:.1e}", x).c_str(), nullptr); }

std::string listed(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }

}  // namespace

/// The smallest mass that any direction of a term feels: 1/|J M^-1 J^T| at the start; 0 if the term does not resist at all.
double ParameterChoice::mass(std::size_t first_result, std::size_t count) const {
  double largest = 0;
  bool resists = true;
  for (std::size_t j = 0; j < count; ++j) {
    double row = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double effect = -along(model_.seen(first_result + j), model_.push(first_result + k));
      row += std::abs(effect);
      if (j == k && !(effect > 0)) resists = false;
    }
    largest = std::max(largest, row);
  }
  return resists && std::isfinite(largest) ? 1 / largest : 0;
}

/// The mass that a term feels if all terms of its kind act at once: 1/(the sum of |J_i M^-1 J_j^T| over them). Stiffnesses of at
/// most c times these masses have no eigenvalue of M^-1 J^T K J above c (Gershgorin), however many terms share a body; two kinds
/// have none above the sum of both c.
double ParameterChoice::shared_mass(std::size_t first_result, std::size_t count) const {
  const std::size_t contacts = model_.dios().size(), all = model_.results();
  const auto [from, end] = first_result < contacts ? std::pair(std::size_t(0), contacts) : std::pair(contacts, all);
  double largest = 0;
  for (std::size_t j = first_result; j < first_result + count; ++j) {
    double row = 0;
    for (std::size_t k = from; k < end; ++k) row += std::abs(along(model_.seen(j), model_.push(k)));
    largest = std::max(largest, row);
  }
  return 1 / largest;
}

bool ParameterChoice::can_choose(const std::string& term, double effective) {
  if (effective > 0 && step_ > 0) return true;
  problems_.push_back(
      {"regularise." + term, 0, "K is missing, and cannot be chosen: at the start the term does not act against its argument"});
  return false;
}

void ParameterChoice::say(const std::string& name, const std::string& term, const std::vector<std::string>& chosen,
                          double effective) {
  if (!chosen.empty())
    notes_.push_back(fmt::format("{} = {}: {} chosen for a step of {} s and an effective mass of {:.4g}", name, term,
                                 listed(chosen), to_text(step_), effective));
  if (effective <= 0)
    notes_.push_back(fmt::format("{} = {}: does not act against its argument at the start; is its sign right?", name, term));
}

template <class Law>
void ParameterChoice::check_parameters(const std::string& term, const Law& law) {
  for (std::string& line : problems_of(law)) problems_.push_back({"regularise." + term, 0, std::move(line)});
}

void ParameterChoice::choose(TextInclusion::DioTerm& term, std::size_t number, const Relaxation& wish) {
  term.mass = mass(number, 1);
  // As in the papers: 2 T and 1.6 T, and an impact of about twenty steps.
  std::vector<std::string> chosen;
  const auto pick = [&](std::string_view name, const std::optional<double>& given, double value) {
    if (!given) term.chosen.emplace_back(name), chosen.push_back(fmt::format("{} = {}", name, to_text(value)));
    return given.value_or(value);
  };
  term.by.beta = pick("beta", wish.beta, rounded(wish.alpha ? 1.25 * *wish.alpha : 2 * step_));
  term.by.alpha = pick("alpha", wish.alpha, rounded(0.8 * term.by.beta));
  if (!wish.K && !can_choose(term.text, term.mass)) return;
  const double most = wish.K ? 0 : std::min(0.08 * term.mass, 0.16 * shared_mass(number, 1)) / (step_ * step_);
  term.by.K = pick("K", wish.K, rounded(term.by.alpha / term.by.beta * most));
  say(term.name, term.text, chosen, term.mass);
  check_parameters(term.text, LinearCompliance<>{term.by.K, term.by.alpha, term.by.beta});
}

void ParameterChoice::choose(TextInclusion::SgnTerm& term, std::size_t number, const Relaxation& wish) {
  const std::size_t first = model_.dios().size() + model_.first_component(number);
  term.mass = mass(first, term.theta.size());
  std::vector<std::string> chosen;
  const auto pick = [&](std::string_view name, const std::optional<double>& given, double value) {
    if (!given) term.chosen.emplace_back(name), chosen.push_back(fmt::format("{} = {}", name, to_text(value)));
    return given.value_or(value);
  };
  term.by.beta = pick("beta", wish.beta, rounded(2 * step_));
  if (!wish.K && !can_choose(term.text, term.mass)) return;
  // Less than half of K <= 1.2 M/T^2, and less than that for all of them and the contacts.
  const double most = wish.K ? 0 : std::min(0.5 * term.mass, shared_mass(first, term.theta.size())) / (step_ * step_);
  term.by.K = pick("K", wish.K, rounded(std::min(1.0, 2 * step_ / term.by.beta) * most));
  say(term.name, term.text, chosen, term.mass);
  SingleState<> law;
  law.K = term.by.K;
  law.beta = term.by.beta;
  check_parameters(term.text, law);
}

}  // namespace asperity
