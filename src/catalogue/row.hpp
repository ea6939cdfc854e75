// Instantiates the laws of a row for callers that know them by name.
#include "asperity/any_law.hpp"
#include "asperity/statics.hpp"
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
    if constexpr (Law::about.kind == Kind::friction) return {0, r.f};
    else if constexpr (Law::about.kind == Kind::contact) return {r.f, 0};
    else return {r.f.normal, r.f.tangential};
  }
  void transit(std::span<double> state, const Motion& motion) const override {
    if constexpr (Hybrid<Law>) {
      auto z = load(state);
      law_.transit(z, input(motion));
      std::size_t i = 0;
      each_state<Law>([&](const double& x) { state[i++] = x; }, z);
    }
  }
  double energy(std::span<const double> state, const Motion& motion) const override {
    return law_.energy(load(state), input(motion));
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
