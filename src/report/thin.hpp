// Fewer rows that still show everything a reader could see.
#pragma once

#include <vector>

#include "asperity/run/table.hpp"

namespace asperity::report {

/// Numbers of the rows to show, in order: all of them if there are at most `most`. Otherwise half of that many evenly, so that a
/// smooth curve stays smooth; and the rows are cut into buckets of neighbours, as many as possible, and of each bucket those rows
/// stay in which a column is lowest or highest: no peak is lost.
/// Rows are never mixed, so that what happened at one instant stays together, in a force over a displacement as in a rotation. With
/// more columns than fit, even the rows of a single bucket may be more than `most`.
std::vector<std::size_t> rows_to_show(const Table& data, std::size_t most);

/// The table with these rows only.
Table with_rows(const Table& data, const std::vector<std::size_t>& rows);

}  // namespace asperity::report
