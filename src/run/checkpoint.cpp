// Checkpoints: a line of text, the fingerprint of the world, the numbers of the run, a checksum.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <typeinfo>

#include "asperity/run/run.hpp"
#include "companion.hpp"
#include "file.hpp"
#include "step_check.hpp"

namespace asperity {
namespace {

constexpr std::string_view magic = "asperity checkpoint 13\n";

std::uint64_t hash(std::string_view bytes) {
  detail::Checksum sum;
  sum.add(bytes);
  return sum.value();
}

class Writer {
 public:
  std::string bytes;

  void put(std::uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 255U);
  }
  void put(double number) { put(std::bit_cast<std::uint64_t>(number)); }
  void put(std::string_view text) {
    put(std::uint64_t(text.size()));
    bytes += text;
  }
  void put(std::span<const double> numbers) {
    put(std::uint64_t(numbers.size()));
    for (const double number : numbers) put(number);
  }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : bytes(text) {}
  std::string_view bytes;

  std::string_view take(std::uint64_t size) {
    if (size > bytes.size()) throw std::runtime_error("it is cut short");
    const std::string_view part = bytes.substr(0, static_cast<std::size_t>(size));
    bytes.remove_prefix(part.size());
    return part;
  }
  std::uint64_t number() {
    std::uint64_t number = 0;
    const std::string_view part = take(8);
    for (unsigned i = 0; i < 8; ++i) number |= std::uint64_t(static_cast<unsigned char>(part[i])) << (8 * i);
    return number;
  }
  double real() { return std::bit_cast<double>(number()); }
  std::string text() { return std::string(take(number())); }
  std::vector<double> reals() {
    const std::uint64_t count = number();
    if (count > bytes.size() / 8) throw std::runtime_error("it is cut short");
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(real());
    return numbers;
  }
};

}  // namespace

/// Of everything that makes the world: kinds, names, constants, which body each element is at, the start, and the inputs. These are
/// functions, which can only be sampled: at the given time, and at 1009 times of the run (fewer if there are a thousand of them).
std::uint64_t Run::fingerprint(double duration, double t) const {
  Writer seen;
  for (const Quantity& quantity : readings_.all())
    seen.put(std::string_view(quantity.name)), seen.put(std::string_view(quantity.unit));
  std::map<const BodyPool*, std::uint64_t> numbered{{nullptr, 0}};
  const auto constants = [&](const auto& pool) {
    seen.put(std::string_view(typeid(pool).name()));
    pool.each_constant([&](double number) { seen.put(number); });
  };
  world_.pools().each_body_pool([&](const BodyPool& pool) {
    numbered.emplace(&pool, numbered.size());
    constants(pool);
  });
  world_.pools().each_element_pool([&](const ElementPool& pool) {
    constants(pool);
    for (const End* end : {&pool.a, &pool.b}) {
      seen.put(numbered.at(end->bodies));
      for (const std::uint32_t index : end->index) seen.put(std::uint64_t(index));
    }
  });
  seen.put(start_);

  std::uint64_t inputs = given_.size();
  world_.each_push_function([&](const BodyId& body, std::size_t coordinate, const auto&) {
    for (const std::uint64_t number : {numbered.at(body.pool), std::uint64_t(body.index), std::uint64_t(coordinate)})
      seen.put(number);
    ++inputs;
  });
  const auto every_law = [&](const auto& f) {
    for (const Feedback& one : world_.feedbacks()) f(one);
    for (const Controller& one : world_.controllers()) f(one.law);
  };
  every_law([&](const Feedback& one) {
    for (const std::uint64_t number : {numbered.at(one.body.pool), std::uint64_t(one.body.index), std::uint64_t(one.coordinate)})
      seen.put(number);
    for (const Sensed& sensed : one.of)
      for (const std::uint64_t number :
           {numbered.at(sensed.body.pool), std::uint64_t(sensed.body.index), std::uint64_t(sensed.column)})
        seen.put(number);
    ++inputs;
  });
  for (const Controller& one : world_.controllers())
    for (const double number : {one.every, one.delay, one.resolution}) seen.put(number);
  const auto sample = [&](double at) {
    const Instant instant = work_.instant(at, start_);
    world_.each_push(at, instant, [&](const BodyId&, std::size_t, double force) { seen.put(force); });
    // Of a feedback its answer to motions of all sizes.
    every_law([&](const Feedback& one) {
      std::array<double, Feedback::most_sensed> motion;
      for (std::size_t i = 0; i < one.of.size(); ++i)
        motion[i] = std::sin(double(i + 1) + 1e3 * at) * std::exp2(10 * std::sin(7 * at));
      seen.put(one(at, std::span<const double>(motion.data(), one.of.size())));
    });
    for (const std::size_t b : given_) {
      const Readings::Body& body = readings_.bodies()[b];
      for (std::size_t c = 0; c < body.pool->motion_numbers(); ++c) seen.put(instant.given[body.pool->motion.at(c, body.index)]);
    }
  };
  // A prime: an input that repeats itself between samples would have to do so 1009 times in the run.
  const int parts = inputs == 0 ? 0 : int(std::clamp<std::uint64_t>(1'000'000 / inputs, 11, 1009));
  for (int i = 0; i < parts; ++i) sample(duration * i / parts);
  if (inputs > 0) sample(t);
  return hash(seen.bytes);
}

void Run::save(const std::string& path) {
  if (!begun_) begin();
  if (options_.record.sink) options_.record.sink->flush();
  start_afresh();
  Writer all;
  all.put(options_.duration);
  all.put(time());
  all.put(fingerprint(options_.duration, time()));
  all.put(std::string_view(options_.method));
  for (const double number : {options_.step, options_.rtol, options_.atol, options_.max_step, options_.record.every})
    all.put(number);
  all.put(std::uint64_t(options_.subdivide));
  all.put(std::uint64_t(options_.most_events));
  all.put(hash(options_.identity));
  all.put(std::uint64_t(columns_.size()));
  for (const Quantity& column : columns_) all.put(std::string_view(column.name));
  all.put(rows_);
  all.put(options_.record.sink ? options_.record.sink->checksum() : 0);
  for (const double number : {next_audit_, last_audit_, stretch_.start}) all.put(number);
  for (const long count : {stretch_.steps, stretch_.rejected_at_start, stretch_.slow}) all.put(std::uint64_t(count));
  for (Island& island : islands_) island.each_number([&](double number) { all.put(number); });
  if (step_check_) step_check_->each_number([&](double number) { all.put(number); });
  if (companion_) companion_->each_number([&](double number) { all.put(number); });
  all.put(integrator_->kept());
  if (companion_) all.put(companion_->kept());
  all.put(state());
  all.put(heat_);
  all.put(rubbed_);
  for (const Flow& flow : flow_)
    for (const double number : {flow.through, flow.most, flow.fallen}) all.put(number);
  for (const std::uint64_t count : {event_count_, std::uint64_t(events_.size()), std::uint64_t(impacts_.size())}) all.put(count);
  for (const Event& event : events_) {
    all.put(event.time);
    all.put(std::uint64_t(event.kind));
    all.put(std::string_view(event.element));
    all.put(event.speed);
  }
  for (const Impact& impact : impacts_) {
    all.put(std::string_view(impact.element));
    for (const double number : {impact.touch, impact.release, impact.impact_speed, impact.separation_speed}) all.put(number);
  }
  for (Contact& contact : contacts_) contact.each_number([&](double number) { all.put(number); });
  for (const double number : {fastest_contact_, free_speed_, missed_.time, missed_.depth, missed_.speed, deep_.time, deep_.depth,
                              deep_.thickness, unfelt_.time, unfelt_.force})
    all.put(number);
  for (const std::uint64_t number : {missed_.count, missed_.element, deep_.element, audits_, unfelt_.count, unfelt_.of})
    all.put(number);
  const Statistics so_far = statistics();
  for (const long count : {so_far.steps, so_far.rejected, so_far.evaluations, so_far.jacobians, so_far.restarts, so_far.iterations,
                           so_far.retries, so_far.substeps, so_far.absorbed, so_far.switches})
    all.put(std::uint64_t(count));

  Writer file;
  file.bytes = magic;
  file.put(std::string_view(all.bytes));
  file.put(hash(all.bytes));
  // Written beside, then moved into place: an interrupted save leaves the checkpoint before it whole.
  const std::string beside = path + ".new";
  try {
    detail::OutFile out;
    out.replace(beside);
    out.write(file.bytes);
    out.close();
    std::error_code error;
    std::filesystem::rename(beside, path, error);
    if (error) throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, error.message()));
  } catch (const std::runtime_error&) {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    throw;
  }
}

void Run::resume(const std::string& path) {
  if (const std::string why = detail::why_unreadable(path); !why.empty())
    throw std::runtime_error(fmt::format("{}: cannot be read: {}", path, why));
  std::ifstream in(path, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  try {
    if (begun_) throw std::runtime_error("this run has already started");
    if (!content.starts_with(magic)) throw std::runtime_error("it is no checkpoint of this version");
    Reader file(std::string_view(content).substr(magic.size()));
    const std::string payload = file.text();
    if (file.number() != hash(payload) || !file.bytes.empty()) throw std::runtime_error("it is damaged");
    Reader all(payload);
    const double duration = all.real(), t = all.real();
    if (all.number() != fingerprint(duration, t)) throw std::runtime_error("it is of another world");
    const auto same = [](std::string_view name, const auto& written, const auto& here) {
      if (written != here) throw std::runtime_error(fmt::format("it was written with {} {}, this run has {}", name, written, here));
    };
    same("duration", duration, options_.duration);
    same("method", all.text(), options_.method);
    same("step", all.real(), options_.step);
    same("rtol", all.real(), options_.rtol);
    same("atol", all.real(), options_.atol);
    same("max_step", all.real(), options_.max_step);
    same("record.every", all.real(), options_.record.every);
    same("subdivide", all.number() != 0, options_.subdivide);
    same("most_events", all.number(), std::uint64_t(options_.most_events));
    if (all.number() != hash(options_.identity)) throw std::runtime_error("the scene was changed since");
    std::vector<std::string> names(static_cast<std::size_t>(all.number()));
    for (std::string& name : names) name = all.text();
    std::vector<std::string> here;
    for (const Quantity& column : columns_) here.push_back(column.name);
    same("columns", fmt::format("{}", fmt::join(names, ",")), fmt::format("{}", fmt::join(here, ",")));

    const std::uint64_t rows = all.number(), checksum = all.number();
    if (options_.record.sink && rows > 0) options_.record.sink->check(columns_, rows, checksum);

    rows_ = rows;
    next_audit_ = all.real();
    last_audit_ = all.real();
    stretch_.start = all.real();
    for (long* count : {&stretch_.steps, &stretch_.rejected_at_start, &stretch_.slow}) *count = static_cast<long>(all.number());
    for (Island& island : islands_) island.each_number([&](double& number) { number = all.real(); });
    if (step_check_) step_check_->each_number([&](double& number) { number = all.real(); });
    if (companion_) companion_->each_number([&](double& number) { number = all.real(); });
    const std::vector<double> kept = all.reals(), kept_beside = companion_ ? all.reals() : std::vector<double>();
    const std::vector<double> x = all.reals();
    heat_ = all.reals();
    rubbed_ = all.reals();
    for (Flow& flow : flow_)
      for (double* number : {&flow.through, &flow.most, &flow.fallen}) *number = all.real();
    event_count_ = all.number();
    const std::uint64_t events = all.number(), impacts = all.number();
    events_.clear();
    impacts_.clear();
    for (std::uint64_t i = 0; i < events; ++i) {
      const double when = all.real();
      const auto kind = Event::Kind(all.number());
      std::string element = all.text();
      events_.push_back({when, kind, std::move(element), all.real()});
    }
    for (std::uint64_t i = 0; i < impacts; ++i) {
      Impact impact{all.text(), 0, 0, 0, 0};
      for (double* number : {&impact.touch, &impact.release, &impact.impact_speed, &impact.separation_speed}) *number = all.real();
      impacts_.push_back(std::move(impact));
    }
    for (Contact& contact : contacts_) contact.each_number([&](double& number) { number = all.real(); });
    fastest_contact_ = all.real();
    for (double* number : {&free_speed_, &missed_.time, &missed_.depth, &missed_.speed, &deep_.time, &deep_.depth, &deep_.thickness,
                           &unfelt_.time, &unfelt_.force})
      *number = all.real();
    for (std::uint64_t* number : {&missed_.count, &missed_.element, &deep_.element, &audits_, &unfelt_.count, &unfelt_.of})
      *number = all.number();
    for (const std::uint64_t element : {missed_.element, deep_.element})
      if (element >= std::max<std::size_t>(1, readings_.elements().size())) throw std::runtime_error("it is damaged");
    if (unfelt_.of >= std::max<std::size_t>(1, world_.of_motion().size())) throw std::runtime_error("it is damaged");
    for (long* count : {&before_.steps, &before_.rejected, &before_.evaluations, &before_.jacobians, &before_.restarts,
                        &before_.iterations, &before_.retries, &before_.substeps, &before_.absorbed, &before_.switches})
      *count = static_cast<long>(all.number());
    integrator_->start(t, x);
    integrator_->keep(kept);
    if (companion_) companion_->start_afresh(t), companion_->keep(kept_beside);
    watch_all(now(), watch_);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: cannot continue from this checkpoint: {}", path, error.what()));
  }
}

}  // namespace asperity
