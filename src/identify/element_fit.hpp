// Laws made of elements: how many there are, and where each breaks away.
#pragma once

#include "search.hpp"

namespace asperity::identify::search {

/// Whether the data may place an element anywhere.
bool has_loose_elements(const std::vector<Coordinate>& coordinates, int elements);

/// The best point of `search`, whose elements are found on a grid first; `evaluations` are those of other searches.
Point fit_elements(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings, Search& search,
                   int& evaluations);

}  // namespace asperity::identify::search
