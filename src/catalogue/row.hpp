// Instantiates the laws of a row for callers that know them by name.
#include "asperity/any_law.hpp"
#include "asperity/statics.hpp"
#include "asperity/step.hpp"
#include "catalogue/rows.hpp"
#include "row_names.hpp"

namespace asperity {
namespace {

template <class Law, int highest>
class LawByName final : public AnyLaw {
 public:
  /// An aggregate takes a number, too: as its first parameter.
  static constexpr bool of_elements = std::constructible_from<Law, int> && !std::is_aggregate_v<Law>;

  std::unique_ptr<AnyLaw> clone() const override { return std::make_unique<LawByName>(*this); }

  const About& about() const noexcept override { return Law::about; }
  std::string type_name() const override {
    const std::string_view text = __PRETTY_FUNCTION__;  // "... Law = asperity::Name<double>; ..."
    const std::size_t equals = text.find("Law = "), end = text.find_first_of("<,;]", equals), colon = text.rfind(':', end);
    return std::string(text.substr(colon + 1, end - colon - 1));
  }
  int highest_dimension() const noexcept override { return highest; }
  bool hybrid() const noexcept override { return Hybrid<Law>; }
  bool has_elements() const noexcept override { return of_elements; }

  std::vector<Parameter> parameters() const override { return parameters_of(law_); }
  std::optional<std::string> set(std::string_view name, const std::vector<double>& values) override {
    return set_parameter(law_, name, values);
  }
  void set_elements(int n) override {
    if constexpr (of_elements) law_ = Law(n);
  }
  std::vector<std::string> problems() const override { return problems_of(law_); }

  std::vector<StateEntry> states() const override {
    std::vector<StateEntry> all;
    auto z = law_.start();
    Law::states(
        [&](std::string_view name, std::string_view unit, std::string_view meaning, auto& member) {
          std::size_t count = 0;
          each_number([&](double&) { ++count; }, member);
          for (std::size_t i = 1; i <= count; ++i) {
            const bool list = requires { member.size(); };
            all.push_back(
                {std::string(name) + (list ? "[" + std::to_string(i) + "]" : ""), std::string(unit), std::string(meaning)});
          }
        },
        z);
    return all;
  }
  std::vector<double> start() const override {
    auto z = law_.start();
    std::vector<double> flat;
    each_state<Law>([&](double& x) { flat.push_back(x); }, z);
    return flat;
  }
  ContactForce react(std::span<const double> state, const Motion& motion, double tau, std::span<double> rate) const override {
    const auto r = law_.react(load(state), input(motion), tau);
    std::size_t i = 0;
    each_state<Law>([&](const double& x) { rate[i++] = x; }, r.rate);
    return force_of(r.f);
  }
  void transit(std::span<double> state, const Motion& motion) const override {
    if constexpr (Hybrid<Law>) {
      auto z = load(state);
      law_.transit(z, input(motion));
      save(z, state);
    }
  }
  double energy(std::span<const double> state, const Motion& motion) const override {
    return law_.energy(load(state), input(motion));
  }

  void follow(std::span<double> state, const SampledMotion& motion, double h, double* normal, double* tangential) const override {
    auto z = load(state);
    // The usual case of a friction law is a loop that does nothing else.
    if constexpr (Law::about.kind == Kind::friction) {
      if (motion.velocity && !motion.load && tangential && !normal) {
        const Law law = law_;  // a number that is written could be one of this object, for all that a compiler knows
        for (std::size_t k = 0; k < motion.count; ++k) tangential[k] = step(law, z, {motion.velocity[k], 1.0}, h);
        return save(z, state);
      }
    }
    for (std::size_t k = 0; k < motion.count; ++k) {
      const ContactForce force = force_of(step(law_, z, input(motion.at(k)), h));
      if (normal) normal[k] = force.normal;
      if (tangential) tangential[k] = force.tangential;
    }
    save(z, state);
  }

  double elastic_stiffness() const override {
    if constexpr (Law::about.kind == Kind::composite) return statics::stiffness(law_.tangential, 1.0).K;
    else return statics::stiffness(law_, 1.0).K;
  }

 private:
  typename Law::State load(std::span<const double> flat) const {
    auto z = law_.start();
    std::size_t i = 0;
    each_state<Law>([&](double& x) { x = flat[i++]; }, z);
    return z;
  }
  static void save(const typename Law::State& z, std::span<double> flat) {
    std::size_t i = 0;
    each_state<Law>([&](const double& x) { flat[i++] = x; }, z);
  }
  static ContactForce force_of(const typename Law::Force& f) {
    if constexpr (Law::about.kind == Kind::friction) return {0, f};
    else if constexpr (Law::about.kind == Kind::contact) return {f, 0};
    else return {f.normal, f.tangential};
  }
  static typename Law::Input input(const Motion& motion) {
    if constexpr (Law::about.kind == Kind::friction) return {motion.velocity, motion.load};
    else if constexpr (Law::about.kind == Kind::contact) return {motion.gap, motion.gap_rate};
    else return {motion.gap, motion.gap_rate, motion.velocity};
  }

  Law law_{};
};

static_assert(all_admitted<RowLaws<double, 1, default_elements>>());

template <class Law, class InSpace>
std::unique_ptr<AnyLaw> make() {
  return std::make_unique<LawByName<Law, InSpace::dimension>>();
}

template <class List, class InSpace>
struct Entries;
template <class... Laws, class... InSpace>
struct Entries<LawList<Laws...>, LawList<InSpace...>> {
  static constexpr rows::catalogue::Entry all[] = {{&Laws::about, make<Laws, InSpace>}...};
};

}  // namespace

namespace rows::catalogue {

#define ASPERITY_ROW ASPERITY_JOIN(row_, , ASPERITY_ROW_NAME)
extern const Row ASPERITY_ROW;
const Row ASPERITY_ROW{Entries<RowLaws<double, 1, dynamic>, RowLaws<double, 3, dynamic>>::all, RowLaws<double, 1, dynamic>::size};

}  // namespace rows::catalogue
}  // namespace asperity
