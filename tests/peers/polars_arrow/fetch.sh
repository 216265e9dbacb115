#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/polars_arrow: the crate polars-arrow.
. "$(dirname "$0")/../registry.sh"

fetch_crate polars_arrow polars-arrow
