#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <memory>

#include "asperity/trace.hpp"

namespace asperity {
namespace {

/// A formula with its own t, so that copies of a TimeFunction can share one compiled parser.
struct Formula {
  mu::Parser parser;
  double t = 0;

  explicit Formula(const std::string& text) {
    parser.DefineConst("pi", 3.14159265358979323846);
    parser.DefineConst("e", 2.71828182845904523536);
    parser.DefineFun("floor", [](double x) { return std::floor(x); });
    parser.DefineFun("mod", [](double x, double y) { return x - y * std::floor(x / y); });
    parser.DefineVar("t", &t);
    parser.SetExpr(text);
  }
};

/// muParser would let `t = 3` set the time.
std::optional<std::size_t> assignment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
    } else if (i == 0 || std::string_view("<>!=").find(text[i - 1]) == std::string_view::npos) {
      return i;
    }
  }
  return std::nullopt;
}

std::string reason(const mu::Parser::exception_type& error) {
  switch (error.GetCode()) {
    case mu::ecUNEXPECTED_EOF:
      return "unexpected end";
    case mu::ecMISSING_PARENS:
      return "a closing parenthesis is missing";
    case mu::ecUNEXPECTED_PARENS:
      return "unexpected parenthesis";
    case mu::ecTOO_FEW_PARAMS:
      return fmt::format("too few arguments for {}", error.GetToken());
    case mu::ecTOO_MANY_PARAMS:
      return fmt::format("too many arguments for {}", error.GetToken());
    case mu::ecUNASSIGNABLE_TOKEN:
      return fmt::format("unknown name \"{}\"; known are t, pi, e, sin, cos, exp, sqrt, abs, min, max, ...", error.GetToken());
    default:
      return error.GetToken().empty() ? error.GetMsg() : fmt::format("unexpected \"{}\"", error.GetToken());
  }
}

}  // namespace

std::optional<TimeFunction> time_function(std::string_view place, const std::string& formula, Problems& problems) {
  if (formula.find_first_not_of(" \t") == std::string::npos) {
    problems.push_back(fmt::format("{} \"{}\": the formula is empty", place, formula));
    return std::nullopt;
  }
  if (const auto at = assignment(formula)) {
    problems.push_back(fmt::format("{} \"{}\": position {}: unexpected \"=\"; to compare, write ==", place, formula, *at + 1));
    return std::nullopt;
  }
  try {
    auto compiled = std::make_shared<Formula>(formula);
    compiled->parser.Eval();
    if (compiled->parser.GetNumResults() != 1) {
      problems.push_back(fmt::format("{} \"{}\": {} formulas given: must be 1", place, formula, compiled->parser.GetNumResults()));
      return std::nullopt;
    }
    return [compiled](double t) {
      compiled->t = t;
      return compiled->parser.Eval();
    };
  } catch (const mu::Parser::exception_type& error) {
    const bool inside = error.GetPos() >= 0 && error.GetPos() < static_cast<int>(formula.size());
    const auto position = inside ? static_cast<std::size_t>(error.GetPos()) : formula.size();
    problems.push_back(fmt::format("{} \"{}\": position {}: {}", place, formula, position + 1, reason(error)));
    return std::nullopt;
  }
}

}  // namespace asperity
