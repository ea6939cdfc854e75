// Work over 0 ... n in fixed chunks on a number of threads. The chunks do not depend on the threads, nor does what they compute.
#pragma once

#include <cstddef>

namespace asperity {

/// A function that is not owned.
class Work {
 public:
  template <class F>
  Work(const F& f)  // NOLINT(google-explicit-constructor): made at the call
      : object_(&f),
        call_([](const void* object, std::size_t begin, std::size_t end) { (*static_cast<const F*>(object))(begin, end); }) {}
  void operator()(std::size_t begin, std::size_t end) const { call_(object_, begin, end); }

 private:
  const void* object_;
  void (*call_)(const void*, std::size_t, std::size_t);
};

/// A wish for threads, 0 for all that the machine has, as a number that this build can use.
int threads_of(int wish) noexcept;

/// work(begin, end) for every chunk; all of it at once on the calling thread if there are less than two chunks or threads.
void in_chunks(int threads, std::size_t n, std::size_t chunk, const Work& work);

}  // namespace asperity
