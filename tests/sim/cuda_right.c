/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cuda_right.h"

struct cuda_right cuda_right;

static char host[256];

static void host_function(void *data) {
    (void)data;
}

static void callback(CUstream stream, CUresult status, void *data) {
    (void)stream, (void)status, (void)data;
}

static uintptr_t context(void) {
    return (uintptr_t)cuda.context;
}

static uintptr_t stream(void) {
    return (uintptr_t)cuda.s;
}

static uintptr_t event(void) {
    return (uintptr_t)cuda.e;
}

static uintptr_t memory(void) {
    return cuda.a;
}

static uintptr_t other_memory(void) {
    return cuda.b;
}

static uintptr_t of_host(void) {
    return (uintptr_t)host;
}

static uintptr_t zero(void) {
    return 0;
}

static uintptr_t one(void) {
    return 1;
}

static uintptr_t eight(void) {
    return 8;
}

static uintptr_t a_host_function(void) {
    return (uintptr_t)host_function;
}

static uintptr_t a_callback(void) {
    return (uintptr_t)callback;
}

static uintptr_t somewhere(void) {
    return (uintptr_t)cuda_right.out;
}

static uintptr_t attributes(void) {
    static int wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    return (uintptr_t)wanted;
}

static uintptr_t values(void) {
    static void *at[] = {cuda_right.out};
    return (uintptr_t)at;
}

static uintptr_t a_pool(void) {
    return (uintptr_t)cuda_right.pool;
}

static uintptr_t pool_properties(void) {
    static const CUmemPoolProps wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    return (uintptr_t)&wanted;
}

static uintptr_t accesses(void) {
    static const CUmemAccessDesc wanted[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 1}, 3}};
    return (uintptr_t)wanted;
}

static uintptr_t location(void) {
    static CUmemLocation second = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
    return (uintptr_t)&second;
}

static uintptr_t managed(void) {
    return cuda.managed;
}

/* A structure of eight bytes is a word. */
static uintptr_t a_place(void) {
    return CU_MEM_LOCATION_TYPE_HOST;
}

static uintptr_t properties(void) {
    static const CUmemAllocationProp wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                               .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    return (uintptr_t)&wanted;
}

static uintptr_t four(void) {
    return 4;
}

static uintptr_t rooms(void) {
    static size_t sizes[] = {4};
    return (uintptr_t)sizes;
}

/* A batch of one copy. */
static uintptr_t targets(void) {
    static CUdeviceptr to[1];
    to[0] = cuda.a;
    return (uintptr_t)to;
}

static uintptr_t sources(void) {
    static CUdeviceptr from[1];
    from[0] = cuda.b;
    return (uintptr_t)from;
}

static uintptr_t kinds(void) {
    static CUmemcpyAttributes kind[] = {{.order = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM}};
    return (uintptr_t)kind;
}

static uintptr_t firsts(void) {
    static size_t at[] = {0};
    return (uintptr_t)at;
}

/* A module with a kernel of no parameters, and a linker. */
static const char text[] = ".version 8.0\n.target sm_90\n.entry idle() { ret; }\n";

static uintptr_t an_image(void) {
    return (uintptr_t)text;
}

static uintptr_t an_entry(void) {
    return (uintptr_t) "idle";
}

static uintptr_t a_module(void) {
    return (uintptr_t)cuda_right.module;
}

static uintptr_t a_kernel(void) {
    CUfunction found = NULL;
    cuModuleGetFunction(&found, cuda_right.module, "idle");
    return (uintptr_t)found;
}

static uintptr_t a_link(void) {
    return (uintptr_t)cuda_right.link;
}

static uintptr_t a_config(void) {
    static CUlaunchConfig config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    config.stream = cuda.s;
    return (uintptr_t)&config;
}

/* A graph with a node, an instance of it, and what nodes are made of. */
static uintptr_t a_graph(void) {
    return (uintptr_t)cuda_right.graph;
}

static uintptr_t a_node(void) {
    return (uintptr_t)cuda_right.node;
}

static uintptr_t an_exec(void) {
    return (uintptr_t)cuda_right.exec;
}

static uintptr_t a_list(void) {
    static CUgraphNode list[1];
    list[0] = cuda_right.node;
    return (uintptr_t)list;
}

static uintptr_t a_room(void) {
    static size_t room;
    room = 1;
    return (uintptr_t)&room;
}

static uintptr_t some_rows(void) {
    static CUDA_MEMCPY2D rows = {.from.type = CU_MEMORYTYPE_DEVICE,
                                 .from.pitch = 16,
                                 .to.type = CU_MEMORYTYPE_DEVICE,
                                 .to.pitch = 8,
                                 .width = 8,
                                 .height = 2};
    rows.from.device = cuda.b;
    rows.to.device = cuda.a;
    return (uintptr_t)&rows;
}

static uintptr_t a_box(void) {
    static CUDA_MEMCPY3D box = {.from.type = CU_MEMORYTYPE_DEVICE,
                                .to.type = CU_MEMORYTYPE_DEVICE,
                                .width = 8,
                                .height = 1,
                                .depth = 1};
    box.from.device = cuda.b;
    box.to.device = cuda.a;
    return (uintptr_t)&box;
}

static uintptr_t a_fill(void) {
    static CUDA_MEMSET_NODE_PARAMS fill = {.value = 5, .element = 1, .width = 8, .height = 1};
    fill.to = cuda.a;
    return (uintptr_t)&fill;
}

static uintptr_t a_call(void) {
    static const CUDA_HOST_NODE_PARAMS call = {host_function, NULL};
    return (uintptr_t)&call;
}

static uintptr_t a_launch(void) {
    static CUDA_KERNEL_NODE_PARAMS launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    launch.function = (CUfunction)a_kernel();
    return (uintptr_t)&launch;
}

static uintptr_t an_empty_node(void) {
    static CUgraphNodeParams empty = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return (uintptr_t)&empty;
}

static uintptr_t a_mode(void) {
    static int mode = 2;
    return (uintptr_t)&mode;
}

static uintptr_t an_instance(void) {
    static CUDA_GRAPH_INSTANTIATE_PARAMS instance;
    return (uintptr_t)&instance;
}

static uintptr_t a_user(void) {
    return (uintptr_t)cuda_right.user;
}

/* It grows with each call that adds a node. */
static void make_graph(void) {
    size_t n = 0;
    if (cuGraphGetNodes(cuda_right.graph, NULL, &n) == CUDA_SUCCESS && n > 64) {
        cuGraphDestroy(cuda_right.graph);
        n = 0;
    }
    if (n == 0) cuGraphCreate(&cuda_right.graph, 0);
    if (cuUserObjectRetain(cuda_right.user, 1) != CUDA_SUCCESS)
        cuUserObjectCreate(&cuda_right.user, NULL, host_function, 1, 1);
    int type;
    if (cuGraphNodeGetType(cuda_right.node, &type) != CUDA_SUCCESS)
        cuGraphAddEmptyNode(&cuda_right.node, cuda_right.graph, NULL, 0);
    if (cuGraphUpload(cuda_right.exec, cuda.s) != CUDA_SUCCESS)
        cuGraphInstantiateWithFlags(&cuda_right.exec, cuda_right.graph, 0);
}

void cuda_right_make(void) {
    make_graph();
    if (!adi_sim_is_live(cuda_right.pool, NULL))
        cuMemPoolCreate(&cuda_right.pool, (const CUmemPoolProps *)pool_properties());
    unsigned n;
    size_t bytes;
    void *made;
    if (cuModuleGetFunctionCount(&n, cuda_right.module) != CUDA_SUCCESS)
        cuModuleLoadData(&cuda_right.module, text);
    if (cuLinkComplete(cuda_right.link, &made, &bytes) == CUDA_SUCCESS) return;
    cuLinkCreate(0, NULL, NULL, &cuda_right.link);
    cuLinkAddData(cuda_right.link, 1, (void *)(uintptr_t)text, sizeof text, NULL, 0, NULL, NULL);
}

const struct garbage_parameter cuda_parameters[] = {
    {"int *attributes", GARBAGE_NEVER, attributes},
    {"void **values", GARBAGE_NEVER, values},
    {"void *affinity", GARBAGE_NEVER, zero},
    {"void *parameters", GARBAGE_NEVER, zero},
    {"void *data", GARBAGE_NEVER, zero},
    {"int *options", GARBAGE_NEVER, zero},
    {"int *library_options", GARBAGE_NEVER, zero},
    {"void **option_values", GARBAGE_NEVER, zero},
    {"void **library_values", GARBAGE_NEVER, zero},
    {"void **arguments", GARBAGE_NEVER, zero},
    {"void **extra", GARBAGE_NEVER, zero},
    {"char *label", GARBAGE_NEVER, zero},
    {"CUgraphNode *after", GARBAGE_NEVER, zero},
    {"int mode", GARBAGE_NEVER, one},
    {"int *mode_of_thread", NEEDED, a_mode},
    {"*id_of_capture", OPTIONAL, somewhere},
    {"*captured_graph", OPTIONAL, somewhere},
    {"**nodes_out", GARBAGE_NEVER, zero},
    {"*n_out", OPTIONAL, somewhere},
    {"CUgraphNode *first", NEEDED, a_list},
    {"CUgraphNode *then", NEEDED, a_list},
    {"CUgraphNode *nodes", OPTIONAL, somewhere},
    {"CUgraphNode *firsts", OPTIONAL, somewhere},
    {"CUgraphNode *thens", OPTIONAL, somewhere},
    {"CUgraphEdgeData *", GARBAGE_NEVER, zero},
    {"size_t *room", NEEDED, a_room},
    {"CUDA_MEMCPY3D *box_of_node", NEEDED, somewhere},
    {"CUDA_MEMSET_NODE_PARAMS *fill_of_node", NEEDED, somewhere},
    {"CUDA_HOST_NODE_PARAMS *called_by_node", NEEDED, somewhere},
    {"CUDA_MEMCPY3D *", NEEDED, a_box},
    {"CUDA_MEMCPY2D *", NEEDED, some_rows},
    {"*pitch", NEEDED, somewhere},
    {"CUDA_MEMSET_NODE_PARAMS *", NEEDED, a_fill},
    {"CUDA_HOST_NODE_PARAMS *", NEEDED, a_call},
    {"CUDA_KERNEL_NODE_PARAMS *", NEEDED, a_launch},
    {"CUgraphNodeParams *", NEEDED, an_empty_node},
    {"CUDA_GRAPH_INSTANTIATE_PARAMS *", NEEDED, an_instance},
    {"CUgraphNode *failed_node", GARBAGE_NEVER, zero},
    {"char *log", GARBAGE_NEVER, zero},
    {"void *image", NEEDED, an_image},
    {"char *entry", NEEDED, an_entry},
    {"CUlaunchConfig *", NEEDED, a_config},
    {"int attribute_to_set", GARBAGE_NEVER, eight},
    {"int input", GARBAGE_NEVER, one},
    {"unsigned grid_", GARBAGE_NEVER, one},
    {"unsigned block_", GARBAGE_NEVER, one},
    {"void *value", GARBAGE_NEVER, somewhere},
    {"size_t *rooms", GARBAGE_NEVER, rooms},
    {"size_t room", GARBAGE_NEVER, four},
    {"CUdeviceptr *targets", NEEDED, targets},
    {"CUdeviceptr *sources", NEEDED, sources},
    {"size_t *sizes", NEEDED, rooms},
    {"CUmemcpyAttributes *", NEEDED, kinds},
    {"size_t *firsts", NEEDED, firsts},
    {"CUmemAllocationProp *", NEEDED, properties},
    {"CUmemoryPool *", NEEDED, somewhere},
    {"CUmemPoolProps *", NEEDED, pool_properties},
    {"CUmemAccessDesc *", NEEDED, accesses},
    {"CUmemLocation *", NEEDED, location},
    {"CUmemoryPool", POOL_HANDLE, a_pool},
    {"int type", GARBAGE_NEVER, one},
    {"CUmemLocation place", GARBAGE_NEVER, a_place},
    {"CUdevice place", GARBAGE_NEVER, zero},
    {"size_t n", GARBAGE_FEW, one},
    {"size_t *granularity", NEEDED, somewhere},
    {"int advice", GARBAGE_NEVER, one},
    {"void *from", MEMORY, of_host},
    {"void *to", MEMORY, of_host},
    {"void *pointer", MEMORY, of_host},
    {"int *least", OPTIONAL, somewhere},
    {"int *greatest", OPTIONAL, somewhere},
    {"size_t *", OPTIONAL, somewhere},
    {"CUdeviceptr *start", OPTIONAL, somewhere},
    {"*", NEEDED, somewhere},
    {"CUuserObject", GRAPH_OBJECT, a_user},
    {"unsigned references", GARBAGE_NEVER, one},
    {"unsigned no_sync", GARBAGE_NEVER, one},
    {"CUgraphNode", GRAPH_OBJECT, a_node},
    {"CUgraphExec", GRAPH_OBJECT, an_exec},
    {"CUgraph", GRAPH_OBJECT, a_graph},
    {"CUmodule", MADE, a_module},
    {"CUlibrary", MADE, a_module},
    {"CUfunction", MADE, a_kernel},
    {"CUkernel", MADE, a_kernel},
    {"CUlinkState", MADE, a_link},
    {"CUcontext", CONTEXT, context},
    {"CUstreamCallback", FUNCTION, a_callback},
    {"CUhostFn", FUNCTION, a_host_function},
    {"CUstream", STREAM_HANDLE, stream},
    {"CUevent", EVENT, event},
    {"CUdeviceptr managed", MEMORY, managed},
    {"CUdeviceptr from", MEMORY, other_memory},
    {"CUdeviceptr", MEMORY, memory},
    {"CUdevice peer", DEVICE, one},
    {"CUdevice to", DEVICE, one},
    {"CUdevice", DEVICE, zero},
    {"int ordinal", DEVICE, zero},
    {"size_t bytes", SIZE, eight},
    {"size_t count", SIZE, eight},
    {"int attribute", GARBAGE_NEVER, one},
    {"unsigned n", GARBAGE_FEW, one},
    {"int room", GARBAGE_NEVER, eight},
    {"", GARBAGE_NEVER, zero},
};
