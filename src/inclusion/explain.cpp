#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "asperity/inclusion/text.hpp"
#include "asperity/parameters.hpp"
#include "symbol.hpp"
#include "writers.hpp"

namespace asperity {

using namespace algebra;

namespace {

using DioTerm = TextInclusion::DioTerm;
using SgnTerm = TextInclusion::SgnTerm;

/// The differential equation, line by line: a name, whether its rate is meant, and the right side.
struct Equation {
  Node left;
  bool rate;
  Node right;
};

/// The law that a term became, asked for its equation. `state` is what the state of the term is called.
std::vector<Equation> law_of(const DioTerm& term, const std::string& state) {
  LinearCompliance<Symbol> law;
  law.K = Symbol(term.by.K);
  law.alpha = Symbol(term.by.alpha);
  law.beta = Symbol(term.by.beta);
  const auto r = law.react({Symbol(state)}, {Symbol(term.psi.root()), Symbol(0.0)}, Symbol(0.0));
  return {{name_node(term.name), false, r.f.node}, {name_node(state), true, r.rate.e.node}};
}
std::vector<Equation> law_of(const SgnTerm& term, const std::string& state) {
  SingleState<Symbol> law;
  law.K = Symbol(term.by.K);
  law.beta = Symbol(term.by.beta);
  Symbol theta(term.theta[0].root());
  if (term.theta.size() > 1) {
    // The law of a vector reads as that of a number.
    Node vector{Op::other, 0, "", {}, 0};
    for (const Formula& part : term.theta) vector.parts.push_back(part.root());
    theta = Symbol(std::move(vector));
  }
  const auto force = law.react({Symbol(state)}, {theta, Symbol(term.chi.root())}, Symbol(0.0));
  // The force is known by its name; the rate is written with it.
  const Node name = name_node(term.name);
  const Node rate = replaced(force.rate.a.node, [&](const Node& n) { return n == force.f.node ? &name : nullptr; });
  return {{name, false, force.f.node}, {name_node(state), true, rate}};
}

std::vector<Equation> equations_of(const TextInclusion& model, const std::function<std::string(const std::string&, char)>& state) {
  std::vector<Equation> list;
  const auto add = [&](std::vector<Equation> more) { list.insert(list.end(), more.begin(), more.end()); };
  for (const auto& s : model.states()) list.push_back({name_node(s.name), true, s.rate.root()});
  for (const DioTerm& term : model.dios()) add(law_of(term, state(term.name, 'e')));
  for (const SgnTerm& term : model.sgns()) add(law_of(term, state(term.name, 'a')));
  return list;
}

std::string assignments(const std::vector<std::pair<std::string, double>>& list) {
  std::string text;
  for (const auto& [name, value] : list) text += (text.empty() ? "" : ", ") + name + " = " + to_text(value);
  return text;
}
std::vector<std::pair<std::string, double>> starts(const TextInclusion& model) {
  std::vector<std::pair<std::string, double>> list;
  const std::vector<std::string> names = model.state_names();
  const std::vector<double> x = model.start();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i < model.states().size() || x[i] != 0) list.emplace_back(names[i], x[i]);
  return list;
}

/// Left sides in one column, right sides in the other.
std::string aligned(const std::vector<std::pair<std::string, std::string>>& rows, std::string_view between) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string text;
  for (const auto& [left, right] : rows) text += fmt::format("  {:<{}}{}{}\n", left, width, between, right);
  return text;
}

std::string as_text(const TextInclusion& model, const std::string& title) {
  std::string text = title.empty() ? "" : title + "\n\n";
  if (!model.let().empty()) text += "constants  " + assignments(model.let()) + "\n";
  text += "start      " + assignments(starts(model)) + "\n";

  std::vector<std::pair<std::string, std::string>> terms;
  for (const DioTerm& term : model.dios())
    terms.emplace_back(fmt::format("{} = {}", term.name, term.text),
                       fmt::format("psi = {}; K = {}, beta = {} s, alpha = {} s", term.psi.text(), to_text(term.by.K),
                                   to_text(term.by.beta), to_text(term.by.alpha)));
  for (const SgnTerm& term : model.sgns()) {
    std::vector<std::string> theta;
    for (const Formula& part : term.theta) theta.push_back(part.text());
    terms.emplace_back(
        fmt::format("{} = {}", term.name, term.text),
        fmt::format("chi = {}{}, theta = {}; K = {}, beta = {} s", term.chi.text(), term.asserted ? " (>= 0 by your word)" : "",
                    theta.size() == 1 ? theta[0] : fmt::format("({})", fmt::join(theta, ", ")), to_text(term.by.K),
                    to_text(term.by.beta)));
  }
  if (!terms.empty()) text += "\nset-valued terms\n" + aligned(terms, "   ");

  std::vector<std::pair<std::string, std::string>> rows;
  for (const Equation& e : equations_of(model, [](const std::string&term, char letter) { return term + "." + letter; }))
    rows.emplace_back(text_of(e.left) + (e.rate ? "'" : ""), text_of(e.right));
  text += "\nordinary differential equation\n" + aligned(rows, " = ");
  if (!model.notes().empty()) text += "\nnotes\n";
  for (const std::string& note : model.notes()) text += "  " + note + "\n";
  return text;
}

std::string as_latex(const TextInclusion& model, const std::string& title) {
  std::string text = title.empty() ? "" : "% " + title + "\n";
  const auto state = [](const std::string& term, char letter) { return std::string(1, letter) + "_" + term; };
  const auto row = [&](const Node& left, bool rate, const Node& right) {
    text += fmt::format("  {} &= {} \\\\\n", latex_name(left.word, rate), to_latex(right));
  };
  text += "\\begin{align}\n";
  for (const Equation& e : equations_of(model, state)) row(e.left, e.rate, e.right);
  for (const auto& [name, value] : model.let()) row(name_node(name), false, number_node(value));
  text.erase(text.size() - 4, 3);  // the last line break
  return text + "\\end{align}\n";
}

/// "Two blocks, a wall" -> two_blocks_a_wall
std::string identifier(const std::string& title) {
  std::string name;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c))) name += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '_') name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return CppWriter::function_name(name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "model_" + name : name);
}

std::string as_cpp(const TextInclusion& model, const std::string& title) {
  CppWriter cpp;
  // Names of the user go first; those of this function step aside.
  std::vector<std::string> words;
  for (const auto& [name, value] : model.let()) words.push_back(name);
  for (const auto& s : model.states()) words.push_back(s.name);
  for (const DioTerm& term : model.dios()) words.push_back(term.name);
  for (const SgnTerm& term : model.sgns()) words.push_back(term.name);
  cpp.claim(words);
  std::set<std::string> taken;
  for (const std::string& word : words) taken.insert(cpp.name(word));
  const auto unused = [&](std::string name) {
    while (!taken.insert(name).second) name += '_';
    return name;
  };
  const std::string in = unused("in"), x = unused("x");
  const auto component = [&](const Node& node) -> std::optional<std::string> {
    for (const SgnTerm& term : model.sgns())
      for (std::size_t k = 0; term.theta.size() > 1 && k < term.theta.size(); ++k)
        if (node.word == TextInclusion::result_name(term, k)) return fmt::format("{}[{}]", cpp.name(term.name), k);
    return std::nullopt;
  };
  cpp.words = component;

  std::string body;
  std::vector<std::string> names, rates;
  for (const DioTerm& term : model.dios())
    body += fmt::format("    const auto {} = {}.dio({}, Dio{{.K = {}, .beta = {}, .alpha = {}}});\n", cpp.name(term.name), in,
                        cpp.text(term.psi.root()), cpp.number(term.by.K), cpp.number(term.by.beta), cpp.number(term.by.alpha));
  for (const SgnTerm& term : model.sgns()) {
    std::vector<std::string> theta;
    for (const Formula& part : term.theta) theta.push_back(cpp.text(part.root()));
    const std::string argument =
        theta.size() == 1 ? theta[0] : fmt::format("VecN<S, {}>{{{{{}}}}}", theta.size(), fmt::join(theta, ", "));
    if (theta.size() > 1) cpp.needs_scalar = true;
    body += fmt::format("    const auto {} = {}.sgn({}, {}, Sgn{{.K = {}, .beta = {}}});\n", cpp.name(term.name), in,
                        cpp.text(term.chi.root()), argument, cpp.number(term.by.K), cpp.number(term.by.beta));
  }
  for (const auto& s : model.states()) {
    names.push_back(cpp.name(s.name));
    rates.push_back(cpp.text(s.rate.root()));
  }
  body += fmt::format("    return {}.rates({});\n", in, fmt::join(rates, ",\n                    "));

  std::string text = "// Made by `asperity explain`" + (title.empty() ? "" : ": " + title) + ".\n#pragma once\n\n";
  text += "#include <cmath>\n\n#include \"asperity/inclusion/inclusion.hpp\"\n\n";
  text += fmt::format("inline auto {}() {{\n  using namespace asperity;\n", identifier(title));
  for (const auto& [name, value] : model.let())
    if (cpp.used.contains(name)) text += fmt::format("  constexpr double {} = {};\n", cpp.name(name), cpp.number(value));
  std::vector<std::string> start, loaded;
  const std::vector<double> x0 = model.start();
  for (std::size_t i = 0; i < x0.size(); ++i) (i < model.states().size() ? start : loaded).push_back(cpp.number(x0[i]));
  const bool is_loaded = std::any_of(x0.begin() + std::ptrdiff_t(start.size()), x0.end(), [](double e) { return e != 0; });
  text += fmt::format(
      "  return inclusion(std::array{{{}}}, [=]([[maybe_unused]] auto& {}, [[maybe_unused]] const auto& t, const auto& {}) {{\n",
      fmt::join(start, ", "), in, x);
  if (cpp.needs_scalar) text += fmt::format("    using S = std::decay_t<decltype({}[0])>;\n", x);
  for (const std::string& function : cpp.functions) text += fmt::format("    using std::{};\n", function);
  text += fmt::format("    const auto& [{}] = {};\n", fmt::join(names, ", "), x);
  return text + body + "  }" + (is_loaded ? fmt::format(", {{{}}}", fmt::join(loaded, ", ")) : "") + ");\n}\n";
}

}  // namespace

std::string explain(const TextInclusion& model, Explanation form, const std::string& given_title) {
  std::string title = given_title;  // on one line: it goes into comments
  std::replace_if(
      title.begin(), title.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
  return form == Explanation::text    ? as_text(model, title)
         : form == Explanation::latex ? as_latex(model, title)
                                      : as_cpp(model, title);
}

}  // namespace asperity
