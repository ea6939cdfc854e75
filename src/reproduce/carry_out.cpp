#include "asperity/reproduce/carry_out.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace asperity::reproduce {

std::vector<std::string> lines_of(const std::vector<Doubt>& doubts) {
  std::vector<std::string> lines;
  for (const Doubt& doubt : doubts) lines.push_back(doubt.line());
  return lines;
}

const Doubt* Findings::unexplained() const noexcept {
  for (const Doubt& doubt : doubts)
    if (doubted.empty() || std::none_of(excused.begin(), excused.end(), [&](const Excuse& one) { return one.covers(doubt); }))
      return &doubt;
  return nullptr;
}

bool Result::passed() const noexcept {
  return failure.empty() && !findings.unexplained() &&
         std::none_of(findings.facts.begin(), findings.facts.end(), [](const Fact& fact) { return verdict(fact) == "failed"; });
}

std::vector<Result> carry_out(const std::vector<const Experiment*>& chosen, int threads,
                              const std::function<void(const Progress&)>& progress, const std::function<bool()>& stop) {
  std::vector<Result> results;
  for (const Experiment* experiment : chosen) results.push_back({experiment});
  std::vector<std::size_t> order(chosen.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return chosen[a]->cost > chosen[b]->cost; });

  std::mutex mutex;
  std::condition_variable finished;
  std::size_t next = 0;
  std::atomic<bool> stopping = false;
  Progress now{.all = chosen.size()};
  for (const Experiment* experiment : chosen) now.cost_all += experiment->cost;

  const auto work = [&] {
    end_when(&stopping);
    for (std::unique_lock lock(mutex); next < order.size();) {
      Result& result = results[order[next++]];
      const Experiment& experiment = *result.experiment;
      now.at_work.push_back(experiment.id);
      lock.unlock();
      try {
        if (stopping) throw std::runtime_error("stopped");
        take_doubts();
        result.findings = experiment.carry_out();
        result.findings.doubts = take_doubts();
      } catch (const std::exception& error) {
        result.failure = error.what();
      }
      lock.lock();
      now.at_work.erase(std::find(now.at_work.begin(), now.at_work.end(), experiment.id));
      now.cost_done += experiment.cost;
      ++now.done;
      finished.notify_one();
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < std::min(std::max(1, threads), static_cast<int>(chosen.size())); ++i) workers.emplace_back(work);
  for (std::unique_lock lock(mutex); now.done < now.all;) {
    finished.wait_for(lock, std::chrono::milliseconds(50));
    if (progress) progress(now);
    if (stop && stop()) stopping = true;
  }
  return results;
}

}  // namespace asperity::reproduce
