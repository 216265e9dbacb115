// SPDX-License-Identifier: Apache-2.0
//
// Copies words.
#version 450

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) readonly buffer From {
    uint from[];
};
layout(std430, set = 0, binding = 1) writeonly buffer To {
    uint to[];
};
layout(push_constant) uniform Constants {
    uint count;
};

void main() {
    if (gl_GlobalInvocationID.x < count) to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x];
}
