# SPDX-License-Identifier: Apache-2.0
"""pandas, whose columns are pyarrow's or NumPy's."""

import pandas

VERSION = pandas.__version__
ROWS = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


def use(obj):
    """NaN and NaT are its missing values, and come out as nulls: these are not looked at."""
    series = pandas.Series.from_arrow(obj)
    return None if series.dtype.kind in "fmM" else series


PRODUCES = {"cpu": {"arrow_c_stream": {
    "series": (lambda: pandas.Series([1, 2, 3]), [1, 2, 3]),
    "frame": (lambda: pandas.DataFrame(ROWS), ROWS),
}}}
CONSUMES = {"cpu": {"arrow_c_array": use,
                    "arrow_c_stream": pandas.Series.from_arrow}}
