#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/arrow_rs: the crates of arrow-rs that the adapter needs.
. "$(dirname "$0")/../registry.sh"

fetch_crate arrow_rs arrow-rs
