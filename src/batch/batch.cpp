#include "asperity/batch.hpp"

#include <stdexcept>
#include <string>

#include "asperity/catalogue.hpp"
#include "kernels.hpp"

namespace asperity {
namespace {

const simd::Kernels* kernels(Isa isa) noexcept {
  switch (isa) {
    case Isa::baseline:
      return &simd::Baseline_kernels;
#ifdef ASPERITY_BATCH_X86
    case Isa::avx2:
      return &simd::Avx2_kernels;
    case Isa::avx512:
      return &simd::Avx512_kernels;
#else
    case Isa::avx2:
    case Isa::avx512:
      break;
#endif
  }
  return nullptr;
}

template <class Law>
BatchColumns columns_of() {
  constexpr bool composite = Law::about.kind == Kind::composite;
  return {.parameters = static_cast<std::size_t>(parameter_count(Law{})),
          .states = static_cast<std::size_t>(state_size(Law{})),
          .inputs = composite ? 3U : 2U,
          .forces = composite ? 2U : 1U,
          .mass = Law::about.kind == Kind::friction && !Law::about.discrete};
}

struct Entry {
  std::size_t index = 0;  // in the catalogue
  BatchColumns columns{};
};

Entry find(std::string_view law) {
  std::size_t index = 0;
  Entry found{};
  bool known = false;
  Catalogue<double>::each([&]<class Law>() {
    if (Law::about.name == law) {
      found = {index, columns_of<Law>()};
      known = true;
    }
    ++index;
  });
  if (!known) throw std::invalid_argument("no law is named " + std::string(law));
  return found;
}

const simd::LawKernels& kernels_for(Isa isa, std::size_t index) {
  if (!supported(isa)) throw std::invalid_argument("this machine or this build has no " + std::string(name(isa)));
  return kernels(isa)->laws[index];
}

void check(std::string_view law, std::string_view what, std::size_t given, std::size_t wanted) {
  if (given != wanted)
    throw std::invalid_argument(std::string(law) + ": " + std::to_string(given) + " columns of " + std::string(what) +
                                ": must be " + std::to_string(wanted));
}

}  // namespace

bool supported(Isa isa) noexcept {
#ifdef ASPERITY_BATCH_X86
  // The sets are those of the compile options in CMakeLists.txt.
  if (isa == Isa::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (isa == Isa::avx512)
    return supported(Isa::avx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
  return isa == Isa::baseline;
}

Isa best_isa() noexcept {
  Isa best = Isa::baseline;
  for (const Isa isa : all_isas)
    if (supported(isa)) best = isa;
  return best;
}

std::string_view name(Isa isa) noexcept {
  switch (isa) {
    case Isa::baseline:
      return "baseline";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "unknown";
}

std::size_t lanes(Isa isa) noexcept {
  const simd::Kernels* found = kernels(isa);
  return found ? found->lanes : 0;
}

BatchColumns batch_columns(std::string_view law) { return find(law).columns; }

void react_batch(Isa isa, std::string_view law, std::size_t n, ColumnList parameters, ColumnList states, ColumnList inputs,
                 double tau, MutableColumnList force, MutableColumnList rate) {
  const auto [index, columns] = find(law);
  check(law, "parameters", parameters.size(), columns.parameters);
  check(law, "states", states.size(), columns.states);
  check(law, "inputs", inputs.size(), columns.inputs);
  check(law, "force", force.size(), columns.forces);
  check(law, "rate", rate.size(), columns.states);
  kernels_for(isa, index).react({n, parameters.data(), states.data(), inputs.data(), tau, force.data(), rate.data()});
}

void rk4_mass_batch(Isa isa, std::string_view law, std::size_t n, ColumnList parameters, const MassDrive& drive,
                    MutableColumnList state, double h, std::int64_t steps, std::int64_t first) {
  const auto [index, columns] = find(law);
  if (!columns.mass) throw std::invalid_argument(std::string(law) + ": no friction law in continuous time");
  check(law, "parameters", parameters.size(), columns.parameters);
  check(law, "state", state.size(), columns.states + 2);
  kernels_for(isa, index).rk4_mass({n, parameters.data(), drive, state.data(), h, steps, first});
}

}  // namespace asperity
