// A second list: laws that are not in the catalogue, added as docs/guides/add-a-law.md says. The suite includes it in the place of
// the catalogue; the program of the tests here has the rows of both.
#pragma once

#include "add_a_law/grease.hpp"
#include "asperity/law_list.hpp"
#include "asperity/laws.hpp"
#include "foreign/bliman_sorine.hpp"

namespace asperity {

// clang-format off
template <class S, int D = 1, int N = default_elements>
using Catalogue = LawList<
    Grease<S>,        // add_a_law/grease
    BlimanSorine<S>   // foreign/bliman_sorine
>;
// clang-format on

static_assert(all_admitted<Catalogue<double>>());

}  // namespace asperity
