# SPDX-License-Identifier: Apache-2.0
"""polars."""

import polars

VERSION = polars.__version__
ROWS = [{"a": 1, "b": "x"}, {"a": None, "b": "y"}]
PRODUCES = {"cpu": {"arrow_c_stream": {
    "series": (lambda: polars.Series([1, None, 3]), [1, None, 3]),
    "strings": (lambda: polars.Series(["a", None, "more than twelve bytes"]),
                ["a", None, "more than twelve bytes"]),
    "frame": (lambda: polars.DataFrame(ROWS), ROWS),
}}}
CONSUMES = {"cpu": {"arrow_c_array": polars.Series, "arrow_c_stream": polars.Series}}
