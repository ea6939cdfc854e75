// What the parts of the extension share. The extension is plain: numbers, lists, arrays and text. The classes that users see are
// written in Python, in ../asperity.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "asperity/any_law.hpp"
#include "asperity/facts/facts.hpp"
#include "asperity/hooks.hpp"
#include "asperity/run/table.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity::python {

namespace py = pybind11;

/// What asperity/_arrays.py makes of all that is like an array: of doubles, one after the other.
using Doubles = py::array_t<double, py::array::c_style>;

/// An array that owns a vector: nothing is copied.
inline py::array_t<double> array_of(std::vector<double> values) {
  auto* const kept = new std::vector<double>(std::move(values));
  const py::capsule owner(kept, [](void* all) { delete static_cast<std::vector<double>*>(all); });
  return py::array_t<double>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

/// A Python error that waits to be raised again, kept while C++ goes on without Python.
class KeptError {
 public:
  KeptError() = default;
  KeptError(const KeptError&) = delete;
  KeptError& operator=(const KeptError&) = delete;
  ~KeptError() {
    if (!type_ && !value_ && !trace_) return;
    const py::gil_scoped_acquire python;
    Py_XDECREF(type_), Py_XDECREF(value_), Py_XDECREF(trace_);
  }

  /// The current one; the first stays. Python must be held.
  void keep() {
    if (type_) PyErr_Clear();
    else PyErr_Fetch(&type_, &value_, &trace_);
  }
  bool is_there() const noexcept { return type_ != nullptr; }
  /// As an object, with its traceback; None: there is none. Python must be held.
  py::object value() {
    if (!type_) return py::none();
    PyErr_NormalizeException(&type_, &value_, &trace_);
    if (trace_) PyException_SetTraceback(value_, trace_);
    return py::reinterpret_borrow<py::object>(value_);
  }

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

/// A long call without Python: now and then it takes it, looks for Ctrl-C and calls progress(done, all, what).
class LongCall {
 public:
  explicit LongCall(py::object progress = py::none()) : progress_(std::move(progress)) {}

  Hooks hooks() {
    return {.progress = [this](const Progress& now) { tell(now); },
            .stop = [this] { return stop_.load(std::memory_order_relaxed); }};
  }
  /// What ended it: KeyboardInterrupt, or what progress raised.
  KeptError error{};
  /// Raises it, for a call that has nothing else to show. Python must be held.
  void raise_error() {
    if (!error.is_there()) return;
    const py::object value = error.value();
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())), value.ptr());
    throw py::error_already_set();
  }

 private:
  void tell(const Progress& now) {
    const py::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) return give_up();
    if (progress_.is_none()) return;
    PyObject* const answer = PyObject_CallFunction(progress_.ptr(), "ddN", now.done, now.all,
                                                   PyUnicode_FromStringAndSize(now.what.data(), Py_ssize_t(now.what.size())));
    if (!answer) return give_up();
    Py_DECREF(answer);
  }
  void give_up() {
    error.keep();
    stop_ = true;
  }

  py::object progress_;
  std::atomic<bool> stop_ = false;
};

/// Columns by name, with their units: [(name, unit, array)].
inline py::list columns_of(Table table) {
  py::list list;
  for (Table::Column& column : table.columns)
    list.append(py::make_tuple(column.quantity.name, column.quantity.unit, array_of(std::move(column.values))));
  return list;
}
inline Table table_of(const std::vector<std::tuple<std::string, std::string, Doubles>>& columns) {
  Table table;
  for (const auto& [name, unit, values] : columns)
    table.columns.push_back({{name, unit}, std::vector<double>(values.data(), values.data() + values.size())});
  table.recorded = table.rows();
  return table;
}

/// A law that Python holds.
struct Law {
  std::shared_ptr<const AnyLaw> law;
};
/// A scene that Python holds: constant, so that many threads can run it.
struct HeldScene {
  std::shared_ptr<const Scene> scene;
};

/// The facts of a run that Python holds; their text is written when it is asked for.
struct HeldFacts {
  std::shared_ptr<const Facts> facts;
};

std::string_view word_of(Mode mode);
std::vector<std::tuple<std::string, std::size_t, std::string>> tuples_of(const std::vector<SceneProblem>& problems);

void add_laws(py::module_& module);
void add_scenes(py::module_& module);
void add_stepping(py::module_& module);
void add_design(py::module_& module);
void add_identify(py::module_& module);
void add_study(py::module_& module);
void add_reproduce(py::module_& module);

}  // namespace asperity::python
