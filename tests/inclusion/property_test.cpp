// Random inclusions of the admissible class against the equations as they were written. Where every sgn slides, the regularised
// force is chi sgn(theta) itself, so that the rates must be those of the written formulas with -1 or 1 for each sgn: no algebra
// is needed to work these out.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "asperity/inclusion/text.hpp"
#include "asperity/laws.hpp"
#include "system/run.hpp"

namespace asperity::property_test {
namespace {

const std::vector<std::string> states{"p", "q", "v", "w"}, constants{"M", "F", "mu", "m"};

template <class T>
T one_of(const std::vector<T>& list) {
  return list[*rc::gen::inRange<std::size_t>(0, list.size())];
}
std::string number() { return std::to_string(*rc::gen::inRange(1, 9)) + ".5"; }

/// Anything without sgn.
std::string smooth(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 3)) {
    case 0:
      return number();
    case 1:
      return one_of(constants);
    case 2:
      return one_of(states);
    case 3:
      return "(" + smooth(depth - 1) + one_of<std::string>({" + ", " - "}) + smooth(depth - 1) + ")";
    case 4:
      return smooth(depth - 1) + "*" + smooth(depth - 1);
    case 5:
      return "sin(" + smooth(depth - 1) + ")";
    case 6:
      return "(-" + smooth(depth - 1) + ")";
    default:
      return "dio(" + one_of(states) + one_of<std::string>({"", " - p", " + 0.5"}) + ")";
  }
}

/// Something whose sign is known.
std::string factor(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 10 : 4)) {
    case 0:
      return number();
    case 1:
      return one_of(constants);
    case 2:
      return "dio(" + one_of(states) + ")";
    case 3:
      return "abs(" + one_of(states) + ")";
    case 4:
      return "(1 + " + one_of(states) + "^2)";
    case 5:
      return "exp(" + one_of(states) + ")";
    case 6:
      return "max(0, " + smooth(depth - 1) + ")";
    case 7:
      return "(-" + factor(depth - 1) + ")";
    case 8:
      return factor(depth - 1) + "*" + factor(depth - 1);
    default:
      return "(" + factor(depth - 1) + "/(2 + abs(" + one_of(states) + ")))";
  }
}

/// Where a sgn may stand.
std::string linear(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 10 : 3)) {
    case 0:
      return "sgn(" + one_of<std::string>({"v", "w", "v - w", "w - v", "-v", "v + 0.5"}) + ")";
    case 1:
      return "sgn2(" + one_of<std::string>({"v, w", "w, v", "-w, v", "v - w, p"}) + ")";
    case 2:
      return "sgn3(" + one_of<std::string>({"v, w, q", "q, -w, v"}) + ")";
    case 3:
      return smooth(depth - 1);
    case 4:
    case 5:
      return "(" + linear(depth - 1) + one_of<std::string>({" + ", " - "}) + linear(depth - 1) + ")";
    case 6:
      return "(-" + linear(depth - 1) + ")";
    case 7:
      return factor(depth - 1) + "*" + linear(depth - 1);
    case 8:
      return "(" + linear(depth - 1) + ")*" + factor(depth - 1);
    default:
      return "(" + linear(depth - 1) + ")/" + one_of<std::string>({"M", "2.5", "(1 + v^2)", "(M*mu)", "(-M)"});
  }
}

/// The formulas as they were written, with the numbers of a moment.
struct Direct {
  std::vector<std::pair<std::string, double>> names;
  std::vector<std::pair<Node, double>> dios;

  double value(const Node& node) const {
    if (node.op == Op::name) {
      for (const auto& [name, number] : names)
        if (name == node.word) return number;
      throw std::logic_error(node.word);
    }
    std::vector<double> parts;
    for (const Node& part : node.parts) parts.push_back(value(part));
    if (node.op == Op::other && node.word == "dio") {
      for (const auto& [psi, force] : dios)
        if (psi == node.parts[0]) return force;
      throw std::logic_error("dio");
    }
    if (node.op == Op::other) {
      double length = 0;
      for (const double part : parts) length = std::hypot(length, part);
      return parts[0] / length;
    }
    Node here{node.op, node.number, node.word, {}, 0};
    for (const double part : parts) here.parts.push_back(number_node(part));
    return Formula(here).value<double>({});
  }
};

RC_GTEST_PROP(TextInclusion, IsTheWrittenInclusionWhereItSlides, ()) {
  InclusionText text;
  text.let = {{"M", 2}, {"F", .5}, {"mu", .3}, {"m", -.75}};
  for (const std::string& name : states) text.state.emplace_back(name, *rc::gen::inRange(-9, 9) / 4. + .1);
  for (const std::string& name : states) text.rate.emplace_back(name, linear(5));
  text.usual = {1e3, 2e-3, 1e-3};
  std::vector<InclusionProblem> problems;
  const auto model = TextInclusion::read(text, problems);
  for (const InclusionProblem& problem : problems) RC_LOG() << to_text(problem) << "\n";
  for (const auto& [name, rate] : text.rate) RC_LOG() << name << "' = " << rate << "\n";
  RC_ASSERT(model != nullptr);

  // Everything slides: deflections far beyond every limit, along theta.
  std::vector<double> x = model->start(), xdot(x.size());
  Direct direct{text.let, {}};
  direct.names.insert(direct.names.end(), text.state.begin(), text.state.end());
  direct.names.emplace_back("t", 0);
  for (std::size_t i = 0; i < model->dios().size(); ++i) {
    x[4 + i] = .01 * double(i + 1);
    const double psi = direct.value(model->dios()[i].psi.root());
    const auto r = LinearCompliance<>{1e3, 1e-3, 2e-3}.react({x[4 + i]}, {psi, 0}, 0);
    direct.dios.emplace_back(model->dios()[i].psi.root(), r.f);
  }
  for (std::size_t i = 0; i < model->sgns().size(); ++i) {
    std::vector<double> theta;
    double length = 0;
    for (const Formula& part : model->sgns()[i].theta) length = std::hypot(length, theta.emplace_back(direct.value(part.root())));
    RC_PRE(length > 0);
    for (std::size_t k = 0; k < theta.size(); ++k)
      x[4 + model->dios().size() + model->first_component(i) + k] = 1e12 * theta[k] / length;
  }
  model->rate(0, x, 0, xdot);
  for (std::size_t i = 0; i < states.size(); ++i) {
    FormulaProblem none;
    const double expected = direct.value(Formula::read(text.rate[i].second, none, {"dio", "sgn", "sgn2", "sgn3"})->root());
    // Terms may cancel: what is compared with is their size.
    RC_LOG() << "rate of " << states[i] << ": " << xdot[i] << " must be " << expected << "\n";
    RC_ASSERT(std::abs(xdot[i] - expected) <= 1e-9 * std::max(1., std::abs(expected)));
  }
}

/// The same equation, written by somebody else: other orders, other places of the signs.
Node respelled(const Node& node) {
  Node copy{node.op, node.number, node.word, {}, 0};
  for (const Node& part : node.parts) copy.parts.push_back(respelled(part));
  const auto minus = [](Node x) { return Node{Op::minus, 0, {}, {std::move(x)}, 0}; };
  const auto swapped = [](const Node& x, Op op) { return Node{op, 0, {}, {x.parts[1], x.parts[0]}, 0}; };
  const int way = *rc::gen::inRange(0, 4);
  if (way == 0) return copy;
  switch (copy.op) {
    case Op::add:
      return way == 1 ? minus({Op::subtract, 0, {}, {minus(copy.parts[1]), copy.parts[0]}, 0}) : swapped(copy, Op::add);
    case Op::subtract:
      if (way == 1) return minus(swapped(copy, Op::subtract));
      return {Op::add, 0, {}, {minus(copy.parts[1]), copy.parts[0]}, 0};
    case Op::multiply:
      return way == 1 ? minus({Op::multiply, 0, {}, {minus(copy.parts[1]), copy.parts[0]}, 0}) : swapped(copy, Op::multiply);
    case Op::other:
      if (copy.word == "dio") return copy;
      copy.parts[0] = minus(copy.parts[0]);
      return minus(copy);
    default:
      return copy;
  }
}
std::string respelled(const std::string& formula) {
  FormulaProblem none;
  return Formula(respelled(Formula::read(formula, none, {"dio", "sgn", "sgn2", "sgn3"})->root())).text();
}

std::shared_ptr<const TextInclusion> read(const InclusionText& text) {
  std::vector<InclusionProblem> problems;
  auto model = TextInclusion::read(text, problems);
  for (const InclusionProblem& problem : problems) RC_LOG() << to_text(problem) << "\n";
  for (const auto& [name, rate] : text.rate) RC_LOG() << name << "' = " << rate << "\n";
  RC_ASSERT(model != nullptr);
  return model;
}

// An equation means the same in every spelling: as many elements, and the same motion.
RC_GTEST_PROP(TextInclusion, DoesNotDependOnTheSpelling, ()) {
  InclusionText text;
  text.let = {{"M", 2}, {"F", .5}, {"mu", .3}, {"m", -.75}};
  for (const std::string& name : states) text.state.emplace_back(name, *rc::gen::inRange(-9, 9) / 4. + .1);
  for (const std::string& name : states) text.rate.emplace_back(name, linear(4));
  text.usual = {1e3, 2e-3, 1e-3};
  const auto model = read(text);
  for (auto& [name, rate] : text.rate) rate = "(" + rate + ") - (" + respelled(rate) + ")";
  const auto twice = read(text);
  RC_ASSERT(twice->dios().size() == model->dios().size());
  RC_ASSERT(twice->sgns().size() == model->sgns().size());
}

RC_GTEST_PROP(TextInclusion, MovesAlikeInEverySpelling, ()) {
  InclusionText text;
  text.let = {{"M", 2}, {"m", .75}, {"F", .5}, {"mu", .3}, {"u", .1}, {"L", .01}};
  text.state = {{"p", 0}, {"q", .02}, {"v", .3}, {"w", 0}};
  text.rate = {{"p", "v"},
               {"q", "w"},
               {"v", "(sin(9*t) - dio(q - p - L) - (mu*dio(q - p - L) + F*exp(-(v - w)^2))*sgn(v - w + u) - F*mu*sgn(v))/M"},
               {"w", "(dio(q - p - L) + (mu*dio(q - p - L) + F*exp(-(v - w)^2))*sgn(v - w + u) - 9*q)/m"}};
  text.usual = {1e3, 2e-3, 1e-3};
  const auto run = [](const TextInclusion& model) { return testing::run(model, Method::rk4, .12, 2e-3); };
  static const std::vector<double> written = run(*read(text));
  for (auto& [name, rate] : text.rate) rate = respelled(rate);
  const auto model = read(text);
  RC_ASSERT(model->size() == 7u);
  const std::vector<double> moved = run(*model);
  for (std::size_t i = 0; i < 4; ++i) RC_ASSERT(std::abs(moved[i] - written[i]) <= 1e-11);
}

}  // namespace
}  // namespace asperity::property_test
