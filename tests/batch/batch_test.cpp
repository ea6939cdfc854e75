// The batch row of the law suite: every lane of every instruction set equals the scalar law.
#include "asperity/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "asperity/batch/follow.hpp"
#include "asperity/step.hpp"
#include "batch/systems.hpp"

namespace asperity {
namespace {

using namespace batch_test;

/// How far a lane may be from the scalar law, in ulps of its condition: |answer| plus, for each number that enters, the change of
/// the answer per relative change of that number. One ulp is what rounding every number that enters would do. Two instruction
/// sets may differ by as much: those with FMA round less often.
struct Declared {
  std::string_view law;
  double ulps;
};
constexpr Declared declared[] = {
    // + - * / and comparisons only: the same operations in the same order, the same numbers
    {"threshold", 0},
    {"dahl", 0},
    {"single_state", 0},
    {"single_state_falling", 0},
    {"kelvin_voigt", 0},
    {"kelvin_voigt_clamped", 0},
    {"linear_compliance", 0},
    {"implicit_contact", 0},
    {"frictional_contact", 0},
    // exp, pow, tanh, sin: the words of the lanes against those of the C library
    {"smooth_static", 4},
    {"specker", 4},
    {"lugre", 4},
    {"elastoplastic", 4},
    {"modified_leuven", 4},
    {"gms", 4},
    {"single_state_stribeck", 4},
    {"multistate", 4},
    {"hertz", 4},
    {"hunt_crossley", 4},
    {"nonlinear_compliance", 4},
    {"virtual_mass", 4},
};
double declared_ulps(std::string_view law) {
  for (const Declared& entry : declared)
    if (entry.law == law) return entry.ulps;
  return 4;  // of a law that has declared nothing better
}

template <class Law>
std::vector<double> condition(const std::vector<double>& parameters, const std::vector<double>& state,
                              const std::vector<double>& input, double tau) {
  std::vector<double> numbers = parameters;
  numbers.insert(numbers.end(), state.begin(), state.end());
  numbers.insert(numbers.end(), input.begin(), input.end());
  const auto answer = [&] {
    const auto p = numbers.begin() + static_cast<std::ptrdiff_t>(parameters.size());
    const auto z = p + static_cast<std::ptrdiff_t>(state.size());
    return react<Law>({numbers.begin(), p}, {p, z}, {z, numbers.end()}, tau);
  };
  const std::vector<double> here = answer();
  std::vector<double> sum(here.size());
  std::transform(here.begin(), here.end(), sum.begin(), [](double x) { return std::abs(x); });
  constexpr double change = 0x1p-20;
  for (double& x : numbers) {
    const double kept = x;
    x = kept * (1 + change);
    const std::vector<double> there = answer();
    x = kept;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += std::abs(there[i] - here[i]) / change;
  }
  return sum;
}

template <class Law>
struct Systems {
  static constexpr std::size_t n = 203;  // no multiple of any number of lanes
  Table parameters, states, inputs;

  explicit Systems(unsigned seed) {
    Random random(seed);
    parameters = table(n, [&](std::size_t) { return random.parameters<Law>(); });
    states = table(n, [&](std::size_t) { return random.state<Law>(); });
    inputs = table(n, [&](std::size_t k) { return random.input<Law>(k); });
  }

  Table react_in_lanes(Isa isa, double tau) const {
    const BatchColumns shape = batch_columns(Law::about.name);
    const double untouched = 12345;
    Table answer(shape.forces + shape.states, std::vector<double>(n + 1, untouched));
    std::vector<double*> out = columns(answer);
    const std::vector<double*> force(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(shape.forces));
    const std::vector<double*> rate(out.begin() + static_cast<std::ptrdiff_t>(shape.forces), out.end());
    react_batch(isa, Law::about.name, n, columns(parameters), columns(states), columns(inputs), tau, force, rate);
    for (const auto& column : answer) EXPECT_EQ(column.back(), untouched) << "written beyond the end";
    return answer;
  }
};

class Batch : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!supported(GetParam())) GTEST_SKIP() << "this machine has no " << name(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, Batch, testing::ValuesIn(all_isas), [](const auto& isa) { return std::string(name(isa.param)); });

TEST_P(Batch, EveryLaneIsTheScalarLaw) {
  Catalogue<double>::each([&]<class Law>() {
    SCOPED_TRACE(Law::about.name);
    const Systems<Law> systems(1);
    const double ulps = declared_ulps(Law::about.name);
    double worst = 0;
    for (const double tau : {0.0, 1e-3}) {
      if (Law::about.discrete && tau == 0) continue;
      const Table lanes_say = systems.react_in_lanes(GetParam(), tau);
      for (std::size_t k = 0; k < systems.n; ++k) {
        const auto p = row(systems.parameters, k), z = row(systems.states, k), in = row(systems.inputs, k);
        const auto scalar = react<Law>(p, z, in, tau), scale = condition<Law>(p, z, in, tau);
        for (std::size_t i = 0; i < scalar.size(); ++i) {
          const double error = std::abs(lanes_say[i][k] - scalar[i]);
          const double ulp = std::numeric_limits<double>::epsilon() * scale[i];
          ASSERT_LE(error, ulps * ulp) << "answer " << i << " of system " << k << " at tau = " << tau << ": " << lanes_say[i][k]
                                       << " instead of " << scalar[i];
          if (ulp > 0) worst = std::max(worst, error / ulp);
        }
      }
    }
    RecordProperty(std::string(Law::about.name), std::to_string(worst));
  });
}

TEST_P(Batch, InstructionSetsAgree) {
  constexpr double tau = 1e-3;
  Catalogue<double>::each([&]<class Law>() {
    SCOPED_TRACE(Law::about.name);
    const Systems<Law> systems(2);
    const double ulps = declared_ulps(Law::about.name);
    const Table here = systems.react_in_lanes(GetParam(), tau), baseline = systems.react_in_lanes(Isa::baseline, tau);
    for (std::size_t k = 0; k < systems.n; ++k) {
      const auto scale = condition<Law>(row(systems.parameters, k), row(systems.states, k), row(systems.inputs, k), tau);
      for (std::size_t i = 0; i < here.size(); ++i)
        ASSERT_LE(std::abs(here[i][k] - baseline[i][k]), ulps * std::numeric_limits<double>::epsilon() * scale[i])
            << "answer " << i << " of system " << k;
    }
  });
}

TEST_P(Batch, AnyNumberOfSystemsWorks) {
  const Systems<LuGre<double>> systems(3);
  const Table all = systems.react_in_lanes(GetParam(), 0);
  for (std::size_t n = 0; n <= 2 * lanes(GetParam()) + 1; ++n) {
    std::vector<double> force(n), rate(n);
    double *force_column[] = {force.data()}, *rate_column[] = {rate.data()};
    react_batch(GetParam(), "lugre", n, columns(systems.parameters), columns(systems.states), columns(systems.inputs), 0,
                force_column, rate_column);
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(force[k], all[0][k]);
  }
}

TEST_P(Batch, SamplesOfManySystemsAreStepsOneByOne) {
  constexpr std::size_t n = 150, samples = 70;  // more than a tile of either
  constexpr double h = 1e-3;
  const auto follow = [&]<class Law>(const Law& law, std::vector<double> parameters, auto input_at) {
    std::vector<double> first(n * samples), second(n * samples), force(n * samples), state(n, 0.0);
    for (std::size_t i = 0; i < n * samples; ++i) first[i] = 1e-3 * std::sin(0.37 * double(i)), second[i] = 1 + std::cos(double(i));
    const double* const inputs[] = {first.data(), second.data()};
    double *const forces[] = {force.data()}, *const states[] = {state.data()};
    const double usual[] = {0, 0};
    follow_batch(GetParam(), Law::about.name, n, samples, parameters, states, inputs, usual, h, forces);
    for (std::size_t k = 0; k < n; ++k) {
      auto z = law.start();
      for (std::size_t j = 0; j < samples; ++j) {
        const std::size_t i = k * samples + j;
        ASSERT_EQ(force[i], step(law, z, input_at(first[i], second[i]), h)) << "system " << k << ", sample " << j;
      }
      each_state<Law>([&](double x) { EXPECT_EQ(state[k], x); }, z);
    }
  };
  follow(SingleState<double>{2, 5e3, 1e-3}, {2, 5e3, 1e-3}, [](double v, double load) { return Slip<double>{v, load}; });
  follow(LinearCompliance<double>{1e4, 1e-3, 2e-3}, {1e4, 1e-3, 2e-3}, [](double gap, double rate) {
    return LinearCompliance<double>::Input{gap, rate};
  });
}

/// Masses on random laws of one kind, driven near their breakaway force.
template <class Law>
struct Masses {
  static constexpr std::size_t n = 21;
  Table parameters, drive, state;

  Masses() {
    Random random(4);
    parameters = table(n, [&](std::size_t) { return random.parameters<Law>(); });
    drive = table(n, [&](std::size_t) {
      return std::vector{random.between(0.5, 2), random.between(-1, 1), random.between(0, 4), random.between(300, 3000),
                         random.between(0, 6)};
    });
    state = table(n, [&](std::size_t k) {
      std::vector<double> numbers{0, 0};
      const Law law = law_with<Law>(row(parameters, k));
      auto z = law.start();
      each_state<Law>([&](const double& x) { numbers.push_back(x); }, z);
      return numbers;
    });
  }

  Table run(Isa isa, double h, std::int64_t steps, std::int64_t first, Table from) const {
    rk4_mass_batch(isa, Law::about.name, n, columns(parameters),
                   {drive[0].data(), drive[1].data(), drive[2].data(), drive[3].data(), drive[4].data()}, columns(from), h, steps,
                   first);
    return from;
  }
};

template <class Law>
void switch_modes(const Law& law, std::vector<double>& y) {
  auto z = state_with(law, {y.begin() + 2, y.end()});
  law.transit(z, {y[1], 1});
  std::size_t i = 2;
  each_state<Law>([&](const double& x) { y[i++] = x; }, z);
}

/// The classical Runge-Kutta method over the scalar law, written out; also the largest size that each number reached.
template <class Law>
std::pair<std::vector<double>, std::vector<double>> scalar_rk4(const std::vector<double>& parameters,
                                                               const std::vector<double>& drive, std::vector<double> y, double h,
                                                               int steps) {
  const Law law = law_with<Law>(parameters);
  const auto rate = [&](const std::vector<double>& at, double t) {
    const auto r = react<Law>(parameters, {at.begin() + 2, at.end()}, {at[1], 1}, 0);
    const double force = drive[1] + drive[2] * std::sin(drive[3] * t + drive[4]);
    std::vector<double> ydot{at[1], (force - r[0]) / drive[0]};
    ydot.insert(ydot.end(), r.begin() + 1, r.end());
    return ydot;
  };
  const auto moved = [&](double step, const std::vector<double>& k) {
    std::vector<double> next = y;
    for (std::size_t i = 0; i < y.size(); ++i) next[i] += step * k[i];
    return next;
  };
  std::vector<double> largest(y.size());
  for (int step = 0; step < steps; ++step) {
    const auto k1 = rate(y, step * h);
    const auto k2 = rate(moved(h / 2, k1), (step + 0.5) * h);
    const auto k3 = rate(moved(h / 2, k2), (step + 0.5) * h);
    const auto k4 = rate(moved(h, k3), (step + 1) * h);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    if constexpr (Hybrid<Law>) switch_modes(law, y);
    for (std::size_t i = 0; i < y.size(); ++i) largest[i] = std::max(largest[i], std::abs(y[i]));
  }
  return {y, largest};
}

TEST_P(Batch, MassesMoveAsScalarRungeKuttaSays) {
  // Both commit some ten roundings a step, whose effects friction does not amplify but the stiffest law (rates of 2e5/s over
  // 2e-6 s) may carry along: a thousand roundings a step are allowed, of the largest size each number reached.
  constexpr int steps = 400;
  constexpr double h = 2e-6, tolerance = 1000 * steps * std::numeric_limits<double>::epsilon();
  Catalogue<double>::each([&]<class Law>() {
    if constexpr (Law::about.kind == Kind::friction && !Law::about.discrete) {
      SCOPED_TRACE(Law::about.name);
      const Masses<Law> masses;
      const Table end = masses.run(GetParam(), h, steps, 0, masses.state);
      for (std::size_t k = 0; k < masses.n; ++k) {
        const auto [y, largest] = scalar_rk4<Law>(row(masses.parameters, k), row(masses.drive, k), row(masses.state, k), h, steps);
        EXPECT_GT(largest[1], 0) << "it did not move";
        for (std::size_t i = 0; i < y.size(); ++i)
          ASSERT_LE(std::abs(end[i][k] - y[i]), tolerance * largest[i]) << "number " << i << " of system " << k;
      }
    }
  });
}

TEST_P(Batch, ARunInTwoPartsIsTheRun) {
  const Masses<Multistate<double>> masses;
  const Table whole = masses.run(GetParam(), 2e-6, 50, 0, masses.state);
  const Table half = masses.run(GetParam(), 2e-6, 20, 0, masses.state);
  EXPECT_EQ(masses.run(GetParam(), 2e-6, 30, 20, half), whole);
}

TEST(BatchIsa, TheBestIsSupportedAndBaselineAlways) {
  EXPECT_TRUE(supported(Isa::baseline));
  EXPECT_TRUE(supported(best_isa()));
  for (const Isa isa : all_isas)
    EXPECT_EQ(name(isa), std::string_view(isa == Isa::baseline ? "baseline" : isa == Isa::avx2 ? "avx2" : "avx512"));
#ifdef __x86_64__
  EXPECT_EQ(lanes(Isa::baseline), 2U);
  EXPECT_EQ(lanes(Isa::avx2), 4U);
  EXPECT_EQ(lanes(Isa::avx512), 8U);
#endif
}

TEST(BatchErrors, NameWhatIsWrong) {
  const auto message = [](auto call) {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message([] { batch_columns("lugger"); }), "no law is named lugger");
  EXPECT_EQ(message([] { react_batch(Isa::baseline, "lugre", 0, {}, {}, {}, 0, {}, {}); }),
            "lugre: 0 columns of parameters: must be 7");
  EXPECT_EQ(message([] { rk4_mass_batch(Isa::baseline, "hertz", 0, {}, {}, {}, 1, 1); }),
            "hertz: no friction law in continuous time");
  EXPECT_EQ(message([] { rk4_mass_batch(Isa::baseline, "virtual_mass", 0, {}, {}, {}, 1, 1); }),
            "virtual_mass: no friction law in continuous time");
  for (const Isa isa : all_isas) {
    if (supported(isa)) continue;
    EXPECT_EQ(message([&] { react_batch(isa, "hertz", 0, {}, {}, {}, 0, {}, {}); }), "hertz: 0 columns of parameters: must be 2");
  }
}

}  // namespace
}  // namespace asperity
