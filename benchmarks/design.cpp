#include "design.hpp"

#include <fmt/format.h>

#include <memory>

#include "asperity/contact/nonlinear_compliance.hpp"
#include "asperity/design/contact.hpp"
#include "asperity/design/restitution.hpp"
#include "design/collision.hpp"

namespace {

using namespace asperity;
using namespace asperity::design;

/// At this tolerance a map of the nonlinear law is right to 1e-4 everywhere: better than its colours can show.
constexpr double tolerance = 1e-4;

/// Restitutions of the nonlinear law over beta1 and the speed.
struct RestitutionMap {
  std::unique_ptr<AnyLaw> law = make_law("nonlinear_compliance");
  std::vector<Sweep> sweeps;

  explicit RestitutionMap(std::size_t width) : sweeps{{"beta1", 0, 6e-3, width}, {"v0", .1, 10, width, true}} {}

  std::vector<double> cells(Isa isa, int threads, double to = tolerance) const {
    return restitutions(*law, 1, 1, sweeps, {.tolerance = to, .isa = isa, .threads = threads});
  }
  static double sum(const std::vector<double>& cells) {
    double all = 0;
    for (const double e : cells) all += e;
    return all;
  }
  double scalar() const {
    double all = 0;
    for (std::size_t row = 0; row < sweeps[1].count; ++row)
      for (std::size_t column = 0; column < sweeps[0].count; ++column) {
        NonlinearCompliance<double> one;
        one.beta1 = sweeps[0].at(column);
        all += impact::Collision(one, 1.0, sweeps[1].at(row)).run(tolerance, false).restitution;
      }
    return all;
  }
};

}  // namespace

void design_contests(const std::function<void(Contest)>& hold) {
  {
    const RestitutionMap map(120);
    const auto converged = map.cells(best_isa(), 1, 1e-10), found = map.cells(best_isa(), 1);
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i] - converged[i]));
    Contest contest{
        fmt::format("restitution, error <= {:.1g}", worst), 120 * 120, true, {{"scalar", [&] { return map.scalar(); }}}, 5};
    for (const Isa isa : all_isas)
      if (supported(isa))
        contest.contenders.push_back(
            {std::string(name(isa)), [&map, isa] { return map.sum(map.cells(isa, 1)); }, isa == Isa::avx512 ? 4.0 : 0.0});
    hold(std::move(contest));
  }
  {
    // One way to get a restitution of 0.5 is to simulate until it comes out: the design costs a few of these impacts, check run
    // included.
    const auto law = make_law("linear_compliance");
    const ContactWish wish{.mass = 1, .bounces = {{1, .5}}, .size = 1e-3};
    std::vector<std::string> problems;
    const ContactDesign designed = design_contact(wish, problems).value();
    const auto& linear = std::get<LinearCompliance<>>(designed.law);
    law->set("K", {linear.K});
    law->set("alpha", {linear.alpha});
    law->set("beta", {linear.beta});
    constexpr int repeats = 20;
    hold({"a contact with restitution 0.5",
          repeats,
          false,
          {{"one impact simulated to 1e-10",
            [&] {
              double all = 0;
              for (int i = 0; i < repeats; ++i) all += simulated_rebound(*law, 1, 1).restitution;
              return all;
            }},
           {"designed",
            [&] {
              double all = 0;
              for (int i = 0; i < repeats; ++i) all += design_contact(wish, problems)->predicted.restitution;
              return all;
            }}},
          20});
  }
  const RestitutionMap map(1000);
  hold({"restitution, 1e6 cells",
        1e6,
        true,
        {{"1 thread", [&] { return map.sum(map.cells(best_isa(), 1)); }},
         {"2 threads", [&] { return map.sum(map.cells(best_isa(), 2)); }, 1.7}},
        3,
        true});
}
