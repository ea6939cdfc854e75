// The backward differentiation formulas of SUNDIALS CVODE: adaptive in step and order, for stiff systems.
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "methods.hpp"

namespace asperity::detail {

const bool has_cvode = true;

namespace {

template <class T, auto Free>
struct Freed {
  void operator()(T* thing) const noexcept { Free(thing); }
};
void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_memory(void* memory) { CVodeFree(&memory); }
void free_solver(SUNLinearSolver solver) { SUNLinSolFree(solver); }

using Context = std::unique_ptr<_SUNContext, Freed<_SUNContext, free_context>>;
using Vector = std::unique_ptr<_generic_N_Vector, Freed<_generic_N_Vector, N_VDestroy>>;
using Matrix = std::unique_ptr<_generic_SUNMatrix, Freed<_generic_SUNMatrix, SUNMatDestroy>>;
using Solver = std::unique_ptr<_generic_SUNLinearSolver, Freed<_generic_SUNLinearSolver, free_solver>>;
using Memory = std::unique_ptr<void, Freed<void, free_memory>>;

constexpr sunindextype smallest_sparse = 12;  // numbers of the state

std::span<double> numbers(N_Vector v) { return {N_VGetArrayPointer(v), std::size_t(N_VGetLength(v))}; }

class Cvode final : public Integrator {
 public:
  Cvode(RateFunction rate, IntegratorOptions options) : Integrator(std::move(rate), std::move(options)) {}

  std::string_view method() const noexcept override { return "cvode"; }

  using Integrator::interpolate;
  void interpolate(double t, std::span<double> x) override {
    if (t_ == t_before_ || x_.empty()) return void(std::copy(x_.begin(), x_.end(), x.begin()));
    checked(CVodeGetDky(memory_.get(), std::clamp(t, t_before_, t_), 0, scratch_.get()));
    std::ranges::copy(numbers(scratch_.get()), x.begin());
  }

 protected:
  void begin() override {
    if (x_.empty()) return;  // SUNDIALS knows no vector without numbers
    const auto n = static_cast<sunindextype>(x_.size());
    SUNContext context = nullptr;
    if (SUNContext_Create(nullptr, &context) != 0) throw std::runtime_error("SUNDIALS gives no context");
    memory_.reset();
    solver_.reset();
    matrix_.reset();
    scratch_.reset();
    y_.reset();
    context_.reset(context);
    y_.reset(N_VNew_Serial(n, context));
    scratch_.reset(N_VNew_Serial(n, context));
    std::ranges::copy(x_, numbers(y_.get()).begin());
    memory_.reset(CVodeCreate(CV_BDF, context));
    void* memory = memory_.get();
    checked(CVodeSetErrHandlerFn(memory, &Cvode::keep_message, this));
    checked(CVodeInit(memory, &Cvode::right_hand_side, t_, y_.get()));
    checked(CVodeSetUserData(memory, this));
    checked(CVodeSStolerances(memory, options_.rtol, options_.atol));
    if (std::isfinite(options_.max_step)) checked(CVodeSetMaxStep(memory, options_.max_step));
    sparse_ = options_.sparse_jacobian ? std::optional(options_.sparse_jacobian()) : std::nullopt;
    make_solver(n, context);
    checked(CVodeSetLinearSolver(memory, solver_.get(), matrix_.get()));
    if (options_.jacobian || sparse_) checked(CVodeSetJacFn(memory, &Cvode::jacobian));
    jacobian_.resize(sparse_ ? sparse_->pattern.rows.size() : options_.jacobian ? x_.size() * x_.size() : 0);
    if (options_.between_steps) checked(CVodeSetProjFn(memory, &Cvode::projection));
    shifted_.resize(x_.size());
    non_finite_ = x_.size();
    rejected_before_ = jacobians_before_ = 0;
    restart_ = false;
    fresh_ = true;
  }

  void take_step(double t_stop) override {
    if (x_.empty()) {
      t_before_ = t_;
      t_ = std::min(std::isfinite(t_stop) ? t_stop : t_ + 1, t_ + options_.max_step);
      ++statistics_.steps;
      return;
    }
    if (restart_) {
      restart();
      ++statistics_.restarts;
      restart_ = false;
    }
    if (pass_corner() && !fresh_) restart();
    if (fresh_) check_rate();
    double h = std::isfinite(t_stop) ? t_stop - t_ : 1;
    // It tells its next step only if the last one was not cut short by a stop.
    if (!fresh_ && !stopped_) CVodeGetCurrentStep(memory_.get(), &h);
    h = std::min(h, options_.max_step);
    // A stop that does not cut this step would cut the next one.
    if (const double end = latest_end(h, t_stop, rate_here()); end < t_ + h) t_stop = end;
    checked(CVodeSetStopTime(memory_.get(), std::min(t_stop, std::numeric_limits<double>::max())));
    double t = t_;
    int flag = 0;
    // A jump of the rate can be more than the history bears; from a fresh start it often is not.
    for (int attempt = 0; attempt < 2; ++attempt) {
      flag = CVode(memory_.get(), std::isfinite(t_stop) ? t_stop : t_ + 1, y_.get(), &t, CV_ONE_STEP);
      if (flag >= 0 || thrown_) break;
      if (attempt == 0) restart();
    }
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (flag < 0) fail(flag);
    if (const std::size_t bad = first_non_finite(numbers(y_.get())); bad != x_.size()) throw NonFinite(t, bad, false);
    // Its first step after a start may be that short: it knows nothing yet.
    if (!fresh_ && t - t_ <= shortest_step() && t < t_stop - slack(t_stop)) fail(CV_ERR_FAILURE);
    const double event = first_event(t, [&](double time, std::span<double> x) {
      checked(CVodeGetDky(memory_.get(), time, 0, scratch_.get()));
      std::ranges::copy(numbers(scratch_.get()), x.begin());
    });
    const bool cut = event < t;
    if (cut) {  // what lies behind it never was
      t = event;
      checked(CVodeGetDky(memory_.get(), t, 0, y_.get()));
      ++statistics_.rejected;
    }
    t_before_ = t_;
    t_ = t;
    fresh_ = false;
    stopped_ = flag == CV_TSTOP_RETURN;
    std::ranges::copy(numbers(y_.get()), x_.begin());
    count();
    // What the projection has not taken into the step is a switch: the history ends here.
    restart_ = settle() > 1 || cut;
  }

 private:
  /// A sparse matrix pays when it is large and mostly empty; docs/guides/integrators.md has the figures.
  void make_solver(sunindextype n, SUNContext context) {
    const sunindextype band = options_.bandwidth;
    if (band >= 0 && band < n - 1) {
      matrix_.reset(SUNBandMatrix(n, band, band, context));
      solver_.reset(SUNLinSol_Band(y_.get(), matrix_.get(), context));
    } else if (sparse_ && n >= smallest_sparse) {
      matrix_.reset(SUNSparseMatrix(n, n, sunindextype(sparse_->pattern.rows.size()), CSC_MAT, context));
      solver_.reset(SUNLinSol_KLU(y_.get(), matrix_.get(), context));
    } else {
      matrix_.reset(SUNDenseMatrix(n, n, context));
      solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context));
    }
  }

  /// By the history of the method, or afresh.
  std::span<const double> rate_here() {
    rate_here_.resize(x_.size());
    if (fresh_) {
      evaluate(t_, x_, 0, rate_here_);
    } else {
      checked(CVodeGetDky(memory_.get(), t_, 1, scratch_.get()));
      std::ranges::copy(numbers(scratch_.get()), rate_here_.begin());
    }
    return rate_here_;
  }

  double shortest_step() const noexcept { return 16 * std::numeric_limits<double>::epsilon() * std::abs(t_); }

  void restart() {
    rejected_before_ = statistics_.rejected;
    jacobians_before_ = statistics_.jacobians;
    std::ranges::copy(x_, numbers(y_.get()).begin());
    checked(CVodeReInit(memory_.get(), t_, y_.get()));
    fresh_ = true;
  }

  void check_rate() {
    std::vector<double> rate(x_.size());
    evaluate(t_, x_, 0, rate);
    if (const std::size_t bad = first_non_finite(rate); bad != rate.size()) throw NonFinite(t_, bad, true);
  }

  void count() {
    long errors = 0, convergence = 0, jacobians = 0;
    CVodeGetNumErrTestFails(memory_.get(), &errors);
    CVodeGetNumStepSolveFails(memory_.get(), &convergence);
    CVodeGetNumJacEvals(memory_.get(), &jacobians);
    statistics_.rejected = rejected_before_ + errors + convergence;
    statistics_.jacobians = jacobians_before_ + jacobians;
  }

  [[noreturn]] void fail(int flag) const {
    const bool just_ahead = std::abs(non_finite_time_ - t_) <= 1e-9 * std::abs(t_);
    if (non_finite_ != x_.size() && just_ahead) throw NonFinite(non_finite_time_, non_finite_, true);
    double h = 0;
    CVodeGetCurrentStep(memory_.get(), &h);
    if (flag == CV_ERR_FAILURE || flag == CV_CONV_FAILURE || flag == CV_TOO_MUCH_ACC) throw StepCollapse(method(), t_, h, worst());
    throw IntegrationFailure(fmt::format("cvode at t = {:g} s: {}", t_, message_), t_);
  }
  /// The entry with the largest error of the step that was tried last.
  std::size_t worst() const {
    CVodeGetEstLocalErrors(memory_.get(), scratch_.get());
    const std::span<const double> error = numbers(scratch_.get());
    std::size_t most = 0;
    const auto share = [&](std::size_t i) { return std::abs(error[i]) / tolerance(x_[i]); };
    for (std::size_t i = 1; i < x_.size(); ++i)
      if (!(share(i) <= share(most))) most = i;
    return most;
  }
  void checked(int flag) const {
    if (flag < 0) throw std::runtime_error("cvode: " + message_);
  }

  /// No exception may pass through the C library: it is kept, and thrown on after it.
  template <class Work>
  int guarded(Work&& work) noexcept {
    try {
      return work();
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }
  static int right_hand_side(double t, N_Vector y, N_Vector ydot, void* self_) {
    auto& self = *static_cast<Cvode*>(self_);
    return self.guarded([&] {
      self.evaluate(t, numbers(y), 0, numbers(ydot));
      const std::size_t bad = first_non_finite(numbers(ydot));
      if (bad == self.x_.size()) return 0;
      self.non_finite_ = bad;
      self.non_finite_time_ = t;
      return 1;  // try a shorter step
    });
  }
  /// Small changes between steps (rotations back to length 1) go into the step before its error is tested, so that the history of
  /// the method knows of them; a restart would cost it its order. Large ones are switches, for which the step has to be over.
  static int projection(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self_) {
    auto& self = *static_cast<Cvode*>(self_);
    return self.guarded([&] {
      const std::span<double> from = numbers(y), by = numbers(correction);
      std::ranges::copy(from, self.shifted_.begin());
      self.options_.between_steps(t, self.shifted_);
      double moved = 0;
      for (std::size_t i = 0; i < from.size(); ++i) {
        by[i] = self.shifted_[i] - from[i];
        moved = std::max(moved, std::abs(by[i]) / self.tolerance(from[i]));
      }
      if (!(moved <= 10)) std::ranges::fill(by, 0.0);
      return 0;
    });
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix matrix, void* self_, N_Vector, N_Vector, N_Vector) {
    auto& self = *static_cast<Cvode*>(self_);
    return self.guarded([&] {
      if (self.sparse_) {
        self.sparse_->entries(self.seen(t), numbers(y), self.jacobian_);
        self.fill_sparse(matrix);
      } else {
        self.options_.jacobian(self.seen(t), numbers(y), self.jacobian_);
        self.fill(matrix);
      }
      return 0;
    });
  }
  void fill(SUNMatrix matrix) const {
    const std::size_t n = x_.size();
    for (std::size_t j = 0; j < n; ++j) {
      const double* column = jacobian_.data() + j * n;
      if (SUNMatGetID(matrix) == SUNMATRIX_DENSE) {
        std::copy(column, column + n, SUNDenseMatrix_Column(matrix, sunindextype(j)));
      } else {
        const auto band = std::size_t(options_.bandwidth);
        double* diagonal = SUNBandMatrix_Column(matrix, sunindextype(j));
        for (std::size_t i = j > band ? j - band : 0; i <= std::min(n - 1, j + band); ++i)
          diagonal[std::ptrdiff_t(i) - std::ptrdiff_t(j)] = column[i];
      }
    }
  }
  void fill_sparse(SUNMatrix matrix) const {
    const Pattern& pattern = sparse_->pattern;
    if (SUNMatGetID(matrix) == SUNMATRIX_DENSE) {  // empty when it comes here
      for (std::size_t j = 0; j < x_.size(); ++j)
        for (std::size_t k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
          SUNDenseMatrix_Column(matrix, sunindextype(j))[pattern.rows[k]] = jacobian_[k];
    } else {
      std::ranges::copy(pattern.start, SUNSparseMatrix_IndexPointers(matrix));
      std::ranges::copy(pattern.rows, SUNSparseMatrix_IndexValues(matrix));
      std::ranges::copy(jacobian_, SUNSparseMatrix_Data(matrix));
    }
  }
  static void keep_message(int, const char*, const char*, char* message, void* self) {
    static_cast<Cvode*>(self)->message_ = message;
  }

  Context context_;  // outlives what follows
  Vector y_, scratch_;
  Matrix matrix_;
  Solver solver_;
  Memory memory_;
  std::optional<SparseJacobian> sparse_;
  std::vector<double> jacobian_, shifted_, rate_here_;
  bool restart_ = false, fresh_ = true, stopped_ = false;
  long rejected_before_ = 0, jacobians_before_ = 0;
  std::size_t non_finite_ = 0;
  double non_finite_time_ = 0;
  std::exception_ptr thrown_;
  std::string message_;
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(RateFunction rate, IntegratorOptions options) {
  return std::make_unique<Cvode>(std::move(rate), std::move(options));
}

}  // namespace asperity::detail
