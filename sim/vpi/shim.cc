// SPDX-License-Identifier: Apache-2.0
#include "vpi_map.h"

#include <string>

#include "Vdma_memory.h"
#include "verilated.h"

// In the default context, where VPI finds every model from every thread; they end with the process.
static Vdma_memory *models[ADI_VPI_MODELS];

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
