#include "asperity/inclusion/tape.hpp"

#include <algorithm>
#include <bit>

namespace asperity {

Tape::Tape(std::vector<std::string> names) {
  for (std::string& name : names) places_[std::move(name)] = count_++;
  first_numbers_ = count_;
}

std::uint32_t Tape::add(const Formula& formula) { return place_of(formula.root()); }

std::uint32_t Tape::constant(double value) {
  const auto [found, is_new] = known_constants_.try_emplace(std::bit_cast<std::uint64_t>(value), count_);
  if (is_new) {
    constants_.emplace_back(count_, value);
    value_of_constant_[count_++] = value;
  }
  return found->second;
}

std::uint32_t Tape::operation(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const auto value = [&](std::uint32_t place) {
    const auto found = value_of_constant_.find(place);
    return found == value_of_constant_.end() ? nullptr : &found->second;
  };
  // b and c of an operation that does not have them are a.
  const double *x = value(a), *y = value(b);
  if (op != Op::choose && x && y) return constant(takes_one(op) ? Formula::apply(op, *x) : Formula::apply(op, *x, *y));
  const auto [found, is_new] = known_.try_emplace({op, a, b, c}, count_);
  if (is_new) steps_.push_back({op, count_++, a, b, c});
  return found->second;
}

std::uint32_t Tape::place_of(const Node& node) {
  if (node.op == Op::number || node.op == Op::constant) return constant(node.number);
  if (node.op == Op::name) return places_.at(node.word);
  const std::uint32_t a = place_of(node.parts[0]);
  if (takes_one(node.op)) return operation(node.op, a, a, a);
  if (node.op == Op::choose) return operation(Op::choose, a, place_of(node.parts[1]), place_of(node.parts[2]));
  // As a formula does it.
  if (node.op == Op::power && node.parts[1].op == Op::number && node.parts[1].number == 2) return operation(Op::square, a, a, a);
  std::uint32_t all = a;
  for (std::size_t i = 1; i < node.parts.size(); ++i) all = operation(node.op, all, place_of(node.parts[i]), all);
  return all;
}

template <class S>
std::vector<S> Tape::numbers() const {
  std::vector<S> list(count_);
  for (const auto& [place, value] : constants_) list[place] = S(value);
  return list;
}

template <class S>
void Tape::run(std::size_t from, std::size_t to, S* numbers) const {
  for (const Step *step = steps_.data() + from, *end = steps_.data() + to; step != end; ++step) {
    const S &a = numbers[step->a], &b = numbers[step->b];
    S& result = numbers[step->to];
    switch (step->op) {
      case Op::add:
        result = a + b;
        break;
      case Op::subtract:
        result = a - b;
        break;
      case Op::multiply:
        result = a * b;
        break;
      case Op::divide:
        result = a / b;
        break;
      case Op::minus:
        result = -a;
        break;
      case Op::choose:
        result = select(a == S(0.0), numbers[step->c], b);
        break;
      default:
        result = takes_one(step->op) ? Formula::apply(step->op, a) : Formula::apply(step->op, a, b);
    }
  }
}

std::vector<std::pair<std::uint32_t, double>> Tape::gradient(std::uint32_t value, const double* numbers) const {
  std::vector<std::pair<std::uint32_t, double>> list;
  std::map<std::uint32_t, double> left{{value, 1}};  // the last one first: an operation is made of what came before it
  while (!left.empty()) {
    const auto [place, weight] = *std::prev(left.end());
    left.erase(std::prev(left.end()));
    if (weight == 0) continue;
    if (place < first_numbers_) {
      list.emplace_back(place, weight);
      continue;
    }
    const auto step =
        std::lower_bound(steps_.begin(), steps_.end(), place, [](const Step& s, std::uint32_t p) { return s.to < p; });
    if (step == steps_.end() || step->to != place) continue;  // a constant
    if (step->op == Op::choose) {
      left[numbers[step->a] == 0 ? step->c : step->b] += weight;
      continue;
    }
    Dual<1> a(numbers[step->a]), b(numbers[step->b]);
    a.v[0] = 1;
    left[step->a] += weight * (takes_one(step->op) ? Formula::apply(step->op, a) : Formula::apply(step->op, a, b)).v[0];
    if (takes_one(step->op)) continue;
    a.v[0] = 0, b.v[0] = 1;
    left[step->b] += weight * Formula::apply(step->op, a, b).v[0];
  }
  return list;
}

template std::vector<double> Tape::numbers() const;
template std::vector<Dual<1>> Tape::numbers() const;
template std::vector<Dual<8>> Tape::numbers() const;
template void Tape::run(std::size_t, std::size_t, double*) const;
template void Tape::run(std::size_t, std::size_t, Dual<1>*) const;
template void Tape::run(std::size_t, std::size_t, Dual<8>*) const;

}  // namespace asperity
