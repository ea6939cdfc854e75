// A sparse linear system of dense blocks, solved by elimination of block after block: the blocks are bodies, an element couples two
// of them. The order (of least degree) keeps a chain, a tree or a field of separate bodies at O(N). Everything is laid out once;
// factor() and solve() allocate nothing.
//
// Rows are exchanged within a block only. The matrix of an implicit step is M^-1 (M + h Psi (B + h K) Phi) with the bracket
// positive definite but for the coupling of normal and tangential force, so that no block to be inverted is singular; the Newton
// method looks at the residual anyway.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace asperity::detail {

class BlockLu {
 public:
  /// Groups of unknowns of these sizes, numbered one after the other; links couple two groups both ways.
  BlockLu(const std::vector<std::size_t>& sizes, const std::vector<std::array<std::size_t, 2>>& links);

  /// Groups that depend on each other.
  struct Component {
    std::size_t first, last;  // in the order of elimination
  };
  std::span<const Component> components() const noexcept { return components_; }
  /// The groups in the order of elimination, component by component.
  std::span<const std::size_t> order() const noexcept { return order_; }

  /// Calls f(row group, column group, place of the first entry): block entry (i, j) stands at place + i * columns + j.
  template <class F>
  void each_block(F&& f) const {
    for (const Block& block : blocks_)
      if (block.of_matrix) f(block.row, block.column, block.place);
  }
  std::span<double> values() noexcept { return values_; }
  /// Blocks that are no part of the matrix, but will be filled, to zero.
  void clear_fill() noexcept;

  void add_to_diagonal(const Component& component, double what) noexcept;

  /// -1 if a block has a negative determinant or trace when it is eliminated: a mode grows by more than the step resolves. 0 if a
  /// block cannot be inverted.
  int factor(const Component& component) noexcept;
  /// b to A^-1 b, of the numbers of one component.
  void solve(const Component& component, std::span<double> b) const noexcept;

 private:
  struct Block {
    std::size_t row, column, place;
    bool of_matrix;
  };
  struct Later {                      // a group that is eliminated later and coupled to this one
    std::size_t group, above, below;  // places of the blocks (this, later) and (later, this)
  };
  struct Group {
    std::size_t size = 0, first = 0;   // unknowns, number of the first
    std::size_t diagonal = 0;          // place of its own block
    std::size_t later = 0, count = 0;  // in later_
    std::size_t targets = 0;           // in targets_: places of the blocks (i, j) of all pairs of later groups
  };

  std::vector<Group> groups_;
  std::vector<std::size_t> order_;
  std::vector<Component> components_;
  std::vector<Block> blocks_;
  std::vector<Later> later_;
  std::vector<std::size_t> targets_;
  std::vector<double> values_;
  std::vector<std::size_t> pivot_;  // of each unknown, within its group
};

}  // namespace asperity::detail
