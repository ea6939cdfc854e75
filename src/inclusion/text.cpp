#include "asperity/inclusion/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_map>

#include "algebra.hpp"
#include "asperity/parameters.hpp"
#include "interval.hpp"

namespace asperity {

using namespace algebra;

namespace {

using algebra::key_of;

const std::vector<std::string> set_valued{"dio", "sgn", "sgn2", "sgn3"};

/// All sgn with one theta and one chi.
struct Group {
  struct Member {
    std::size_t occurrence, component;
    bool opposite;
  };
  std::vector<Node> theta;
  std::vector<Unsigned> arguments;  // the same
  std::vector<Factor> factors;      // of the first one: their order is the order of chi
  std::vector<Factor> varying;      // those that are no constants
  std::string varying_key;          // the same
  std::vector<Node> common;         // constants that are part of chi
  std::vector<Member> members;
  Relaxation by;
};

std::vector<Node> constants_of(const std::vector<Factor>& factors) {
  std::vector<Node> list;
  for (const Factor& f : factors)
    if (f.constant && !f.divides) list.push_back(f.node);
  return list;
}
std::vector<Factor> varying_of(const std::vector<Factor>& factors) {
  std::vector<Factor> list;
  std::copy_if(factors.begin(), factors.end(), std::back_inserter(list), [](const Factor& f) { return !f.constant; });
  return list;
}
/// The same for all products of the same factors.
std::string key_of(const std::vector<Factor>& factors) {
  std::vector<std::string> keys;
  for (const Factor& f : factors) keys.push_back((f.divides ? "/" : "*") + key_of(f.node));
  std::sort(keys.begin(), keys.end());
  return fmt::format("{}", fmt::join(keys, ""));
}
auto find_same(std::vector<Node>& list, const Node& node) {
  return std::find_if(list.begin(), list.end(), [&](const Node& other) { return same(other, node); });
}
/// Those of `from` that are in `list` too, as often as they are in both; `left` are the others.
std::vector<Node> shared(const std::vector<Node>& from, std::vector<Node> list, std::vector<Node>* left = nullptr) {
  std::vector<Node> both;
  for (const Node& node : from) {
    const auto found = find_same(list, node);
    if (found == list.end()) {
      if (left) left->push_back(node);
      continue;
    }
    both.push_back(node);
    list.erase(found);
  }
  return both;
}
bool has_name(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node& n) { return any_of(n, [](const Node& m) { return m.op == Op::name; }); });
}

std::vector<Unsigned> arguments_of(const Node& sgn) {
  std::vector<Unsigned> list;
  for (const Node& part : sgn.parts) list.push_back(without_sign(part));
  return list;
}
/// The same for all sgn whose arguments are the same but for their order and signs.
std::string key_of(const std::vector<Unsigned>& arguments) {
  std::vector<std::string> texts;
  for (const Unsigned& argument : arguments) texts.push_back(argument.text);
  std::sort(texts.begin(), texts.end());
  return fmt::format("{}", fmt::join(texts, ";"));
}
/// Which component of `theta` the first of the same arguments is.
Group::Member member_of(const std::vector<Unsigned>& theta, const Unsigned& first) {
  const auto found = std::find_if(theta.begin(), theta.end(), [&](const Unsigned& u) { return u.text == first.text; });
  return {0, std::size_t(found - theta.begin()), found->negative != first.negative};
}

Node times(Node left, const std::vector<Node>& nodes) {
  for (const Node& node : nodes) left = product(std::move(left), node);
  return left;
}
Node one() { return {Op::number, 1, {}, {}, 0}; }

/// The sum over the states that two have in common.
double along(const TextInclusion::Slopes& x, const TextInclusion::Slopes& y) {
  double sum_of_both = 0;
  for (auto a = x.begin(), b = y.begin(); a != x.end() && b != y.end();) {
    if (a->first == b->first) sum_of_both += a++->second * b++->second;
    else ++(a->first < b->first ? a : b);
  }
  return sum_of_both;
}

template <class List>
std::string listed(const List& list) {
  return fmt::format("{}", fmt::join(list, ", "));
}

}  // namespace

std::string to_text(const InclusionProblem& problem) {
  const std::string place = problem.place.empty() ? "" : problem.place + ": ";
  return place + to_text(FormulaProblem{problem.position, problem.text});
}

// --- reading --------------------------------------------------------------------------------------------------------------------

class InclusionReader {
 public:
  InclusionReader(const InclusionText& text, std::vector<InclusionProblem>& problems) : text_(text), problems_(problems) {}

  std::shared_ptr<const TextInclusion> read() {
    const std::size_t before = problems_.size();
    const auto good = [&] { return problems_.size() == before; };
    check_names();
    read_rates();
    if (!good()) return nullptr;
    find_dios();
    find_sgns();
    if (!good()) return nullptr;
    match_wishes();
    check_factors();
    if (!good()) return nullptr;
    name_terms();
    if (!good()) return nullptr;
    build();
    if (!good()) return nullptr;
    check_start();
    if (!good()) return nullptr;
    model_->look_around();
    choose();
    if (!good()) return nullptr;
    model_->look_around();
    if (text_.preload && !model_->load()) problem("state", 0, "cannot be preloaded: the forces at rest are no finite numbers");
    if (!good()) return nullptr;
    return model_;
  }

 private:
  struct DioFound {
    Node node;
    Relaxation by;
  };

  static constexpr std::size_t longest_name = 100;  // it stands in every event

  void problem(std::string place, std::size_t position, std::string text) {
    problems_.push_back({std::move(place), position, std::move(text)});
  }
  static std::string rate_of(const std::string& state) { return "rate." + state; }

  bool claim(const std::string& place, const std::string& name) {
    FormulaProblem ignored;
    const auto read = Formula::read(name, ignored, set_valued);
    if (!read || read->root().op != Op::name || read->root().word != name || name == "t" || name == "time") {
      problem(place, 0, "is no name; letters, digits and _ make one, and t, time, pi, e and the functions are taken");
      return false;
    }
    if (name.size() > longest_name) {
      problem(place.substr(0, longest_name), 0, fmt::format("a name of {} letters: must be <= {}", name.size(), longest_name));
      return false;
    }
    if (names_.insert(name).second) return true;
    problem(place, 0, "this name is taken");
    return false;
  }

  void check_names() {
    for (const auto& [name, value] : text_.let) {
      claim("let." + name, name);
      let_[name] = value;
      if (!std::isfinite(value)) problem("let." + name, 0, "is not a finite number");
    }
    for (const auto& [name, value] : text_.state) {
      claim("state." + name, name);
      if (!std::isfinite(value)) problem("state." + name, 0, "is not a finite number");
    }
    if (text_.state.empty()) problem("state", 0, "there is none");
  }

  void read_rates() {
    std::vector<std::string> known{"t"}, states;
    for (const auto& [name, value] : text_.let) known.push_back(name);
    for (const auto& [name, value] : text_.state) known.push_back(name), states.push_back(name);
    std::map<std::string, const std::string*> written;
    for (const auto& [name, formula] : text_.rate) {
      if (std::find(states.begin(), states.end(), name) == states.end()) {
        const auto meant = nearest(name, states);
        problem(rate_of(name), 0, "no state has this name" + (meant ? "; did you mean " + *meant + "?" : std::string()));
      } else if (!written.try_emplace(name, &formula).second) {
        problem(rate_of(name), 0, "is given twice");
      }
    }
    for (const std::string& name : states) {
      const auto found = written.find(name);
      if (found == written.end()) {
        problem(rate_of(name), 0, "is missing");
        continue;
      }
      FormulaProblem wrong;
      const auto formula = Formula::read(*found->second, wrong, set_valued);
      if (!formula) {
        problem(rate_of(name), wrong.position, wrong.text);
        continue;
      }
      for (FormulaProblem& unknown : formula->unknown_names(known)) problem(rate_of(name), unknown.position, unknown.text);
      check_places(formula->root(),
                   [&](std::size_t position, std::string text) { problem(rate_of(name), position, std::move(text)); });
      each(formula->root(), [&](const Node& node) {
        if (node.op == Op::sign)
          notes_.push_back(
              fmt::format("{}: {} is an ordinary function that jumps; dry friction is sgn", rate_of(name), excerpt(node)));
      });
      rates_.push_back(formula->root());
    }
  }

  std::optional<double> constant(const Node& node) const {
    const bool varies =
        any_of(node, [&](const Node& n) { return n.op == Op::other || (n.op == Op::name && !let_.contains(n.word)); });
    if (varies) return std::nullopt;
    return Formula(node).with(text_.let).value<double>({});
  }

  void find_dios() {
    for (const Node& rate : rates_)
      each(rate, [&](const Node& node) {
        if (!is_dio(node)) return;
        if (dio_numbers_.try_emplace(key_of(node), dios_.size()).second) dios_.push_back({node, {}});
      });
  }

  Interval range_of(const Node& leaf) const {
    if (is_dio(leaf) || leaf.word == "t") return {0, std::numeric_limits<double>::infinity()};
    if (const auto found = let_.find(leaf.word); found != let_.end()) return {found->second, found->second};
    return {};
  }
  Interval interval(const Node& node) const {
    return interval_of(node, [&](const Node& leaf) { return range_of(leaf); });
  }
  /// Whether chi may be 0: one of its factors may. A quotient of finite numbers is not.
  bool vanishes(const Group& group) const {
    return group.by.nonnegative || std::any_of(group.factors.begin(), group.factors.end(),
                                               [&](const Factor& f) { return !f.divides && !(interval(f.node).low > 0); });
  }

  /// What is never positive is turned round, as a constant is.
  void orient(Occurrence& occurrence) const {
    for (Factor& f : occurrence.factors) {
      if (f.constant) continue;
      const Interval range = interval(f.node);
      if (!(range.low < 0 && range.high <= 0)) continue;
      f.node = negative(std::move(f.node));
      occurrence.negative = !occurrence.negative;
    }
  }

  void find_sgns() {
    Extractor extractor([&](const Node& node) { return constant(node); });
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const auto without = extractor.extract(rates_[i]);
      if (!without) problem(rate_of(text_.state[i].first), 0, "too many products of sums to be multiplied out");
      else rates_without_sgn_.push_back(*without);
      rate_of_occurrence_.resize(extractor.occurrences.size(), i);
    }
    occurrences_ = std::move(extractor.occurrences);
    for (Occurrence& occurrence : occurrences_) orient(occurrence);
    // Those with few constants first, so that what is shared does not depend on the order of the text.
    std::vector<std::pair<std::size_t, std::string>> ranks;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < occurrences_.size(); ++i) {
      std::vector<Factor> constants = occurrences_[i].factors;
      std::erase_if(constants, [](const Factor& f) { return f.divides || !f.constant; });
      ranks.emplace_back(constants.size(), key_of(constants));
      order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return ranks[i] < ranks[j]; });
    for (const std::size_t i : order) join_group(i);
    for (Group& group : groups_) put_first_first(group);
    std::sort(groups_.begin(), groups_.end(),
              [](const Group& x, const Group& y) { return x.members[0].occurrence < y.members[0].occurrence; });
    groups_with_.clear();
    for (std::size_t g = 0; g < groups_.size(); ++g) groups_with_[key_of(groups_[g].arguments)].push_back(g);
  }

  /// Terms with the same theta and the same varying factors are one element if the constants of one are among those of the other,
  /// or if they have a named constant in common; what they do not share stays outside. So a force and its torque R*force are one
  /// element, two coefficients of friction are two.
  void join_group(std::size_t number) {
    const Occurrence& found = occurrences_[number];
    std::vector<Unsigned> arguments = arguments_of(found.sgn);
    std::vector<Node> constants = constants_of(found.factors);
    std::vector<Factor> varying = varying_of(found.factors);
    std::string varying_key = key_of(varying);
    std::vector<std::size_t>& candidates = groups_with_[key_of(arguments)];
    for (const std::size_t g : candidates) {
      Group& group = groups_[g];
      if (group.varying_key != varying_key) continue;
      const std::vector<Node> both = shared(group.common, constants);
      const bool contained = both.size() == group.common.size() || both.size() == constants.size();
      const bool chi_is_one = both.empty() && varying.empty() && group.common.size() + constants.size() > 0;
      if ((!contained && !has_name(both)) || chi_is_one) continue;
      group.common = both;
      group.members.push_back({number, 0, false});
      return;
    }
    candidates.push_back(groups_.size());
    groups_.push_back({found.sgn.parts,
                       std::move(arguments),
                       found.factors,
                       std::move(varying),
                       std::move(varying_key),
                       std::move(constants),
                       {{number, 0, false}},
                       {}});
  }
  /// A group is written as its first member in the text is; the others are components of that.
  void put_first_first(Group& group) const {
    std::sort(group.members.begin(), group.members.end(),
              [](const Group::Member& x, const Group::Member& y) { return x.occurrence < y.occurrence; });
    const Occurrence& first = occurrences_[group.members[0].occurrence];
    group.theta = first.sgn.parts;
    group.arguments = arguments_of(first.sgn);
    group.factors = first.factors;
    group.varying = varying_of(first.factors);
    for (Group::Member& member : group.members) {
      const std::size_t occurrence = member.occurrence;
      member = member_of(group.arguments, arguments_of(occurrences_[occurrence].sgn)[0]);
      member.occurrence = occurrence;
    }
  }

  /// chi, with dio as it was written.
  static Node chi_of(const Group& group) {
    std::vector<Node> left = group.common;
    Node chi = one();
    for (const Factor& f : group.factors) {
      if (f.divides) continue;
      const auto common = find_same(left, f.node);
      if (f.constant && common == left.end()) continue;
      if (f.constant) left.erase(common);
      chi = product(std::move(chi), f.node);
    }
    for (const Factor& f : group.factors)
      if (f.divides && !f.constant) chi = quotient(std::move(chi), f.node);
    return chi;
  }
  static Node term_of(const Group& group) {
    Node sgn{Op::other, 0, group.theta.size() == 1 ? "sgn" : fmt::format("sgn{}", group.theta.size()), group.theta, 0};
    return product(chi_of(group), std::move(sgn));
  }

  std::vector<std::string> term_texts() const {
    std::vector<std::string> list;
    for (const DioFound& dio : dios_) list.push_back(excerpt(dio.node));
    for (const Group& group : groups_) list.push_back(excerpt(term_of(group)));
    return list;
  }

  /// What the user wants of which term.
  void match_wishes() {
    for (DioFound& dio : dios_) dio.by = text_.usual;
    for (Group& group : groups_) group.by = text_.usual;
    for (const bool whole : {false, true})  // of sgn(v) first, then of mu*N*sgn(v)
      for (const auto& [key, wish] : text_.regularise) match_wish(key, wish, whole);
  }
  static void take(Relaxation& by, const Relaxation& wish) {
    for (const auto part : {&Relaxation::K, &Relaxation::beta, &Relaxation::alpha})
      if (wish.*part) by.*part = wish.*part;
    by.nonnegative = by.nonnegative || wish.nonnegative;
    if (!wish.name.empty()) by.name = wish.name;
  }
  void match_wish(const std::string& key, const Relaxation& wish, bool whole) {
    const std::string place = "regularise." + key;
    FormulaProblem wrong;
    const auto formula = Formula::read(key, wrong, set_valued);
    bool good = formula.has_value();
    const auto complain = [&](std::size_t position, const std::string& text) {
      if (!whole) problem(place, position, text);
      good = false;
    };
    if (!formula) return complain(wrong.position, wrong.text);
    check_places(formula->root(), complain);
    if (!good) return;
    std::vector<Relaxation*> meant;
    if (is_dio(formula->root())) {
      if (const auto found = dio_numbers_.find(key_of(formula->root())); found != dio_numbers_.end())
        meant.push_back(&dios_[found->second].by);
      if (wish.nonnegative) complain(0, "nonnegative: a dio is never negative");
    } else {
      Extractor extractor([&](const Node& node) { return constant(node); });
      const auto rest = extractor.extract(formula->root());
      if (!rest || rest->op != Op::name || extractor.occurrences.size() != 1)
        return complain(0, "is neither dio(...) nor a factor times sgn(...)");
      Occurrence& wanted = extractor.occurrences[0];
      orient(wanted);
      // 1*sgn(v) is the term whose chi is 1.
      if (whole != (!wanted.factors.empty() || formula->root().op == Op::multiply)) return;
      if (const auto found = groups_with_.find(key_of(arguments_of(wanted.sgn))); found != groups_with_.end())
        for (const std::size_t g : found->second)
          if (Group& group = groups_[g];
              !whole || (group.varying_key == key_of(varying_of(wanted.factors)) && same_constants(group.common, wanted.factors)))
            meant.push_back(&group.by);
      if (wish.alpha) complain(0, "alpha: only a dio has one");
    }
    if (whole && is_dio(formula->root())) return;
    if (meant.empty()) return problem(place, 0, "there is no such term; there are " + listed(term_texts()));
    if (!wish.name.empty() && meant.size() > 1)
      problem(place, 0, fmt::format("name = {}: {} terms have this argument; write the whole term", wish.name, meant.size()));
    for (Relaxation* by : meant) take(*by, wish);
  }
  static bool same_constants(const std::vector<Node>& common, const std::vector<Factor>& factors) {
    const std::vector<Node> constants = constants_of(factors);
    return std::is_permutation(common.begin(), common.end(), constants.begin(), constants.end(), same);
  }

  /// chi must be continuous and never negative.
  void check_factors() {
    for (const Group& group : groups_) {
      const Occurrence& first = occurrences_[group.members[0].occurrence];
      const std::string place = rate_of(text_.state[rate_of_occurrence_[group.members[0].occurrence]].first);
      for (const Factor& f : group.varying) {
        const Interval range = interval(f.node);
        const bool through_zero = f.divides && !(range.low > 0 || range.high < 0);
        if (through_zero || may_jump(f.node, [&](const Node& leaf) { return range_of(leaf); })) {
          problem(place, f.node.position,
                  fmt::format("{}: its factor {} may jump; what multiplies a sgn must be continuous (min and max are, and a choice "
                              "between what is the same where it switches)",
                              excerpt(node_of(first)), (f.divides ? "1/" : "") + excerpt(f.node)));
          continue;
        }
        const auto times_here =
            std::count_if(group.varying.begin(), group.varying.end(), [&](const Factor& g) { return same(g.node, f.node); });
        if (range.low >= 0 || times_here % 2 == 0 || group.by.nonnegative) continue;
        problem(
            place, f.node.position,
            fmt::format(
                "{}: its factor {} may be negative; if it never is, say [inclusion.regularise] \"{}\" = {{ nonnegative = true }}",
                excerpt(node_of(first)), excerpt(f.node), excerpt(first.sgn)));
      }
    }
  }

  void name_terms() {
    const auto named = [&](const std::string& letter, std::size_t number, const Relaxation& by, const Node& term) {
      if (!by.name.empty()) {
        const bool letters =
            std::all_of(by.name.begin(), by.name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
        const std::string place = fmt::format("regularise.{}: name = {}", excerpt(term), by.name.substr(0, longest_name));
        if (by.name.size() > longest_name)
          problem(place, 0, fmt::format("has {} letters: must be <= {}", by.name.size(), longest_name));
        else if (!letters || std::isdigit(static_cast<unsigned char>(by.name[0])))
          problem(place, 0, "must be of letters, digits and _, and start with none of the digits");
        else if (by.name == "t" || !names_.insert(by.name).second) problem(place, 0, "this name is taken");
        return by.name;
      }
      std::string name = fmt::format("{}{}", letter, number);
      while (!names_.insert(name).second) name += '_';
      return name;
    };
    for (std::size_t i = 0; i < dios_.size(); ++i) dio_names_.push_back(named("d", i + 1, dios_[i].by, dios_[i].node));
    for (const std::string& name : dio_names_) dio_nodes_.push_back(name_node(name));
    for (std::size_t i = 0; i < groups_.size(); ++i) sgn_names_.push_back(named("s", i + 1, groups_[i].by, term_of(groups_[i])));
    for (std::size_t i = 0; i < groups_.size(); ++i)
      for (std::size_t k = 0; groups_[i].theta.size() > 1 && k < groups_[i].theta.size(); ++k)
        if (!names_.insert(component_name(i, k)).second)
          problem("regularise", 0, fmt::format("{}: this name is taken by a component of {}", component_name(i, k), sgn_names_[i]));
  }
  std::string component_name(std::size_t group, std::size_t k) const {
    return groups_[group].theta.size() == 1 ? sgn_names_[group] : sgn_names_[group] + "xyz"[k];
  }

  /// The results of dio by their names.
  Formula with_results(const Node& node) const {
    return Formula(replaced(node, [&](const Node& n) { return is_dio(n) ? &dio_nodes_[dio_numbers_.at(key_of(n))] : nullptr; }));
  }

  /// sign * constants that are not part of chi * the result / constant divisors
  Node outside(const Group& group, const Group::Member& member, const Node& result) const {
    const Occurrence& found = occurrences_[member.occurrence];
    std::vector<Node> extra;
    shared(constants_of(found.factors), group.common, &extra);
    Node node = product(times(one(), extra), result);
    for (const Factor& f : found.factors)
      if (f.divides && f.constant) node = quotient(std::move(node), f.node);
    return found.negative != member.opposite ? negative(std::move(node)) : node;
  }

  void build() {
    model_ = std::make_shared<TextInclusion>();
    TextInclusion& m = *model_;
    m.let_ = text_.let;
    m.notes_ = std::move(notes_);
    try {
      std::vector<Node> placed(occurrences_.size());
      for (std::size_t i = 0; i < dios_.size(); ++i)
        m.dios_.push_back({dio_names_[i], text_of(dios_[i].node), Formula(dios_[i].node.parts[0]), {}});
      for (std::size_t i = 0; i < groups_.size(); ++i) {
        const Group& group = groups_[i];
        Node chi = chi_of(group);
        if (group.by.nonnegative) chi = {Op::max, 0, {}, {number_node(0), std::move(chi)}, 0};
        TextInclusion::SgnTerm term{sgn_names_[i], text_of(term_of(group)), with_results(chi), {}, {}};
        term.asserted = group.by.nonnegative;
        term.vanishes = vanishes(group);
        for (const Node& theta : group.theta) term.theta.push_back(with_results(theta));
        m.sgns_.push_back(std::move(term));
        for (const Group::Member& member : group.members)
          placed[member.occurrence] = outside(group, member, name_node(component_name(i, member.component)));
      }
      for (std::size_t i = 0; i < rates_.size(); ++i) {
        // Written out, x + (-y) is x - y.
        const Node rate = settled(rates_without_sgn_[i], placed);
        m.states_.push_back({text_.state[i].first, text_.state[i].second, with_results(rate)});
      }
    } catch (const std::length_error&) {
      return problem("rate", 0, "too long once its products are multiplied out");
    }
    m.prepare();
  }
  static Node settled(const Node& node, const std::vector<Node>& placed) {
    if (node.op == Op::name && node.word[0] == '#') return placed[std::stoul(node.word.substr(1))];
    if (!any_of(node, [](const Node& n) { return n.op == Op::name && n.word[0] == '#'; })) return node;
    switch (node.op) {
      case Op::add:
        return sum(settled(node.parts[0], placed), settled(node.parts[1], placed));
      case Op::subtract:
        return difference(settled(node.parts[0], placed), settled(node.parts[1], placed));
      case Op::minus:
        return negative(settled(node.parts[0], placed));
      default:
        return quotient(settled(node.parts[0], placed), node.parts[1]);
    }
  }

  // --- at the start ---

  void check_start() {
    const std::vector<double> x = model_->start();
    std::vector<double> xdot(x.size());
    auto work = model_->work<double>();
    model_->rate(0.0, x.data(), 0, xdot.data(), work);
    for (std::size_t i = 0; i < dios_.size(); ++i) dio_start_.push_back(model_->result(i, work));
    for (const auto& [name, value] : text_.state) start_[name] = value;
    for (const auto& [name, value] : text_.let) start_[name] = value;
    start_["t"] = 0;
    for (std::size_t i = 0; i < rates_.size(); ++i) value_at_start(rates_[i], rate_of(text_.state[i].first));
    for (std::size_t i = 0; i < groups_.size(); ++i) check_assertion(groups_[i], model_->sgns_[i].name);
  }
  /// chi >= 0 is what the user says.
  void check_assertion(const Group& group, const std::string& name) {
    if (!group.by.nonnegative) return;
    const auto chi = value_at_start(chi_of(group), "regularise." + excerpt(term_of(group)));
    if (chi && *chi < 0)
      model_->notes_.push_back(fmt::format("{} = {}: nonnegative = true, but its factor is {} at the start; it counts as 0", name,
                                           excerpt(term_of(group)), to_text(*chi)));
  }
  /// Nothing after the first part that is no finite number, which is reported.
  std::optional<double> value_at_start(const Node& node, const std::string& place) {
    if (node.op == Op::name) return start_.at(node.word);
    if (node.op == Op::choose) {
      const auto condition = value_at_start(node.parts[0], place);
      return condition ? value_at_start(node.parts[*condition != 0 ? 1 : 2], place) : std::nullopt;
    }
    Node here{node.op, node.number, node.word, {}, 0};
    for (const Node& part : node.parts) {
      const auto value = value_at_start(part, place);
      if (!value) return std::nullopt;
      here.parts.push_back(number_node(*value));
    }
    if (is_sgn(node)) return 0;
    double value = 0;
    if (is_dio(node)) {
      value = dio_start_[dio_numbers_.at(key_of(node))];
    } else {
      value = Formula(here).value<double>({});
    }
    if (std::isfinite(value)) return value;
    const bool divided = node.op == Op::divide && constant_zero(here.parts[1]);
    problem(place, node.position,
            divided ? fmt::format("{}: divides by zero{}", excerpt(node),
                                  constant(node.parts[1]) ? "" : " at the start, where " + excerpt(node.parts[1]) + " = 0")
                    : fmt::format("{}: is no finite number at the start", excerpt(node)));
    return std::nullopt;
  }
  static bool constant_zero(const Node& node) { return (node.op == Op::minus ? node.parts[0] : node).number == 0; }

  // --- what is left out: reference rules of stability and accuracy ---

  /// The smallest mass that any direction of a term feels: 1/|J M^-1 J^T| at the start; 0 if the term does not resist at all.
  double mass(std::size_t first_result, std::size_t count) const {
    double largest = 0;
    bool resists = true;
    for (std::size_t j = 0; j < count; ++j) {
      double row = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const double effect = -along(model_->seen(first_result + j), model_->push(first_result + k));
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
  double shared_mass(std::size_t first_result, std::size_t count) const {
    const std::size_t contacts = dios_.size(), all = model_->push_.size();
    const auto [from, end] = first_result < contacts ? std::pair(std::size_t(0), contacts) : std::pair(contacts, all);
    double largest = 0;
    for (std::size_t j = first_result; j < first_result + count; ++j) {
      double row = 0;
      for (std::size_t k = from; k < end; ++k) row += std::abs(along(model_->seen(j), model_->push(k)));
      largest = std::max(largest, row);
    }
    return 1 / largest;
  }

  /// Two digits, and none of the rounding behind them.
  static double rounded(double x) { return std::strtod(fmt::format("{:.1e}", x).c_str(), nullptr); }

  void choose() {
    TextInclusion& m = *model_;
    const double T = text_.step;
    for (std::size_t i = 0; i < m.dios_.size(); ++i) {
      TextInclusion::DioTerm& term = m.dios_[i];
      const Relaxation& wish = dios_[i].by;
      term.mass = mass(i, 1);
      // As in the papers: 2 T and 1.6 T, and an impact of about twenty steps.
      std::vector<std::string> chosen;
      const auto pick = [&](std::string_view name, const std::optional<double>& given, double value) {
        if (!given) term.chosen.emplace_back(name), chosen.push_back(fmt::format("{} = {}", name, to_text(value)));
        return given.value_or(value);
      };
      term.by.beta = pick("beta", wish.beta, rounded(wish.alpha ? 1.25 * *wish.alpha : 2 * T));
      term.by.alpha = pick("alpha", wish.alpha, rounded(0.8 * term.by.beta));
      if (!wish.K && !can_choose(term.text, term.mass)) continue;
      const double most = wish.K ? 0 : std::min(0.08 * term.mass, 0.16 * shared_mass(i, 1)) / (T * T);
      term.by.K = pick("K", wish.K, rounded(term.by.alpha / term.by.beta * most));
      say(term.name, term.text, chosen, term.mass);
      check_parameters(term.text, LinearCompliance<>{term.by.K, term.by.alpha, term.by.beta});
    }
    for (std::size_t i = 0; i < m.sgns_.size(); ++i) {
      TextInclusion::SgnTerm& term = m.sgns_[i];
      const Relaxation& wish = groups_[i].by;
      term.mass = mass(m.dios_.size() + m.first_component(i), term.theta.size());
      std::vector<std::string> chosen;
      const auto pick = [&](std::string_view name, const std::optional<double>& given, double value) {
        if (!given) term.chosen.emplace_back(name), chosen.push_back(fmt::format("{} = {}", name, to_text(value)));
        return given.value_or(value);
      };
      term.by.beta = pick("beta", wish.beta, rounded(2 * T));
      if (!wish.K && !can_choose(term.text, term.mass)) continue;
      // Less than half of K <= 1.2 M/T^2, and less than that for all of them and the contacts.
      const std::size_t first = m.dios_.size() + m.first_component(i);
      const double most = wish.K ? 0 : std::min(0.5 * term.mass, shared_mass(first, term.theta.size())) / (T * T);
      term.by.K = pick("K", wish.K, rounded(std::min(1.0, 2 * T / term.by.beta) * most));
      say(term.name, term.text, chosen, term.mass);
      SingleState<> law;
      law.K = term.by.K;
      law.beta = term.by.beta;
      check_parameters(term.text, law);
    }
  }
  bool can_choose(const std::string& term, double effective) {
    if (effective > 0 && text_.step > 0) return true;
    problem("regularise." + term, 0, "K is missing, and cannot be chosen: at the start the term does not act against its argument");
    return false;
  }
  void say(const std::string& name, const std::string& term, const std::vector<std::string>& chosen, double effective) {
    if (!chosen.empty())
      model_->notes_.push_back(fmt::format("{} = {}: {} chosen for a step of {} s and an effective mass of {:.4g}", name, term,
                                           listed(chosen), to_text(text_.step), effective));
    if (effective <= 0)
      model_->notes_.push_back(
          fmt::format("{} = {}: does not act against its argument at the start; is its sign right?", name, term));
  }
  template <class Law>
  void check_parameters(const std::string& term, const Law& law) {
    for (std::string& line : problems_of(law)) problem("regularise." + term, 0, std::move(line));
  }

  const InclusionText& text_;
  std::vector<InclusionProblem>& problems_;
  std::set<std::string> names_;
  std::unordered_map<std::string, double> let_, start_;
  std::vector<Node> rates_, rates_without_sgn_;
  std::vector<DioFound> dios_;
  std::unordered_map<std::string, std::size_t> dio_numbers_;  // by their keys
  std::vector<Node> dio_nodes_;                               // their names
  std::vector<Occurrence> occurrences_;
  std::vector<std::size_t> rate_of_occurrence_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, std::vector<std::size_t>> groups_with_;  // an argument
  std::vector<std::string> dio_names_, sgn_names_, notes_;
  std::vector<double> dio_start_;
  std::shared_ptr<TextInclusion> model_;
};

std::shared_ptr<const TextInclusion> TextInclusion::read(const InclusionText& text, std::vector<InclusionProblem>& problems) {
  return InclusionReader(text, problems).read();
}

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
