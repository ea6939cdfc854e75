// The ranks of an MPI job. MPI is seen by one module, asperity_mpi.so, which is loaded when it is asked for: the program starts
// fast and runs without it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace asperity::cli {

class Mpi {
 public:
  /// Joins the job; null, and why, if that is not possible.
  static std::unique_ptr<Mpi> join(std::string& why);
  /// Leaves it: every rank has to.
  virtual ~Mpi() = default;
  Mpi() = default;
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// 0, 1, 2 ...: each number is given to one rank.
  virtual std::uint64_t claim() = 0;
  /// Over all ranks, for which it waits.
  virtual std::uint64_t sum(std::uint64_t own) = 0;
};

/// What the module has.
constexpr const char* mpi_entry = "asperity_mpi_join";
using MpiEntry = Mpi* (*)(std::string& why);

}  // namespace asperity::cli
