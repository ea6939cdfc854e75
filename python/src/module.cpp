#include "asperity/facts/facts.hpp"
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The libraries of Asperity, as the Python package uses them.";
  module.attr("version") = std::string(asperity::version());
  asperity::python::add_laws(module);
  asperity::python::add_scenes(module);
  asperity::python::add_stepping(module);
  asperity::python::add_design(module);
  asperity::python::add_identify(module);
  asperity::python::add_study(module);
  asperity::python::add_reproduce(module);
}
