/* SPDX-License-Identifier: Apache-2.0 */
#include "links.h"

#include <libxml/uri.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool adi_link_rule(const struct adi_rule *rule, char out[ADI_URL_SIZE]) {
    static const struct {
        const char *document, *page;
    } pages[] = {
        {"C data interface", "https://arrow.apache.org/docs/format/CDataInterface.html"},
        {"C Device data interface",
         "https://arrow.apache.org/docs/format/CDeviceDataInterface.html"},
        {"Columnar format", "https://arrow.apache.org/docs/format/Columnar.html"},
        {"dlpack.h", "https://dmlc.github.io/dlpack/latest/c_api.html"},
        {"Python specification for DLPack",
         "https://dmlc.github.io/dlpack/latest/python_spec.html"},
        {"Array API standard", "https://data-apis.org/array-api/latest/API_specification/generated/"
                               "array_api.array.__dlpack__.html"},
        {"PyCapsule interface",
         "https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html"},
        {"CUDA Array Interface",
         "https://nvidia.github.io/numba-cuda/user/cuda_array_interface.html"},
        {"Array interface protocol",
         "https://numpy.org/doc/stable/reference/arrays.interface.html"},
        {"Buffer protocol", "https://docs.python.org/3/c-api/buffer.html"},
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(rule->document, pages[i].document) != 0) continue;
        snprintf(out, ADI_URL_SIZE, "%s#%s", pages[i].page, rule->anchor);
        return true;
    }
    return false;
}

/* What of `path` lies below `folder`; NULL: it does not. */
static const char *below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/') length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

char *adi_link_judged(const struct adi_report *report) {
    char path[PATH_MAX], folder[PATH_MAX];
    const char *typed = report->source != NULL    ? report->source
                        : report->adapter != NULL ? report->adapter
                                                  : "/proc/self/exe";
    if (realpath(typed, path) == NULL) snprintf(path, sizeof path, "%s", typed);
    const char *relative = getcwd(folder, sizeof folder) == NULL ? NULL : below(path, folder);
    xmlChar *escaped = xmlURIEscapeStr(BAD_CAST(relative == NULL ? path : relative), BAD_CAST "/");
    char *uri = NULL;
    if (escaped != NULL)
        adi_result_set(&uri, "%s%s", relative == NULL && path[0] == '/' ? "file://" : "", escaped);
    xmlFree(escaped);
    return uri;
}
