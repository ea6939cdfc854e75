// What most units of the libraries include. Each of them includes what it needs all the same: only `make test` has this file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "asperity/run/run.hpp"
#include "asperity/scene/scene.hpp"
#include "asperity/setup/checks.hpp"

#ifdef __clang__  // which reads of it only what is used; g++ would be slower where nothing is
#include <chrono>
#include <nlohmann/json.hpp>

#include "asperity/facts/facts.hpp"
#include "asperity/inclusion/text.hpp"
#endif
