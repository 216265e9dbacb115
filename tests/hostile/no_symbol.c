/* SPDX-License-Identifier: Apache-2.0 */
/* Is a shared library, but no adapter. */
__attribute__((visibility("default"))) int not_an_adapter(void);

int not_an_adapter(void) {
    return 1;
}
