// What most units of the tests and the programs include.
#include <gtest/gtest.h>

#include <regex>

#include "../../tests/common_pools.hpp"
#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "libraries.hpp"
