#include "threads.hpp"

#include <algorithm>
#include <thread>

#include "asperity/pools/kernels.hpp"

#ifdef ASPERITY_THREADS
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace asperity {

int threads_of(int wish) noexcept {
  if (!threads_available()) return 1;
  return wish > 0 ? wish : std::max(1, int(std::thread::hardware_concurrency()));
}

#ifdef ASPERITY_THREADS
bool threads_available() noexcept { return true; }

void in_chunks(int threads, std::size_t n, std::size_t chunk, const Work& work) {
  if (threads < 2 || n < 2 * chunk) return work(0, n);
  // Arenas are dear to make and cheap to keep: one for each number of threads that this thread has asked for last.
  thread_local int size = 0;
  thread_local std::unique_ptr<tbb::task_arena> arena;
  if (size != threads) arena = std::make_unique<tbb::task_arena>(size = threads);
  arena->execute([&] {
    tbb::parallel_for(std::size_t(0), (n + chunk - 1) / chunk,
                      [&](std::size_t i) { work(i * chunk, std::min(n, (i + 1) * chunk)); });
  });
}
#else
bool threads_available() noexcept { return false; }

void in_chunks(int, std::size_t n, std::size_t, const Work& work) { work(0, n); }
#endif

}  // namespace asperity
