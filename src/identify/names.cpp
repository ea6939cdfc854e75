#include "asperity/identify/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "asperity/any_law.hpp"

namespace asperity::identify {
namespace {

std::vector<std::string> parameter_names(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;  // one for each number
  for (const Parameter& p : parameters)
    for (std::size_t i = 0; i < p.values.size(); ++i) names.push_back(p.is_list ? fmt::format("{}[{}]", p.name, i + 1) : p.name);
  return names;
}

std::vector<double> values_of(const std::vector<Parameter>& parameters) {
  std::vector<double> values;
  for (const Parameter& p : parameters) values.insert(values.end(), p.values.begin(), p.values.end());
  return values;
}

std::string unit_of(const std::vector<Parameter>& parameters, std::size_t number) {
  for (const Parameter& p : parameters) {
    if (number < p.values.size()) return p.unit;
    number -= p.values.size();
  }
  return "1";
}

std::optional<std::size_t> place_of(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> coordinate_names(const std::vector<Coordinate>& coordinates) {
  std::vector<std::string> names;
  for (const Coordinate& c : coordinates) names.push_back(c.name);
  return names;
}

/// Somewhere.
std::vector<double> middle_of(const std::vector<Coordinate>& coordinates) {
  std::vector<double> q;
  for (const Coordinate& c : coordinates) q.push_back(std::sqrt(c.from * c.to));
  return q;
}

/// How a parameter changes with each coordinate, logarithms both: exponents, where it is a product of powers.
std::vector<double> exponents(const Model& model, std::span<const double> q, std::size_t parameter) {
  const double value = values_of(model.parameters(q))[parameter];
  const auto slopes = model.parameter_slopes(q);
  std::vector<double> list;
  for (std::size_t i = 0; i < q.size(); ++i) list.push_back(slopes[parameter * q.size() + i] / value);
  return list;
}

/// A model in which parameter p, a product of the coordinate `at` or its inverse and something else, stands at the place of it.
class InTermsOf final : public Model {
 public:
  InTermsOf(std::unique_ptr<Model> inner, std::size_t parameter, std::size_t at, double exponent, int group)
      : inner_(std::move(inner)), parameter_(parameter), at_(at), exponent_(exponent), group_(group) {}

  const About& about() const noexcept override { return inner_->about(); }
  bool has_elements() const noexcept override { return inner_->has_elements(); }
  bool has_own_viscosity() const noexcept override { return inner_->has_own_viscosity(); }
  int states(int elements) const override { return inner_->states(elements); }

  std::vector<Coordinate> coordinates(const Scales& scales, int elements) const override {
    auto all = inner_->coordinates(scales, elements);
    const auto value = [&](double of_coordinate) {  // the others are where they may be
      auto q = middle_of(all);
      q[at_] = of_coordinate;
      return values_of(inner_->parameters(q))[parameter_];
    };
    Coordinate c = all[at_];
    const auto parameters = inner_->parameters(middle_of(all));
    c.name = parameter_names(parameters)[parameter_], c.unit = unit_of(parameters, parameter_), c.group = group_;
    const double low = value(c.low), high = value(c.high), from = value(c.from), to = value(c.to);
    c.low = std::min(low, high), c.high = std::max(low, high), c.from = std::min(from, to), c.to = std::max(from, to);
    all[at_] = c;
    return all;
  }

  void force(const Samples& samples, std::size_t count, std::span<const double> q, std::span<double> f) const override {
    inner_->force(samples, count, inside(q), f);
  }

  void slopes(const Samples& samples, std::size_t count, std::span<const double> q, std::span<const Direction> directions,
              std::span<double> f, std::span<double> slopes) const override {
    const auto own = inside(q);
    const auto follows = follow(own);
    std::vector<std::size_t> needed{at_};
    for (const Direction& direction : directions)
      for (const std::size_t i : direction)
        if (std::find(needed.begin(), needed.end(), i) == needed.end()) needed.push_back(i);
    std::vector<Direction> alone;
    for (const std::size_t i : needed) alone.push_back({i});
    std::vector<double> inner(alone.size() * count);
    inner_->slopes(samples, count, own, alone, f, inner);
    std::fill(slopes.begin(), slopes.end(), 0.0);
    for (std::size_t d = 0; d < directions.size(); ++d)
      for (const std::size_t i : directions[d]) {
        const auto place = static_cast<std::size_t>(std::find(needed.begin(), needed.end(), i) - needed.begin());
        for (std::size_t k = 0; k < count; ++k)
          slopes[d * count + k] += (i == at_ ? 0 : inner[place * count + k]) + follows[i] * inner[k];
      }
  }

  std::vector<Parameter> parameters(std::span<const double> q) const override { return inner_->parameters(inside(q)); }

  std::vector<double> parameter_slopes(std::span<const double> q) const override {
    const auto own = inside(q);
    const auto follows = follow(own);
    auto slopes = inner_->parameter_slopes(own);
    for (std::size_t row = 0; row < slopes.size(); row += q.size()) {
      const double by_replaced = slopes[row + at_];
      slopes[row + at_] = 0;
      for (std::size_t i = 0; i < q.size(); ++i) slopes[row + i] += follows[i] * by_replaced;
    }
    for (std::size_t i = 0; i < q.size(); ++i) slopes[parameter_ * q.size() + i] = i == at_ ? q[at_] : 0;  // to the last digit
    return slopes;
  }

  StepInC step_in_c(const std::vector<Parameter>& parameters, bool has_load) const override {
    return inner_->step_in_c(parameters, has_load);
  }

 private:
  /// The coordinates of the model inside: the one that was replaced is what makes the parameter its value.
  std::vector<double> inside(std::span<const double> q) const {
    std::vector<double> own(q.begin(), q.end());
    own[at_] = 1;
    const double of_one = values_of(inner_->parameters(own))[parameter_];
    own[at_] = std::pow(q[at_] / of_one, exponent_);  // the exponent is 1 or -1
    return own;
  }
  /// The logarithm of the replaced coordinate by those of the new ones.
  std::vector<double> follow(std::span<const double> own) const {
    auto list = exponents(*inner_, own, parameter_);
    for (double& e : list) e *= -exponent_;
    list[at_] = exponent_;
    return list;
  }

  std::unique_ptr<Model> inner_;
  std::size_t parameter_, at_;
  double exponent_;
  int group_;
};

/// One name with its value, or with its bounds.
struct Wish {
  std::string name;
  double low = 0, high = 0;
  bool is_bound = false;

  const char* verb() const { return is_bound ? "bounded" : "fixed"; }
};

class Translator {
 public:
  Translator(std::unique_ptr<Model> model, FitSettings settings, std::vector<std::string>& problems)
      : done_{std::move(model), std::move(settings)}, problems_(problems) {
    take_wishes();
    check_values();
    if (!problems_.empty()) return;
    while (!left_.empty()) {
      const auto next = std::min_element(left_.begin(), left_.end(),
                                         [&](const Wish& a, const Wish& b) { return open(a).size() < open(b).size(); });
      const Wish wish = *next;
      left_.erase(next);
      translate(wish);
    }
  }

  Translated result() { return std::move(done_); }

 private:
  std::vector<Coordinate> coordinates() const { return done_.model->coordinates({}, done_.settings.elements); }

  void take_wishes() {
    FitSettings& s = done_.settings;
    const auto all = coordinates();
    const auto of_law = coordinate_names(all), of_parameters = parameter_names(done_.model->parameters(middle_of(all)));
    const auto sort = [&](const Wish& wish) {
      if (place_of(wish.name, of_law)) known_.push_back(wish);
      else if (place_of(wish.name, of_parameters)) left_.push_back(wish);
      else if (is_beside(wish.name)) beside(wish);
    };
    for (const auto& [name, value] : s.fixed) sort({name, value, value, false});
    for (const Bound& bound : s.bounds) sort({bound.name, bound.low, bound.high, true});
    s.fixed.clear(), s.bounds.clear();
    for (const Wish& wish : known_) grant(wish);
  }

  static bool is_beside(const std::string& name) { return name == "M" || name == "Fv" || name == "offset"; }

  void beside(const Wish& wish) {
    FitSettings& s = done_.settings;
    if (wish.is_bound) {
      problems_.push_back(fmt::format("{} cannot be bounded: the force is linear in it; fix it, or leave it free", wish.name));
    } else if (wish.name != "offset" && !(wish.low >= 0)) {
      problems_.push_back(fmt::format("fixed {} = {:g}: must be >= 0", wish.name, wish.low));
    } else if (wish.name == "M") {
      s.mass = wish.low;
    } else if (wish.name == "Fv") {
      s.viscous = false, s.viscous_value = wish.low;
    } else {
      s.offset = false, s.offset_value = wish.low;
    }
  }

  void grant(const Wish& wish) {
    if (wish.is_bound) done_.settings.bounds.push_back({wish.name, wish.low, wish.high});
    else done_.settings.fixed.emplace_back(wish.name, wish.low);
  }

  /// Coordinates with what is fixed, the rest anywhere.
  std::vector<double> example() const {
    const auto all = coordinates();
    auto q = middle_of(all);
    for (const auto& [name, value] : done_.settings.fixed)
      if (const auto i = place_of(name, coordinate_names(all))) q[*i] = value;
    return q;
  }

  bool is_fixed(const std::string& name) const {
    return std::any_of(done_.settings.fixed.begin(), done_.settings.fixed.end(), [&](const auto& f) { return f.first == name; });
  }
  bool is_bounded(const std::string& name) const {
    return std::any_of(done_.settings.bounds.begin(), done_.settings.bounds.end(), [&](const Bound& b) { return b.name == name; });
  }

  /// What the law itself says to parameters, the other coordinates being anywhere.
  std::vector<std::string> objections(const std::vector<Parameter>& parameters) const {
    const auto law = make_law(done_.model->about().name);
    for (const Parameter& p : parameters) law->set(p.name, p.values);
    return law->problems();
  }

  void check_values() {
    const auto all = coordinates();
    const auto of_law = coordinate_names(all);
    const auto anywhere = middle_of(all);
    const auto parameters = done_.model->parameters(anywhere);
    for (const Wish& wish : known_)
      for (const double value : {wish.low, wish.high}) {
        auto q = anywhere;
        q[*place_of(wish.name, of_law)] = value;
        object(wish, value, objections(done_.model->parameters(q)));
        if (wish.low == wish.high) break;
      }
    for (const Wish& wish : left_)
      for (const double value : {wish.low, wish.high}) {
        std::size_t number = *place_of(wish.name, parameter_names(parameters));
        for (Parameter p : parameters) {  // its range only: how it stands to others is seen when these are known
          if (number < p.values.size()) {
            p.values[number] = value;
            object(wish, value, range_problems(p));
            break;
          }
          number -= p.values.size();
        }
        if (wish.low == wish.high) break;
      }
  }

  void object(const Wish& wish, double value, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    const bool is_its_own = lines.front().starts_with(wish.name + " = ");
    problems_.push_back(is_its_own ? fmt::format("{} {}", wish.verb(), lines.front())
                                   : fmt::format("{} {} = {:g}: with it {}", wish.verb(), wish.name, value, lines.front()));
  }

  std::size_t number_of(const Wish& wish) const {
    return *place_of(wish.name, parameter_names(done_.model->parameters(example())));
  }

  /// The coordinates that make the parameter and are not fixed.
  std::vector<std::size_t> open(const Wish& wish) const {
    const auto all = coordinates();
    auto q = example();
    for (double& x : q) x = x == 0 ? 1 : x;  // nothing has a slope at zero
    const auto by = exponents(*done_.model, q, number_of(wish));
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (by[i] != 0 && !is_fixed(all[i].name)) list.push_back(i);
    return list;
  }

  void translate(const Wish& wish) {
    const auto makers = open(wish);
    if (makers.empty())
      problems_.push_back(fmt::format("{} {} = {:g}: all it is made of is fixed already", wish.verb(), wish.name, wish.low));
    else if (makers.size() == 1) solve(wish, makers[0]);
    else if (!replace(wish, makers)) refuse(wish, makers);
  }

  /// The coordinate with which the parameter is `value`: Newton from zero. The parameters are linear, or bend towards a limit.
  std::optional<double> solution(std::size_t number, std::size_t at, double value) const {
    auto q = example();
    q[at] = 1;
    const double exponent = exponents(*done_.model, q, number)[at];
    if (std::abs(std::abs(exponent) - 1) < 1e-12 && value > 0)
      return std::pow(value / values_of(done_.model->parameters(q))[number], exponent);
    q[at] = 1e-12;
    for (int turn = 0; turn < 100; ++turn) {
      const double is = values_of(done_.model->parameters(q))[number];
      const double slope = done_.model->parameter_slopes(q)[number * q.size() + at] / q[at];
      const double step = (value - is) / slope;
      q[at] += step;
      if (!std::isfinite(q[at]) || q[at] < -1e-9) return std::nullopt;
      q[at] = std::max(q[at], 1e-300);
      if (std::abs(step) <= 1e-14 * q[at] || q[at] <= 1e-15) return q[at] <= 1e-15 ? 0 : q[at];
    }
    return std::nullopt;
  }

  void solve(const Wish& wish, std::size_t at) {
    const Coordinate c = coordinates()[at];
    if (is_bounded(c.name)) {
      problems_.push_back(
          fmt::format("{} {}: {}, of which it is made, is bounded, too: name one of them", wish.verb(), wish.name, c.name));
      return;
    }
    const auto a = solution(number_of(wish), at, wish.low), b = solution(number_of(wish), at, wish.high);
    if (!a || !b) {
      problems_.push_back(fmt::format("{} {} = {:g}: with what else is fixed, no {} gives it", wish.verb(), wish.name,
                                      a ? wish.high : wish.low, c.name));
      return;
    }
    Wish of_coordinate{c.name, std::min(*a, *b), std::max(*a, *b), wish.is_bound};
    if (wish.is_bound) of_coordinate.low = std::max(of_coordinate.low, 1e-9 * of_coordinate.high);  // looked for in logarithms
    const std::size_t before = problems_.size();
    for (const double value : {of_coordinate.low, of_coordinate.high}) {
      auto q = example();
      q[at] = value;
      if (problems_.size() == before)
        object(wish, value == of_coordinate.low ? wish.low : wish.high, objections(done_.model->parameters(q)));
    }
    grant(of_coordinate);
  }

  /// The group that the parameter scales with; nothing if it is neither linear in a scale nor indifferent.
  std::optional<int> group_of(const std::vector<Coordinate>& all, const std::vector<double>& by) const {
    int group = -1;
    int most = -1;
    for (const Coordinate& c : all) most = std::max(most, c.group);
    for (int g = 0; g <= most; ++g) {
      double degree = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].group == g) degree += by[i];
      if (std::abs(degree) < 1e-9) continue;
      if (std::abs(degree - 1) > 1e-9 || group >= 0) return std::nullopt;
      group = g;
    }
    return group;
  }

  /// Elements come and go while they are searched for: their coordinates keep their places.
  bool replace(const Wish& wish, const std::vector<std::size_t>& makers) {
    if (done_.model->has_elements() || !(wish.low > 0)) return false;
    const auto all = coordinates();
    auto q = example();
    const std::size_t number = number_of(wish);
    const auto by = exponents(*done_.model, q, number);
    const auto group = group_of(all, by);
    if (!group) return false;
    std::optional<std::size_t> at;
    for (const std::size_t i : makers) {
      q[i] *= 3;
      const double there = exponents(*done_.model, q, number)[i];
      q[i] /= 3;
      const bool is_power = std::abs(std::abs(by[i]) - 1) < 1e-9 && std::abs(there - by[i]) < 1e-9;
      if (is_power && all[i].group >= 0 && !is_bounded(all[i].name)) at = i;  // the last: the first is the force of its group
    }
    if (!at) return false;
    done_.model = std::make_unique<InTermsOf>(std::move(done_.model), number, *at, by[*at] > 0 ? 1.0 : -1.0, *group);
    grant(wish);
    return true;
  }

  void refuse(const Wish& wish, const std::vector<std::size_t>& makers) {
    const auto all = coordinates();
    std::vector<std::string> names;
    for (const std::size_t i : makers) names.push_back(all[i].name);
    problems_.push_back(fmt::format("{} {}: it is made of {}: fix or bound these, or fix all of them but one", wish.verb(),
                                    wish.name, fmt::join(names, ", ")));
  }

  Translated done_;
  std::vector<std::string>& problems_;
  std::vector<Wish> known_, left_;
};

}  // namespace

std::vector<std::string> names_of(const Model& model, int elements) {
  const auto all = model.coordinates({}, elements);
  auto names = coordinate_names(all);
  for (std::string& name : parameter_names(model.parameters(middle_of(all))))
    if (!place_of(name, names)) names.push_back(std::move(name));
  names.insert(names.end(), {"M", "Fv", "offset"});
  return names;
}

Translated translated(std::unique_ptr<Model> model, FitSettings settings, std::vector<std::string>& problems) {
  const std::string law(model->about().name);
  std::vector<std::string> own;
  Translated result = Translator(std::move(model), std::move(settings), own).result();
  for (const std::string& line : own) problems.push_back(fmt::format("{}: {}", law, line));
  return result;
}

}  // namespace asperity::identify
