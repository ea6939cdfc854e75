#include "asperity/run/readings.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "asperity/parameters.hpp"

namespace asperity {
namespace {

constexpr std::array energy_names{"work_in", "kinetic", "potential", "stored", "dissipated", "closing_error"};

/// Whether names of an item can start with `start`, so that long lists of items are passed over quickly.
bool may_start(const std::string& item, std::string_view start) {
  const std::size_t n = std::min(item.size(), start.size());
  return std::string_view(item).substr(0, n) == start.substr(0, n);
}

/// The numbers of a body without a name have names of their own.
std::string full_name(const std::string& item, const std::string& quantity) {
  return item.empty() ? quantity : item + "." + quantity;
}

}  // namespace

Readings::Readings(const World& world) {
  world.pools().each_body_pool([&](const BodyPool& pool) {
    for (std::size_t i = 0; i < pool.count(); ++i) bodies_.push_back({&pool, i});
    knows_energy_ = knows_energy_ && pool.knows_energy();
  });
  world.pools().each_element_pool([&](const ElementPool& pool) {
    for (std::size_t i = 0; i < pool.count(); ++i) elements_.push_back({&pool, i});
  });
}

/// Calls f(quantity, source) for every name that starts with `start`.
template <class F>
void Readings::each(std::string_view start, F&& f) const {
  const auto offer = [&](Quantity quantity, Source source) {
    if (quantity.name.starts_with(start)) f(std::move(quantity), source);
  };
  offer({"time", "s"}, {});
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!may_start(bodies_[b].name(), start)) continue;
    std::size_t number = 0;
    for (const Quantity& q : bodies_[b].pool->quantities())
      offer({full_name(bodies_[b].name(), q.name), q.unit}, {Source::Of::body, b, number++});
    if (bodies_[b].pool->rubs()) offer({bodies_[b].name() + ".dissipated", "J"}, {Source::Of::body_dissipated, b, 0});
  }
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    if (!may_start(elements_[e].name(), start)) continue;
    std::size_t number = 0;
    for (const Quantity& q : elements_[e].pool->quantities(elements_[e].index))
      offer({elements_[e].name() + "." + q.name, q.unit}, {Source::Of::element, e, number++});
    if (knows_energy_) offer({elements_[e].name() + ".dissipated", "J"}, {Source::Of::dissipated, e, 0});
  }
  for (std::size_t i = 0; knows_energy_ && i < energy_names.size(); ++i)
    offer({std::string("energy.") + energy_names[i], "J"}, {Source::Of::energy, 0, i});
}

std::vector<Quantity> Readings::all() const {
  std::vector<Quantity> list;
  each("", [&](Quantity quantity, const Source&) { list.push_back(std::move(quantity)); });
  return list;
}

std::vector<std::pair<Quantity, Source>> Readings::find(std::string_view name) const {
  std::vector<std::pair<Quantity, Source>> found;
  const bool star = name.ends_with('*');
  each(star ? name.substr(0, name.size() - 1) : name, [&](Quantity quantity, const Source& source) {
    if (star || quantity.name == name) found.emplace_back(std::move(quantity), source);
  });
  if (!found.empty()) return found;
  std::vector<std::string> known;
  for (Quantity& quantity : all()) known.push_back(std::move(quantity.name));
  std::string text = "nothing is named " + std::string(name);
  if (const auto suggestion = nearest(name, known)) text += "; did you mean " + *suggestion + "?";
  throw std::invalid_argument(text);
}

std::string Readings::name_in_state(std::size_t place) const {
  const auto column = [&](const Columns& columns, std::size_t numbers, std::size_t index) -> std::size_t {
    for (std::size_t c = 0; c < numbers; ++c)
      if (columns.at(c, index) == place) return c;
    return numbers;
  };
  for (const Body& body : bodies_) {
    if (body.pool->is_given) continue;
    const std::size_t numbers = body.pool->motion_numbers();
    if (const std::size_t c = column(body.pool->motion, numbers, body.index); c < numbers)
      return full_name(body.name(), body.pool->quantities()[c].name);
  }
  for (const Item& element : elements_) {
    const std::size_t numbers = element.pool->state_numbers();
    if (column(element.pool->state, numbers, element.index) < numbers) return element.name();
  }
  return "entry " + std::to_string(place) + " of the state";
}

}  // namespace asperity
