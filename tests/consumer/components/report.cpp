// A page that plots a column over time.
#include <asperity/report/report.hpp>

int main() {
  using namespace asperity;
  Table table;
  table.columns = {{{"time", "s"}, {0, 1, 2}}, {{"block.position", "m"}, {0, 1, 4}}};
  table.recorded = 3;
  return is_own_page(plot_page({"parabola", "time", {"block.position"}}, table)) ? 0 : 1;
}
