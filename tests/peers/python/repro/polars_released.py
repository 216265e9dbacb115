# SPDX-License-Identifier: Apache-2.0
"""An array that is released already is taken: a series without rows, and no error."""

import polars
import pyarrow


class Shows:
    """Gives the same capsules each time: the second time what is in them has been moved out."""

    capsules = pyarrow.array([1, 2, 3]).__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


print(polars.Series(Shows()).to_list(), end=" ")
again = polars.Series(Shows())
print(again.to_list())
assert len(again) == 0
