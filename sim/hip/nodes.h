/* SPDX-License-Identifier: Apache-2.0
 *
 * For nodes.awk: a line of each symbol, `NODE node name`.
 */
#define CALL(node, name, begin, parameters, ...)        NODE node name
#define STREAM(node, spt, name, begin, parameters, ...) NODE node name NODE spt name##_spt
#define PLAIN(node, type, name, parameters, ...)        NODE node name
#include "hip.def"
#define UNSERVED(node, name) NODE node name
#define IGNORED(node, name)  NODE node name
#include "hip_unserved.def"
