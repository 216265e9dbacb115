# SPDX-License-Identifier: Apache-2.0
"""DuckDB: relations, which are streams of structs."""

import duckdb

VERSION = duckdb.__version__
ROWS = [{"a": 1, "b": "x"}, {"a": None, "b": "y"}]
PRODUCES = {"cpu": {"arrow_c_stream": {
    "relation": (lambda: duckdb.sql("select * from (values (1, 'x'), (null, 'y')) t(a, b)"), ROWS),
}}}
CONSUMES = {"cpu": {"arrow_c_array": duckdb.from_arrow, "arrow_c_stream": duckdb.from_arrow}}
TYPES = "+s"  # its streams are of structs
ROWS = True  # a struct that is null is a row of nulls
