# SPDX-License-Identifier: Apache-2.0
"""A schema with a field more than the data is requested: the data comes as it is, and no error."""

import duckdb
import pyarrow

shown = duckdb.sql("select 1::bigint a")
wanted = pyarrow.schema([("a", pyarrow.int64()), ("b", pyarrow.int64())])


class Requested:
    def __arrow_c_stream__(self, requested_schema=None):
        return shown.__arrow_c_stream__(wanted.__arrow_c_schema__())


got = pyarrow.table(Requested()).schema
print(got)
assert got == pyarrow.schema([("a", pyarrow.int64())])
