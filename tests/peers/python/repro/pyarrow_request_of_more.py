# SPDX-License-Identifier: Apache-2.0
"""A schema with a field more than the data is requested: the answer has that field, of nulls."""

import pyarrow

array = pyarrow.array([{"a": 1}])
wanted = pyarrow.struct([("a", pyarrow.int64()), ("b", pyarrow.int64())])
for method in array.__arrow_c_array__, array.__arrow_c_device_array__:
    schema, _ = method(wanted.__arrow_c_schema__())
    got = pyarrow.DataType._import_from_c_capsule(schema)
    print(got)
    assert got == wanted
