// Every law of the catalogue, driven in C++ by samples from a file: the numbers that the classes of the Python package have to
// have, bit for bit.   laws_for_python SAMPLES.bin STEP OUT.bin: rows of gap, gap_rate, velocity; forces, law by law, two of a
// composite
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "asperity/catalogue.hpp"
#include "asperity/step.hpp"

int main(int, char** argv) {
  using namespace asperity;
  std::vector<double> rows, out;
  std::FILE* const in = std::fopen(argv[1], "rb");
  if (!in) return 2;
  for (double x = 0; std::fread(&x, sizeof x, 1, in) == 1;) rows.push_back(x);
  std::fclose(in);
  const double h = std::atof(argv[2]);
  Catalogue<double>::each([&]<class Law>() {
    const Law law{};
    auto z = law.start();
    for (std::size_t k = 0; k + 2 < rows.size(); k += 3) {
      const double gap = rows[k], rate = rows[k + 1], v = rows[k + 2];
      if constexpr (Law::about.kind == Kind::friction) {
        out.push_back(step(law, z, {v, 1.0}, h));
      } else if constexpr (Law::about.kind == Kind::contact) {
        out.push_back(step(law, z, {gap, rate}, h));
      } else {
        const auto f = step(law, z, {gap, rate, v}, h);
        out.push_back(f.normal), out.push_back(f.tangential);
      }
    }
  });
  std::FILE* const to = std::fopen(argv[3], "wb");
  if (!to) return 2;
  std::fwrite(out.data(), sizeof(double), out.size(), to);
  return std::fclose(to);
}
