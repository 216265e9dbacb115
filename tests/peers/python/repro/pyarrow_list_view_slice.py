# SPDX-License-Identifier: Apache-2.0
"""to_pandas of a slice of list views takes the validity of other rows, and reads past its end."""

import pyarrow

rows = [None if i % 3 == 1 else [i] for i in range(83)]
for type in pyarrow.list_(pyarrow.int64()), pyarrow.list_view(pyarrow.int64()):
    part = pyarrow.array(rows, type)[8:]
    seen = [None if row is None else list(row) for row in part.to_pandas()]
    wrong = [i for i, row in enumerate(seen) if row != part.to_pylist()[i]]
    print(f"{type}: {len(wrong)} rows differ, the first is {wrong and seen[wrong[0]]}")
assert wrong
