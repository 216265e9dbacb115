// SPDX-License-Identifier: Apache-2.0
#include "vpi_map.h"

#include <string>

#include "Vdma_memory.h"
#include "Vdma_memory__Dpi.h"
#include "verilated.h"

// In the default context, where VPI finds every model from every thread; they end with the process.
static Vdma_memory *models[ADI_VPI_MODELS];

static void (*watcher)(int id, int what, uint64_t address, uint64_t bytes);

extern "C" void adi_vpi_model_watch(void (*seen)(int id, int what, uint64_t address,
                                                 uint64_t bytes)) {
    watcher = seen;
}

// Of a model, whose scope is "vpi1.dma_memory".
extern "C" void dma_memory_seen(unsigned char what, unsigned long long address,
                                unsigned long long bytes) {
    if (watcher != nullptr)
        watcher(svGetNameFromScope(svGetScope())[3] - '0', what, address, bytes);
}

extern "C" int adi_vpi_model_open(int id) {
    if (id < 0 || id >= ADI_VPI_MODELS) return -1;
    if (models[id] != nullptr) return 0;
    Verilated::defaultContextp()->threads(1);
    models[id] = new Vdma_memory(("vpi" + std::to_string(id)).c_str());
    models[id]->eval();
    return 0;
}

extern "C" void adi_vpi_model_run(int id, uint64_t ticks) {
    Vdma_memory *model = models[id];
    for (model->eval(); ticks > 0; ticks--) {
        model->clk = 1;
        model->eval();
        model->clk = 0;
        model->eval();
    }
}
