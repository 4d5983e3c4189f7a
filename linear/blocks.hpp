#pragma once

#include "parallel/clones.hpp"
#include "parallel/team.hpp"

#include <algorithm>

namespace slipwave::linear {

/// Work over the nodes is cut into blocks of this many: sums are formed per block and added in
/// order, so that they have the same bits for any number of threads.
constexpr int nodes_per_block = 512;
/// And over the dofs.
constexpr int dofs_per_block = 2 * nodes_per_block;

/// Does the work on one block.
template <class Work>
SLIPWAVE_CLONES void do_block(const Work& work, int block, int first, int last) {
  work(block, first, last);
}

/// Calls work(block, first, past the last) for every block of `length` out of `count`, on all
/// threads where there are enough blocks to share.
template <class Work>
void for_each_block(int count, int length, const Work& work) {
  const int blocks = (count + length - 1) / length;
  const auto share = [&](int block) {
    do_block(work, block, block * length, std::min(count, (block + 1) * length));
  };
  if (blocks >= 16) return parallel::for_each(blocks, share);
  for (int block = 0; block < blocks; ++block) share(block);
}

/// Calls work(block, first node, past the last node) for every block of nodes.
template <class Work>
void for_each_node_block(int node_count, const Work& work) {
  for_each_block(node_count, nodes_per_block, work);
}

/// Calls work(first dof, past the last dof) for every block of dofs.
template <class Work>
void for_each_dof_block(int dof_count, const Work& work) {
  for_each_block(dof_count, dofs_per_block, [&](int, int first, int last) { work(first, last); });
}

}  // namespace slipwave::linear
