// The law of laws: what admits a law to the catalogue. One typed suite; a law gets it by being listed.
// The rows `batch` (tests/batch/batch_test.cpp) and `silent` (tests/batch/control_path_test.cpp) run over the same catalogue.
#include <ceres/jet.h>

#include <set>

#include "asperity/statics.hpp"
#include "laws/cases.hpp"
#include "scalars/archetype.hpp"
#include "scalars/dimension.hpp"

namespace asperity::testing {
namespace {

template <class C>
class LawSuite : public ::testing::Test {
 public:
  using PlainLaw = typename C::template Law<double>;
  using Number = ceres::Jet<double, 1>;
  using JetLaw = typename C::template Law<Number>;
  static constexpr int draws = 400;

  /// The same law, state, motion over Jets, with one direction of change.
  static JetLaw to_jet(PlainLaw law, const PlainLaw& direction = zero_law()) {
    JetLaw out{};
    std::vector<double> value, slope;
    each_parameter(law, [&](double& x) { value.push_back(x); });
    PlainLaw d = direction;
    each_parameter(d, [&](double& x) { slope.push_back(x); });
    std::size_t i = 0;
    each_parameter(out, [&](Number& x) {
      x = Number(value[i]);
      x.v[0] = slope[i++];
    });
    return out;
  }
  static PlainLaw zero_law() {
    PlainLaw law{};
    each_parameter(law, [](double& x) { x = 0; });
    return law;
  }
  static typename JetLaw::State to_jet(const JetLaw& law, const typename PlainLaw::State& z,
                                       const typename PlainLaw::State& direction) {
    auto out = law.start();
    const auto value = flat_state<PlainLaw>(z), slope = flat_state<PlainLaw>(direction);
    std::size_t i = 0;
    each_state<JetLaw>(
        [&](Number& x) {
          x = Number(value[i]);
          x.v[0] = slope[i++];
        },
        out);
    return out;
  }
  static typename JetLaw::Input to_jet(typename PlainLaw::Input in, typename PlainLaw::Input direction) {
    typename JetLaw::Input out{};
    std::vector<double> value, slope;
    each_motion([&](double& x) { value.push_back(x); }, in);
    each_motion([&](double& x) { slope.push_back(x); }, direction);
    std::size_t i = 0;
    each_motion(
        [&](Number& x) {
          x = Number(value[i]);
          x.v[0] = slope[i++];
        },
        out);
    if constexpr (requires { in.load; }) {
      out.load = Number(in.load);
      out.load.v[0] = direction.load;
    }
    return out;
  }
  static typename PlainLaw::Input no_motion() {
    typename PlainLaw::Input in{};
    if constexpr (requires { in.load; }) in.load = 0;
    return in;
  }
};
TYPED_TEST_SUITE(LawSuite, AllCases, CaseName);

TYPED_TEST(LawSuite, Finite) {
  using Law = typename TestFixture::PlainLaw;
  Draw draw(1);
  const auto expect_finite = [](const auto& law, const auto& z, const auto& in, double tau) {
    const auto r = law.react(z, in, tau);
    for (const double x : flat_force(r.f)) ASSERT_TRUE(std::isfinite(x)) << "force, tau = " << tau;
    for (const double x : flat_state<Law>(r.rate)) ASSERT_TRUE(std::isfinite(x)) << "rate, tau = " << tau;
    for (const double x : flat_force(law.bound(z, in, tau))) ASSERT_TRUE(std::isfinite(x)) << "bound";
    ASSERT_TRUE(std::isfinite(law.energy(z, in)));
  };
  for (int k = 0; k < this->draws; ++k) {
    const Law law = draw.law<Law>();
    const auto z = draw.state(law);
    const auto in = draw.template input<Law>();
    if (!Law::about.discrete) expect_finite(law, z, in, 0.0);
    expect_finite(law, z, in, draw.step());
    typename Law::Input rest{};
    if constexpr (requires { rest.load; }) rest.load = 0;
    expect_finite(law, law.start(), rest, draw.step());
    if (!Law::about.discrete) expect_finite(law, z, rest, 0.0);
  }
  // At the ends of the described ranges, where they belong to them: a range that includes 0 means it.
  for (const Parameter& p : parameters_of(Law{})) {
    for (const double end : {p.range.low, p.range.high}) {
      Law law{};
      if (!p.range.contains(end) || set_parameter(law, p.name, {end}) || !problems_of(law).empty()) continue;
      for (int k = 0; k < 50; ++k) {
        const auto z = draw.state(law);
        const auto in = draw.template input<Law>();
        if (!Law::about.discrete) expect_finite(law, z, in, 0.0);
        expect_finite(law, z, in, draw.step());
      }
    }
  }
}

// A state that starts at zero is a deflection and turns with the motion; one that does not (the lagged limit) is a size and stays.
TYPED_TEST(LawSuite, Odd) {
  using Law = typename TestFixture::PlainLaw;
  Draw draw(2);
  int asymmetric = 0;
  for (int k = 0; k < this->draws; ++k) {
    const Law law = draw.law<Law>();
    const auto z = draw.state(law);
    auto in = draw.template input<Law>();
    const double tau = draw.step();
    const auto r = law.react(z, in, tau);
    auto turned = z;
    auto start = law.start();
    each_state<Law>([](double& x, const double& first) { x = first == 0 ? -x : x; }, turned, start);
    each_motion([](double& x) { x = -x; }, in);
    auto expected = flat_force(r.f);
    for (double& x : expected) x = -x;
    const auto found = flat_force(law.react(turned, in, tau).f);
    if (Law::about.odd) {
      for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[i]);
    } else {
      asymmetric += found != expected;
    }
  }
  if (!Law::about.odd) {
    EXPECT_GT(asymmetric, 0) << "declared asymmetric, but is not";
  }
}

TYPED_TEST(LawSuite, Bounded) {
  using Law = typename TestFixture::PlainLaw;
  Draw draw(3);
  for (int k = 0; k < this->draws; ++k) {
    const Law law = draw.law<Law>();
    auto z = draw.state(law);
    const auto in = draw.template input<Law>();
    const double tau = draw.step();
    const auto bound = law.bound(z, in, tau);
    const auto f = law.react(z, in, tau).f;
    const auto inside = [](double force, double limit) { return force <= limit * (1 + 1e-12) + 1e-300; };
    if constexpr (requires { f.normal; }) {
      ASSERT_PRED2(inside, f.normal, bound.normal);
      ASSERT_PRED2(inside, magnitude(f.tangential), bound.tangential);
    } else {
      ASSERT_PRED2(inside, magnitude(f), bound);
    }
    if (Law::about.kind == Kind::contact && !has(Law::about.quirks, Quirk::sticky)) {
      ASSERT_GE(flat_force(f)[0], 0) << "contact pulls";
    }
  }
}

TYPED_TEST(LawSuite, Rest) {
  using Law = typename TestFixture::PlainLaw;
  Draw draw(4);
  for (int k = 0; k < 20; ++k) {
    const Law law = draw.law<Law>();
    for (const double tau : {0.0, 1e-3}) {
      if (tau == 0 && Law::about.discrete) continue;
      const auto r = law.react(law.start(), typename Law::Input{}, tau);
      for (const double x : flat_force(r.f)) EXPECT_EQ(x, 0);
      for (const double x : flat_state<Law>(r.rate)) EXPECT_EQ(x, 0);
    }
  }
}

// Where a stored energy is declared: power in >= d energy/dt, along the flow, by automatic differentiation of energy().
/// What a bristle would have at rest under any load: all that it is bent by.
template <class Law>
double elastic_force(const Law& law, const typename Law::State& z, double load) {
  typename Law::Input in{};
  in.load = load;
  return magnitude(law.react(z, in, 0.0).f);
}

// Bristle laws certify it only while the bristle's force is below the limit; exceptions_test.cpp shows that beyond it they do not.
template <class Law>
bool certified(const Law& law, const typename Law::State& z, const typename Law::Input& in) {
  if constexpr (Law::about.kind == Kind::friction && has(Law::about.quirks, Quirk::drifts))
    return elastic_force(law, z, 1e9) <= statics::lowest_limit(law, in.load) || !statics::has_role(law, Role::damping);
  else return true;
}

/// Whether a bristle is bent further than its load can bear; what it loses then it loses at the rate of the step's beginning.
template <class Law>
bool sheds(const Law& law, const typename Law::State& z, const typename Law::Input& in) {
  if constexpr (requires { law.normal; }) {
    const double load = std::max(0.0, law.normal.react(z.normal, {in.gap, in.rate}, 0.0).f);
    return sheds(law.tangential, z.tangential, {in.v, load});
  } else if constexpr (Law::about.kind == Kind::friction && has(Law::about.quirks, Quirk::drifts)) {
    return elastic_force(law, z, in.load) != elastic_force(law, z, 1e9);
  } else {
    return false;
  }
}

TYPED_TEST(LawSuite, Passive) {
  using Law = typename TestFixture::PlainLaw;
  using Jet = typename TestFixture::Number;
  Draw draw(5);
  if (!Law::about.stores) {
    // Over closed cycles of a periodic motion, once the state has become periodic too: work in >= 0.
    for (int k = 0; k < 20; ++k) {
      const Law law = draw.law<Law>();
      auto z = law.start();
      typename Law::Input in{};
      const double amplitude = Law::about.kind == Kind::contact ? draw.decades(1e-4, 1e-2) : draw.decades(1e-7, 1e-2);
      const double omega = draw.decades(1, 100);
      const int steps = 4000;
      double work = 0;
      const double h = 2 * 3.14159265358979323846 / omega / steps;
      for (int n = 0; n < 5 * steps; ++n) {
        const double phase = omega * h * (n + 1);
        if constexpr (requires { in.gap; }) {
          in.gap = amplitude * std::cos(phase);
          in.rate = -amplitude * omega * std::sin(phase);
        } else {
          each_number([&](double& x) { x = amplitude * omega * std::cos(phase); }, in.v);
        }
        const auto f = step(law, z, in, h);
        if (n >= 4 * steps) work += h * power(f, in);
      }
      EXPECT_GE(work, -1e-12 * amplitude) << "amplitude " << amplitude << ", omega " << omega;
    }
    return;
  }
  int checked = 0;
  for (int k = 0; k < this->draws; ++k) {
    const Law law = draw.law<Law>();
    auto in = draw.template input<Law>();
    if constexpr (requires { in.load; }) in.load = 1;
    auto z = law.start();
    for (int n = static_cast<int>(draw.uniform(0, 20)); n > 0; --n) {
      auto earlier = draw.template input<Law>();
      if constexpr (requires { in.load; }) earlier.load = 1;
      step(law, z, earlier, draw.step());
    }
    if (!certified(law, z, in)) continue;
    ++checked;
    if (Law::about.discrete) {  // over one step, which is the only time there is
      const double h = draw.step();
      auto end = z;
      if constexpr (requires { z.e; }) in.gap = draw.decades(1e-6, 1e-2) - z.e + h * in.rate;  // the gap was open: gap + e >= 0
      const auto f = step(law, end, in, h);
      const double before = law.energy(z, in), after = law.energy(end, in), work = h * power(f, in);
      EXPECT_LE(after - before, work + 1e-12 * (std::abs(work) + before + after));
      continue;
    }
    const auto r = law.react(z, in, 0.0);
    const auto jet_law = TestFixture::to_jet(law);
    auto flow = in;
    if constexpr (requires { in.gap; }) flow.gap = in.rate, flow.rate = 0;
    if constexpr (requires { in.v; }) each_number([](double& x) { x = 0; }, flow.v);
    const Jet energy = jet_law.energy(TestFixture::to_jet(jet_law, z, r.rate), TestFixture::to_jet(in, flow));
    const double in_flow = power(r.f, in), stored = energy.v[0];
    EXPECT_GE(in_flow, stored - 1e-9 * (std::abs(in_flow) + std::abs(stored)) - 1e-15);
  }
  EXPECT_GT(checked, this->draws / 10);
}

/// By how much the end of a step of a discrete law misses its set-valued law, relative to the force at stake.
template <class Law>
double inclusion_error(const Law& law, const typename Law::State& z, const typename Law::Input& in, double h) {
  const auto r = law.react(z, in, h);
  if constexpr (requires { z.w; }) {  // virtual mass: g = f - M wdot in phi(w+) Sgn(w+)
    const auto w = z.w + h * r.rate.w;
    const auto g = r.f - law.M * r.rate.w;
    const double speed = magnitude(w), phi = law.limit(speed) * in.load + law.D * speed;
    if (speed < 1e-15) return std::max(0.0, magnitude(g) - phi) / (phi + 1e-12);
    // g is what is left of pulls that may be much larger than phi, when a light proxy is torn along at speed
    return magnitude(g - (phi / speed) * w) / (phi + magnitude(r.f) + (law.M / h + law.B + h * law.K) * (speed + magnitude(z.w)));
  } else if constexpr (requires {
                         z.e;
                       }) {  // implicit contact: f >= 0, gap + e+ >= 0, one of them zero, f = K (e+ + beta edot) in touch
    const double e = z.e + h * r.rate.e, size = std::abs(z.e) + std::abs(in.gap), stiff = law.K * (1 + law.beta / h);
    const double f_in_touch = r.f > 0 ? std::abs(r.f - law.K * (e + law.beta * r.rate.e)) : 0;
    return std::max({-r.f / (stiff * size + 1e-12), -(in.gap + e) / (size + 1e-12),
                     std::min(r.f / stiff, in.gap + e) / (size + 1e-12), f_in_touch / (stiff * size + 1e-12)});
  } else {
    return 1;
  }
}

// At the end of a step, z+ = z + h zdot(tau = h), the law itself holds: react(z+, ., 0) gives the same force and rate. A discrete
// law has no tau = 0; there the set-valued law is checked as it is written.
TYPED_TEST(LawSuite, Implicit) {
  using Law = typename TestFixture::PlainLaw;
  Draw draw(6);
  double worst = 0;
  for (int k = 0; k < this->draws; ++k) {
    const Law law = draw.law<Law>();
    auto z = draw.state(law);
    auto in = draw.template input<Law>();
    if constexpr (requires { in.load; }) in.load = draw.decades(0.1, 10);
    const double h = draw.step();
    if (Law::about.discrete) {
      worst = std::max(worst, inclusion_error(law, z, in, h));
      continue;
    }
    if (Law::about.implicit && sheds(law, z, in)) continue;
    const auto r = law.react(z, in, h);
    auto end = z;
    advance<Law>(end, r.rate, h);
    const auto at_end = law.react(end, in, 0.0);
    const auto f = flat_force(r.f), f_end = flat_force(at_end.f);
    double scale = 1e-12;
    for (const double x : flat_force(law.bound(z, in, h))) scale = std::max(scale, x);
    for (std::size_t i = 0; i < f.size(); ++i) worst = std::max(worst, std::abs(f[i] - f_end[i]) / scale);
    const auto begin = flat_state<Law>(z), rate = flat_state<Law>(r.rate), rate_end = flat_state<Law>(at_end.rate);
    double moved = 0;
    each_motion([&](const double& x) { moved = std::max(moved, std::abs(x) * (Law::about.kind == Kind::friction ? h : 1)); }, in);
    for (std::size_t i = 0; i < rate.size(); ++i)
      worst = std::max(worst, h * std::abs(rate[i] - rate_end[i]) / (std::abs(begin[i]) + h * std::abs(rate[i]) + moved + 1e-12));
  }
  if (Law::about.implicit) {
    EXPECT_LT(worst, 1e-9);
  } else {
    EXPECT_GT(worst, 1e-6) << "declared not implicit, but is";
  }
}

TYPED_TEST(LawSuite, LookAheadVanishes) {
  using Law = typename TestFixture::PlainLaw;
  Draw draw(7);
  bool undefined = false;
  for (int k = 0; k < this->draws; ++k) {
    const Law law = draw.law<Law>();
    const auto z = draw.state(law);
    auto in = draw.template input<Law>();
    if constexpr (requires { in.load; }) in.load = draw.decades(0.1, 10);
    const auto ode = flat_force(law.react(z, in, 0.0).f);
    if (Law::about.discrete) {
      for (const double x : ode) undefined = undefined || !std::isfinite(x);
      continue;
    }
    double error[2];
    const double scale = flat_force(law.bound(z, in, 0.0))[0] + 1e-12;
    for (int i = 0; i < 2; ++i) {
      const auto near = flat_force(law.react(z, in, i == 0 ? 1e-20 : 1e-40).f);
      error[i] = 0;
      for (std::size_t j = 0; j < ode.size(); ++j) error[i] = std::max(error[i], std::abs(near[j] - ode[j]) / scale);
    }
    EXPECT_LT(error[1], 1e-6);
    EXPECT_LE(error[1], error[0] + 1e-9);
  }
  if (Law::about.discrete) {
    EXPECT_TRUE(undefined) << "declared discrete, but defined without a step";
  }
}

// The Jet's derivative of the force along a random direction of parameters, state and motion equals a central difference, away from
// kinks: where the two one-sided differences disagree there is one.
TYPED_TEST(LawSuite, Derivative) {
  using Law = typename TestFixture::PlainLaw;
  Draw draw(8);
  int checked = 0;
  for (int k = 0; k < this->draws; ++k) {
    const Law law = draw.law<Law>();
    const auto z = draw.state(law);
    auto in = draw.template input<Law>();
    if constexpr (requires { in.load; }) in.load = draw.decades(0.5, 2);
    const double tau = draw.step();

    Law direction = law;
    each_parameter(direction, [&](double& x) { x *= draw.uniform(-1, 1); });
    auto state_direction = z;
    each_state<Law>([&](double& x) { x *= draw.uniform(-1, 1); }, state_direction);
    if constexpr (Hybrid<Law>) state_direction = law.start();  // a mode has no derivative
    auto motion_direction = in;
    each_motion([&](double& x) { x *= draw.uniform(-1, 1); }, motion_direction);
    if constexpr (requires { in.load; }) motion_direction.load *= draw.uniform(-1, 1);

    const auto at = [&](double t) {
      Law moved = law;
      std::vector<double> slope;
      each_parameter(direction, [&](double& x) { slope.push_back(x); });
      std::size_t i = 0;
      each_parameter(moved, [&](double& x) { x += t * slope[i++]; });
      auto zt = z;
      advance<Law>(zt, state_direction, t);
      auto it = in;
      std::vector<double> motion;
      each_motion([&](double& x) { motion.push_back(x); }, motion_direction);
      i = 0;
      each_motion([&](double& x) { x += t * motion[i++]; }, it);
      if constexpr (requires { in.load; }) it.load += t * motion_direction.load;
      return flat_force(moved.react(zt, it, tau).f);
    };
    const auto jet_law = TestFixture::to_jet(law, direction);
    auto jet_force = jet_law
                         .react(TestFixture::to_jet(jet_law, z, state_direction), TestFixture::to_jet(in, motion_direction),
                                typename TestFixture::Number(tau))
                         .f;
    std::vector<double> slope;
    each_force([&](auto& x) { slope.push_back(x.v[0]); }, jet_force);

    const double t = 1e-5;
    const auto f0 = at(0), fp = at(t), fm = at(-t);
    double size = 0;
    for (const double x : f0) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < f0.size(); ++i) {
      const double forward = (fp[i] - f0[i]) / t, backward = (f0[i] - fm[i]) / t, central = (fp[i] - fm[i]) / (2 * t);
      if (std::abs(forward - backward) > 1e-3 * (std::abs(central) + size)) continue;
      ++checked;
      EXPECT_NEAR(slope[i], central, 2e-4 * (std::abs(central) + size) + 1e-9);
    }
  }
  EXPECT_GT(checked, this->draws / 2);
}

TYPED_TEST(LawSuite, Dimension) {
  using DimensionedLaw = typename TypeParam::template Law<Dimensioned>;
  constexpr bool at_compile_time = dimensionally_consistent<DimensionedLaw>();
  EXPECT_TRUE(at_compile_time);
}

TYPED_TEST(LawSuite, Archetype) {
  using Law = typename TypeParam::template Law<Archetype>;
  const Law law{};
  auto z = law.start();
  typename Law::Input in{};
  if constexpr (requires { in.gap; }) in.gap = Archetype(-1e-3), in.rate = Archetype(-0.1);
  if constexpr (requires { in.v; }) each_number([](Archetype& x) { x = Archetype(0.01); }, in.v);
  auto f = step(law, z, in, Archetype(1e-3));
  // The same numbers as double: the archetype is a scalar, not a stub.
  using Plain = typename TestFixture::PlainLaw;
  const Plain plain{};
  auto y = plain.start();
  typename Plain::Input motion{};
  if constexpr (requires { motion.gap; }) motion.gap = -1e-3, motion.rate = -0.1;
  if constexpr (requires { motion.v; }) each_number([](double& x) { x = 0.01; }, motion.v);
  const auto expected = flat_force(step(plain, y, motion, 1e-3));
  std::size_t i = 0;
  each_force([&](Archetype& x) { EXPECT_EQ(x.number(), expected[i++]); }, f);
  EXPECT_EQ(law.energy(z, in).number(), plain.energy(y, motion));
  (void)law.bound(z, in, Archetype(1e-3));
}

TYPED_TEST(LawSuite, Described) {
  using Law = typename TestFixture::PlainLaw;
  static_assert(fully_described<Law>, "a parameter is missing from describe(), or one is described twice");
  Draw draw(9);
  Law law = draw.law<Law>();

  std::set<std::string> names;
  std::set<const void*> places;
  std::size_t numbers = 0;
  law.describe([&](std::string_view name, auto& value, std::string_view unit, const Range& range, std::string_view meaning) {
    EXPECT_TRUE(names.insert(std::string(name)).second) << name << " is described twice";
    each_number(
        [&](double& x) {
          places.insert(&x), ++numbers;
          EXPECT_TRUE(range.contains(x));
        },
        value);
    EXPECT_FALSE(unit.empty());
    EXPECT_FALSE(meaning.empty());
  });
  EXPECT_EQ(places.size(), numbers);
  EXPECT_TRUE(problems_of(Law{}).empty()) << "the defaults must be valid: " << problems_of(Law{})[0];

  // TOML there and back is the identity.
  Law back{};
  const auto problems = from_toml(back, to_toml(law));
  EXPECT_TRUE(problems.empty()) << problems[0];
  std::vector<double> sent, received;
  each_parameter(law, [&](double& x) { sent.push_back(x); });
  each_parameter(back, [&](double& x) { received.push_back(x); });
  EXPECT_EQ(sent, received);

  // Out of range is refused with name, value and bound, and changes nothing.
  for (const Parameter& p : parameters_of(Law{})) {
    const double inf = std::numeric_limits<double>::infinity();
    for (const double bad :
         {p.range.low_open ? p.range.low : p.range.low - 1, p.range.high < inf ? p.range.high + 1 : inf, std::nan("")}) {
      if (bad == -inf) continue;
      Law changed{};
      ASSERT_FALSE(set_parameter(changed, p.name, {bad}));
      const auto lines = problems_of(changed);
      ASSERT_FALSE(lines.empty()) << p.name << " = " << bad << " was accepted";
      EXPECT_EQ(lines[0].find(p.name), 0u) << lines[0];
      EXPECT_NE(lines[0].find("must be " + (std::isfinite(bad) ? to_text(p.range) : std::string("a finite number"))),
                std::string::npos)
          << lines[0];
    }
  }
  Law untouched{};
  EXPECT_FALSE(from_toml(untouched, "no_such_parameter = 1.0").empty());
  EXPECT_EQ(to_toml(untouched), to_toml(Law{}));

  // States are named, and as many as the flat state.
  int state_numbers = 0;
  auto z = law.start();
  Law::states(
      [&](std::string_view name, std::string_view unit, std::string_view meaning, auto& member) {
        EXPECT_FALSE(name.empty() || unit.empty() || meaning.empty());
        each_number([&](double&) { ++state_numbers; }, member);
      },
      z);
  EXPECT_EQ(sizeof(z), std::is_empty_v<typename Law::State> ? 1 : state_numbers * sizeof(double));
}

TYPED_TEST(LawSuite, SaysWhatItIs) {
  const About& about = TestFixture::PlainLaw::about;
  for (const auto text : {about.name, about.title, about.equation, about.source, about.step, about.use, about.avoid, about.cannot})
    EXPECT_FALSE(text.empty());
  EXPECT_EQ(about.quirks == Quirk::none, about.quirk_note.empty() || about.kind == Kind::composite)
      << "an exception without a word on it";
}

}  // namespace
}  // namespace asperity::testing
