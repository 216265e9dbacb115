// SPDX-License-Identifier: Apache-2.0
//
// The sum of the bytes of `words`. The host passes at most 16 MiB: 2^24 times 255 fits into 32 bits.
#version 450

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) readonly buffer Input {
    uint words[];
};
layout(std430, set = 0, binding = 1) buffer Result {
    uint sum;
};
layout(push_constant) uniform Constants {
    uint count;
};

void main() {
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint total = 0;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
        uint word = words[i];
        uint pairs = (word & 0x00ff00ffu) + ((word >> 8) & 0x00ff00ffu);
        total += (pairs & 0xffffu) + (pairs >> 16);
    }
    atomicAdd(sum, total);
}
