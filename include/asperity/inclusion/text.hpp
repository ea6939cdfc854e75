// Inclusions as text: equations of motion with sgn for dry friction and dio for unilateral contact, as in a textbook.
//
//   InclusionText text;
//   text.let = {{"M", 1}, {"F", .5}};
//   text.state = {{"p", 0}, {"v", 0}};
//   text.rate = {{"p", "v"}, {"v", "(sin(t) - F*sgn(v))/M"}};
//   std::vector<InclusionProblem> problems;
//   const auto model = TextInclusion::read(text, problems);  // s1 = chi sgn(theta) with chi = F, theta = v
//   const auto integrator = make_integrator("rk4", *model);
//
// The terms and their factors chi are found by algebra on the formulas; docs/guides/inclusions.md says how. What comes out is the
// same as what inclusion.hpp makes of the same equations in C++.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "asperity/inclusion/inclusion.hpp"
#include "asperity/inclusion/tape.hpp"

namespace asperity {

/// How a term is to be relaxed; what is left out is chosen from the step and the effective mass.
struct Relaxation {
  std::optional<double> K{}, beta{}, alpha{};
  bool nonnegative = false;  // the user says that chi is, where the algebra cannot know
  std::string name{};        // of the term; empty: d1, d2, ..., s1, s2, ...
};

/// An inclusion as it is written.
struct InclusionText {
  std::vector<std::pair<std::string, double>> let;               // constants
  std::vector<std::pair<std::string, double>> state;             // and where they start
  std::vector<std::pair<std::string, std::string>> rate;         // one formula for each state
  Relaxation usual;                                              // of every term
  std::vector<std::pair<std::string, Relaxation>> regularise{};  // of "sgn(v)", "mu*dio(p)*sgn(v)", "dio(p)"
  double step = 1e-3;                                            // s, for what is left out
  bool preload = false;  // the terms start at rest: contacts at their indentation, friction that holds what pulls at it
};

/// `rate.v: position 8: sin(t) may be negative`; position 0: as a whole.
struct InclusionProblem {
  std::string place;
  std::size_t position = 0;
  std::string text;
};
std::string to_text(const InclusionProblem& problem);

/// x' in Phi(t, x), read, looked into and regularised. The flat state: the user's, an e for each dio, D numbers of a for each sgn.
class TextInclusion {
 public:
  /// dio(psi)
  struct DioTerm {
    std::string name;
    std::string text;  // as it was first written
    Formula psi;
    Dio by;
    double mass = 0;                    // effective, at the start
    std::vector<std::string> chosen{};  // the parameters that were left out
  };
  /// chi sgn(theta); with more than one theta, chi theta/|theta|
  struct SgnTerm {
    std::string name;
    std::string text;
    Formula chi;  // with the results of dio by their names
    std::vector<Formula> theta;
    Sgn by;
    double mass = 0;
    std::vector<std::string> chosen{};
    bool asserted = false;  // chi >= 0 is what the user says
    bool vanishes = false;  // chi may be 0: then there is nothing to rub
    /// What `regularise` calls this term and no other of the same theta.
    std::string key() const { return text.starts_with("sgn") ? "1*" + text : text; }
  };
  struct State {
    std::string name;
    double start;
    Formula rate;  // with the results of dio and sgn by their names
  };

  /// Null, and every problem there is.
  static std::shared_ptr<const TextInclusion> read(const InclusionText& text, std::vector<InclusionProblem>& problems);

  const std::vector<std::pair<std::string, double>>& let() const noexcept { return let_; }
  const std::vector<State>& states() const noexcept { return states_; }
  const std::vector<DioTerm>& dios() const noexcept { return dios_; }
  const std::vector<SgnTerm>& sgns() const noexcept { return sgns_; }
  /// What was chosen, and what deserves a look.
  const std::vector<std::string>& notes() const noexcept { return notes_; }
  /// The name of a component of a result: "s1", or "s1x" in the plane.
  static std::string result_name(const SgnTerm& term, std::size_t component);
  /// The names of the appended states: "d1.e", "s1.a", "s1.a.x".
  std::vector<std::string> state_names() const;

  std::size_t size() const noexcept { return states_.size() + dios_.size() + sgn_numbers_; }
  std::vector<double> start() const;

  /// The numbers of an instant: t, the states, the results of dio and of sgn, and whatever the formulas need.
  template <class S>
  using Work = std::vector<S>;
  template <class S>
  Work<S> work() const;
  /// Allocates nothing. For double, Dual<1> and Dual<8>.
  template <class S>
  void rate(const S& t, const S* x, double tau, S* xdot, Work<S>& work) const;

  // As integrators want it. One thread at a time.
  void rate(double t, std::span<const double> x, double tau, std::span<double> xdot) const {
    rate(t, x.data(), tau, xdot.data(), work_);
  }
  void rate(double t, std::span<const Dual<8>> x, double tau, std::span<Dual<8>> xdot) const {
    rate(Dual<8>(t), x.data(), tau, xdot.data(), dual_work_);
  }
  void between_steps(double, std::span<double>) const noexcept {}
  bool has_derivatives() const noexcept { return true; }
  Pattern coupling() const { return Pattern::full(size()); }

  // What the terms see, in the numbers of the last rate().
  double psi(std::size_t dio, const Work<double>& work) const { return work[psi_[dio]]; }
  double chi(std::size_t sgn, const Work<double>& work) const { return work[chi_[sgn]]; }
  double theta(std::size_t component, const Work<double>& work) const { return work[theta_[component]]; }
  double result(std::size_t number, const Work<double>& work) const { return work[1 + states_.size() + number]; }
  /// The rates at which the psi grow while x changes by xdot: dual numbers of an instant.
  void follow(double t, const double* x, const double* xdot, Work<Dual<1>>& course) const;
  double psi_rate(std::size_t dio, const Work<Dual<1>>& course) const { return course[psi_[dio]].v[0]; }

  /// How many results there are: one of each dio, the components of each sgn.
  std::size_t results() const noexcept { return dios_.size() + sgn_numbers_; }
  /// How something changes with states: (state, derivative), in their order, around the start.
  using Slopes = std::vector<std::pair<std::size_t, double>>;
  /// What a unit of a result does to the rates of the states, J^T, ...
  const Slopes& push(std::size_t result) const noexcept { return push_[result]; }
  /// ... and the velocities conjugate to it, J: theta, and for a dio, which pushes psi open, minus the rate of psi.
  const Slopes& seen(std::size_t result) const noexcept { return seen_[result]; }
  /// Where the first component of a sgn stands among all of them.
  std::size_t first_component(std::size_t sgn) const noexcept { return first_[sgn]; }

 private:
  friend class InclusionReader;
  void prepare();
  void look_around();
  bool load();
  template <class S>
  void evaluate(const S& t, const S* x, const S& tau, S* xdot, S* numbers) const;

  std::vector<std::pair<std::string, double>> let_;
  std::vector<State> states_;
  std::vector<DioTerm> dios_;
  std::vector<SgnTerm> sgns_;
  std::vector<std::string> notes_;

  std::size_t sgn_numbers_ = 0;
  std::vector<std::size_t> first_;
  Tape tape_;
  std::size_t after_psi_ = 0, after_theta_ = 0;          // operations
  std::vector<std::uint32_t> rate_, psi_, chi_, theta_;  // places of values
  std::vector<Slopes> push_, seen_;                      // of each result
  std::vector<double> loaded_;                           // states of the terms at the start, if they are loaded
  mutable Work<double> work_;
  mutable Work<Dual<8>> dual_work_;
};

enum class Explanation { text, latex, cpp };
/// The terms that were found and the differential equation that they became; as C++, a function that makes the same of
/// inclusion.hpp.
std::string explain(const TextInclusion& model, Explanation form, const std::string& title = "");

}  // namespace asperity
