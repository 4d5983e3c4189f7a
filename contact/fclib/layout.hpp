#pragma once

#include "contact/fclib/fclib_file.hpp"

namespace slipwave::contact {

/// What a file holds, by sizes alone.
struct Layout {
  bool has_local = false, has_global = false;
  int rows = 0;       ///< of W, and columns of H: dimension * contacts
  int dimension = 0;  ///< 2 or 3
  int unknowns = 0;   ///< of the global form: rows of M and of H

  int contact_count() const { return rows / dimension; }
};

/// Looks at the sizes of all that is read: matrices and vectors of each form, both forms beside
/// each other, a solution beside them. O(contacts), whatever sizes a matrix claims: they must be
/// those of the vectors. Throws FclibError where two do not agree and for what is not solved here:
/// rolling friction, equations beside the contacts, no contacts.
Layout layout_of(const FclibFile& file);

}  // namespace slipwave::contact
