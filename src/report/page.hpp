// One HTML file: the page's own script and style, and the data as JSON in the middle.
#pragma once

#include <string>

#include "panels.hpp"

namespace asperity::report {

/// Columns and their values as JSON text, seven digits a number; what is not finite is null.
std::string columns_json(const Table& data);

/// Of a table for a page: not more columns and rows than a browser draws without effort. Energies come along in any case.
Table for_page(const Table& data);

/// The plots as pictures, for pages without uPlot: added to each panel as SVG.
void add_pictures(Json& panels, const std::vector<std::pair<std::string, const Table*>>& tables);

bool has_uplot() noexcept;

/// `content` is the object that web/main.js draws, `tables` the JSON text of its columns.
std::string page(const std::string& title, const Json& content, const std::string& tables);

}  // namespace asperity::report
