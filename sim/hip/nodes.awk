# SPDX-License-Identifier: Apache-2.0
#
# From `NODE node name` a version script of the nodes up to those of `major`.
{
    for (i = 1; i < NF; i++)
        if ($i == "NODE" && substr($(i + 1), 1, 1) <= major) names[$(i + 1)] = names[$(i + 1)] " " $(i + 2) ";"
}
END {
    for (a = 40; a < 100; a++) {
        node = int(a / 10) "_" a % 10
        if (!(node in names)) continue
        sub("_", ".", node)
        name = "hip_" node
        print name " { global:" names[int(a / 10) "_" a % 10] (parent == "" ? " local: *;" : "") " }" (parent == "" ? "" : " " parent) ";"
        parent = name
    }
}
