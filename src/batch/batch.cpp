#include "asperity/batch.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "asperity/batch/follow.hpp"
#include "batch/rows.hpp"

namespace asperity {
namespace {

const rows::batch::Table* kernels(Isa isa) noexcept {
  switch (isa) {
    case Isa::baseline:
      return &rows::batch::tableBaseline;
#ifdef ASPERITY_BATCH_X86
    case Isa::avx2:
      return &rows::batch::tableAvx2;
    case Isa::avx512:
      return &rows::batch::tableAvx512;
#else
    case Isa::avx2:
    case Isa::avx512:
      break;
#endif
  }
  return nullptr;
}

/// The names of a row, in `laws` or in `others`.
const rows::batch::Entry* find(const rows::batch::Entry* list, std::size_t count, std::string_view law, std::string_view with,
                               int dimension) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    if (list[i].dimension == dimension && std::string_view(list[i].name, list[i].name_size) == law &&
        std::string_view(list[i].with, list[i].with_size) == with)
      return &list[i];
  return nullptr;
}

// Columns are the same for every instruction set: what is wrong with them is said before what the machine lacks.
const rows::batch::Entry& find(std::string_view law, Isa isa = Isa::baseline) {
  if (!supported(isa)) throw std::invalid_argument("this machine or this build has no " + std::string(name(isa)));
  const rows::batch::Table& table = *kernels(isa);
  for (std::size_t r = 0; r < table.count; ++r)
    if (const auto* entry = find(table.rows[r]->laws, table.rows[r]->count, law, {}, 1)) return *entry;
  throw std::invalid_argument("no law is named " + std::string(law));
}

void check(std::string_view law, std::string_view what, std::size_t given, std::size_t wanted) {
  if (given != wanted)
    throw std::invalid_argument(std::string(law) + ": " + std::to_string(given) + " columns of " + std::string(what) +
                                ": must be " + std::to_string(wanted));
}

}  // namespace

namespace simd {

const rows::batch::Entry* find_law(Isa isa, std::string_view kind, int dimension) noexcept {
  const rows::batch::Table* table = kernels(isa);
  const std::size_t plus = kind.find('+');
  const std::string_view law = kind.substr(0, plus), with = plus == kind.npos ? std::string_view() : kind.substr(plus + 1);
  for (std::size_t r = 0; table && r < table->count; ++r) {
    const rows::batch::Row& row = *table->rows[r];
    if (const auto* entry = find(row.laws, row.count, law, with, dimension)) return entry;
    if (const auto* entry = find(row.others, row.other_count, law, with, dimension)) return entry;
  }
  return nullptr;
}

}  // namespace simd

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
  const rows::batch::Table* found = kernels(isa);
  return found ? found->rows[0]->lanes : 0;
}

BatchColumns batch_columns(std::string_view law) {
  const rows::batch::Entry& entry = find(law);
  return {entry.parameters, entry.states, entry.inputs, entry.forces, entry.rk4_mass != nullptr};
}

void react_batch(Isa isa, std::string_view law, std::size_t n, ColumnList parameters, ColumnList states, ColumnList inputs,
                 double tau, MutableColumnList force, MutableColumnList rate) {
  const rows::batch::Entry& kernel = find(law);
  check(law, "parameters", parameters.size(), kernel.parameters);
  check(law, "states", states.size(), kernel.states);
  check(law, "inputs", inputs.size(), kernel.inputs);
  check(law, "force", force.size(), kernel.forces);
  check(law, "rate", rate.size(), kernel.states);
  find(law, isa).react({n, parameters.data(), states.data(), inputs.data(), tau, force.data(), rate.data()});
}

void follow_batch(Isa isa, std::string_view law, std::size_t n, std::size_t samples, std::span<const double> parameters,
                  MutableColumnList states, ColumnList inputs, std::span<const double> usual, double h, MutableColumnList force) {
  const rows::batch::Entry& kernel = find(law);
  check(law, "parameters", parameters.size(), kernel.parameters);
  check(law, "states", states.size(), kernel.states);
  check(law, "inputs", inputs.size(), kernel.inputs);
  check(law, "usual inputs", usual.size(), kernel.inputs);
  check(law, "force", force.size(), kernel.forces);
  const rows::batch::Entry& wide = find(law, isa);
  // Lanes want neighbouring systems side by side: a tile of systems and samples is turned round, and stays in the cache.
  constexpr std::size_t most_systems = 128, most_samples = 64;
  constexpr std::size_t tile = most_systems * most_samples;
  std::vector<double> turned((inputs.size() + force.size()) * tile), rates(kernel.states * most_systems);
  std::vector<const double*> numbers, z, in(inputs.size());
  std::vector<double*> rate, f(force.size());
  for (const double& number : parameters) numbers.push_back(&number);
  for (std::size_t i = 0; i < kernel.states; ++i) rate.push_back(rates.data() + i * most_systems);
  const auto same = std::make_unique<bool[]>(parameters.size() + 1);
  std::fill_n(same.get(), parameters.size(), true);
  for (std::size_t i = 0; i < inputs.size(); ++i) std::fill_n(turned.begin() + std::ptrdiff_t(i * tile), tile, usual[i]);
  // A line of the cache of each system at a time.
  const auto each_of_tile = [](std::size_t systems, std::size_t length, auto&& move) {
    constexpr std::size_t line = 8;
    for (std::size_t begin = 0; begin < length; begin += line)
      for (std::size_t k = 0; k < systems; ++k)
        for (std::size_t j = begin; j < std::min(begin + line, length); ++j) move(k, j);
  };
  for (std::size_t first = 0; first < n; first += most_systems) {
    const std::size_t count = std::min(most_systems, n - first);
    z.assign(states.begin(), states.end());
    for (const double*& column : z) column += first;
    for (std::size_t begin = 0; begin < samples; begin += most_samples) {
      const std::size_t length = std::min(most_samples, samples - begin);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const double* const from = inputs[i])
          each_of_tile(count, length, [&, to = turned.data() + i * tile](std::size_t k, std::size_t j) {
            to[j * most_systems + k] = from[(first + k) * samples + begin + j];
          });
      for (std::size_t j = 0; j < length; ++j) {
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = turned.data() + i * tile + j * most_systems;
        for (std::size_t i = 0; i < f.size(); ++i) f[i] = turned.data() + (in.size() + i) * tile + j * most_systems;
        wide.react({count, numbers.data(), z.data(), in.data(), h, f.data(), rate.data(), 0, same.get(), true});
        for (std::size_t i = 0; i < rate.size(); ++i)
          for (std::size_t k = 0; k < count; ++k) states[i][first + k] += h * rate[i][k];
      }
      for (std::size_t i = 0; i < force.size(); ++i)
        each_of_tile(count, length, [&, from = turned.data() + (in.size() + i) * tile](std::size_t k, std::size_t j) {
          force[i][(first + k) * samples + begin + j] = from[j * most_systems + k];
        });
    }
  }
}

void rk4_mass_batch(Isa isa, std::string_view law, std::size_t n, ColumnList parameters, const MassDrive& drive,
                    MutableColumnList state, double h, std::int64_t steps, std::int64_t first) {
  const rows::batch::Entry& kernel = find(law);
  if (!kernel.rk4_mass) throw std::invalid_argument(std::string(law) + ": no friction law in continuous time");
  check(law, "parameters", parameters.size(), kernel.parameters);
  check(law, "state", state.size(), kernel.states + 2);
  find(law, isa).rk4_mass({n, parameters.data(), drive, state.data(), h, steps, first});
}

}  // namespace asperity
