// From the formulas of an inclusion to its terms.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "algebra.hpp"
#include "asperity/inclusion/text.hpp"
#include "asperity/parameters.hpp"
#include "choose_parameters.hpp"
#include "interval.hpp"
#include "sgn_groups.hpp"

namespace asperity {

using namespace algebra;

namespace {

const std::vector<std::string> set_valued{"dio", "sgn", "sgn2", "sgn3"};

}  // namespace

std::string to_text(const InclusionProblem& problem) {
  const std::string place = problem.place.empty() ? "" : problem.place + ": ";
  return place + to_text(FormulaProblem{problem.position, problem.text});
}

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
    if (!read || read->root().op != Op::name || read->root().word != name || name == "t" || name == "time" ||
        name.find('.') != std::string::npos) {
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
  bool vanishes(const SgnGroup& group) const {
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
    for (SgnGroup& group : groups_) put_first_first(group);
    std::sort(groups_.begin(), groups_.end(),
              [](const SgnGroup& x, const SgnGroup& y) { return x.members[0].occurrence < y.members[0].occurrence; });
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
      SgnGroup& group = groups_[g];
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
  void put_first_first(SgnGroup& group) const {
    std::sort(group.members.begin(), group.members.end(),
              [](const SgnGroup::Member& x, const SgnGroup::Member& y) { return x.occurrence < y.occurrence; });
    const Occurrence& first = occurrences_[group.members[0].occurrence];
    group.theta = first.sgn.parts;
    group.arguments = arguments_of(first.sgn);
    group.factors = first.factors;
    group.varying = varying_of(first.factors);
    for (SgnGroup::Member& member : group.members) {
      const std::size_t occurrence = member.occurrence;
      member = member_of(group.arguments, arguments_of(occurrences_[occurrence].sgn)[0]);
      member.occurrence = occurrence;
    }
  }

  std::vector<std::string> term_texts() const {
    std::vector<std::string> list;
    for (const DioFound& dio : dios_) list.push_back(excerpt(dio.node));
    for (const SgnGroup& group : groups_) list.push_back(excerpt(term_of(group)));
    return list;
  }

  /// What the user wants of which term.
  void match_wishes() {
    for (DioFound& dio : dios_) dio.by = text_.usual;
    for (SgnGroup& group : groups_) group.by = text_.usual;
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
          if (SgnGroup& group = groups_[g];
              !whole || (group.varying_key == key_of(varying_of(wanted.factors)) && same_constants(group.common, wanted.factors)))
            meant.push_back(&group.by);
      if (wish.alpha) complain(0, "alpha: only a dio has one");
    }
    if (whole && is_dio(formula->root())) return;
    if (meant.empty())
      return problem(place, 0, "there is no such term; there are " + fmt::format("{}", fmt::join(term_texts(), ", ")));
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
    for (const SgnGroup& group : groups_) {
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
  Node outside(const SgnGroup& group, const SgnGroup::Member& member, const Node& result) const {
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
        const SgnGroup& group = groups_[i];
        Node chi = chi_of(group);
        if (group.by.nonnegative) chi = {Op::max, 0, {}, {number_node(0), std::move(chi)}, 0};
        TextInclusion::SgnTerm term{sgn_names_[i], text_of(term_of(group)), with_results(chi), {}, {}};
        term.asserted = group.by.nonnegative;
        term.vanishes = vanishes(group);
        for (const Node& theta : group.theta) term.theta.push_back(with_results(theta));
        m.sgns_.push_back(std::move(term));
        for (const SgnGroup::Member& member : group.members)
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
  void check_assertion(const SgnGroup& group, const std::string& name) {
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

  void choose() {
    ParameterChoice by(*model_, text_.step, model_->notes_, problems_);
    for (std::size_t i = 0; i < dios_.size(); ++i) by.choose(model_->dios_[i], i, dios_[i].by);
    for (std::size_t i = 0; i < groups_.size(); ++i) by.choose(model_->sgns_[i], i, groups_[i].by);
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
  std::vector<SgnGroup> groups_;
  std::unordered_map<std::string, std::vector<std::size_t>> groups_with_;  // an argument
  std::vector<std::string> dio_names_, sgn_names_, notes_;
  std::vector<double> dio_start_;
  std::shared_ptr<TextInclusion> model_;
};

std::shared_ptr<const TextInclusion> TextInclusion::read(const InclusionText& text, std::vector<InclusionProblem>& problems) {
  return InclusionReader(text, problems).read();
}

}  // namespace asperity
