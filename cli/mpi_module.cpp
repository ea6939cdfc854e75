// asperity_mpi.so: all that is seen of MPI. Chunks are claimed from a counter in a window of rank 0, by one-sided operations.
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "mpi.hpp"

namespace asperity::cli {
namespace {

class Ranks final : public Mpi {
 public:
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Win_allocate(rank_ == 0 ? sizeof(std::uint64_t) : 0, sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &counter_,
                     &window_);
    if (rank_ == 0) *counter_ = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window_);
    // Over a network, claims of others are served while this rank is within MPI: it looks in now and then.
    if (rank_ == 0) serving_ = std::thread([this] { serve(); });
  }
  ~Ranks() override {
    end_ = true;
    if (serving_.joinable()) serving_.join();
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Finalize();
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::uint64_t claim() override {
    const std::lock_guard lock(calling_);
    const std::uint64_t one = 1;
    std::uint64_t before = 0;
    MPI_Fetch_and_op(&one, &before, MPI_UINT64_T, 0, 0, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return before;
  }

  std::uint64_t sum(std::uint64_t own) override {
    std::uint64_t all = 0;
    // Rank 0 goes on serving while it waits.
    MPI_Request request = MPI_REQUEST_NULL;
    {
      const std::lock_guard lock(calling_);
      MPI_Iallreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
    }
    for (int done = 0; done == 0;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const std::lock_guard lock(calling_);
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    return all;
  }

 private:
  void serve() {
    while (!end_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const std::lock_guard lock(calling_);
      int message = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    }
  }

  int rank_ = 0, size_ = 1;
  std::uint64_t* counter_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  std::mutex calling_;  // one thread at a time
  std::atomic<bool> end_ = false;
  std::thread serving_;
};

}  // namespace
}  // namespace asperity::cli

extern "C" asperity::cli::Mpi* asperity_mpi_join(std::string& why) {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
  if (level >= MPI_THREAD_SERIALIZED) return new asperity::cli::Ranks;
  MPI_Finalize();
  why = "this MPI cannot be called from several threads, one at a time (MPI_THREAD_SERIALIZED)";
  return nullptr;
}
