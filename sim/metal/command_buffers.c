/* SPDX-License-Identifier: Apache-2.0
 *
 * Command queues, command buffers and blit encoders. What is encoded is kept until it is committed;
 * then it goes into the engine's queue, up to a wait for an event that nobody has signaled yet.
 */
#include <errno.h>
#include <stdlib.h>

#include "metal_classes.h"

enum status {
    NOT_ENQUEUED = 0,
    COMMITTED = 2,
    SCHEDULED = 3,
    COMPLETED = 4,
    FAILED = 5,
};

/* ---- passing on ---- */

static bool is_of_queue(struct metal_object *buffer, const struct metal_object *queue) {
    char name[48];
    if (!metal_check(buffer, METAL_BUFFER)) return false;
    if (buffer->device == queue->device) return true;
    metal_violate("foreign-device", buffer, "%s of another device is used by a queue",
                  metal_text_of(buffer, name));
    return false;
}

static int copy(const struct metal_op *op, struct metal_object *queue) {
    if (!is_of_queue(op->from, queue) || !is_of_queue(op->to, queue)) return EFAULT;
    const struct metal_buffer *from = &op->from->as_buffer, *to = &op->to->as_buffer;
    int code = adi_sim_copy(queue->as_queue.engine, (char *)to->memory + op->to_offset,
                            (const char *)from->memory + op->from_offset, op->bytes,
                            ADI_SIM_TO_ALLOCATION | ADI_SIM_FROM_ALLOCATION);
    metal_buffer_used(op->from, queue);
    metal_buffer_used(op->to, queue);
    return code;
}

static int fill(const struct metal_op *op, struct metal_object *queue) {
    if (!is_of_queue(op->to, queue)) return EFAULT;
    const struct metal_buffer *to = &op->to->as_buffer;
    int code = adi_sim_fill(queue->as_queue.engine, (char *)to->memory + op->to_offset,
                            (uint32_t)op->value, 1, op->bytes);
    metal_buffer_used(op->to, queue);
    return code;
}

static int signal_event(const struct metal_op *op, struct metal_object *queue) {
    struct metal_object *event = metal_at(op->to);
    if (event != NULL && event->as_event.n_coming > 0) event->as_event.n_coming--;
    return metal_signal(op->to, op->value, queue);
}

static int await_event(const struct metal_op *op, struct metal_object *queue) {
    return metal_await(op->to, op->value, queue);
}

static int (*const steps[])(const struct metal_op *op, struct metal_object *queue) = {
    [METAL_COPY] = copy,
    [METAL_FILL] = fill,
    [METAL_SIGNAL] = signal_event,
    [METAL_WAIT] = await_event,
};

static void unuse(struct metal_object *value) {
    struct metal_object *object = metal_at(value);
    if (object != NULL && object->used > 0) metal_unuse(object);
}

/* It keeps what its commands name. */
static void forget_ops(struct metal_commands *commands, bool held) {
    for (uint32_t i = 0; i < commands->n && held; i++) {
        if (commands->ops[i].used & 1) unuse(commands->ops[i].to);
        if (commands->ops[i].used & 2) unuse(commands->ops[i].from);
    }
    free(commands->ops);
    commands->ops = NULL;
    commands->n = commands->capacity = 0;
}

/* Other commands come behind it now. */
static void mark_done(struct metal_object *object) {
    struct metal_commands *commands = &object->as_commands;
    const struct metal_object *queue = commands->queue;
    if (adi_sim_event_create(queue->device->as_device.context, &commands->done) != 0) return;
    adi_sim_event_record(commands->done, queue->as_queue.engine);
}

/* false: it waits for an event that is not there. */
static bool pass_on(struct metal_object *object) {
    struct metal_commands *commands = &object->as_commands;
    struct metal_object *queue = commands->queue;
    unsigned before = metal_act_as(commands->party);
    int code = 0;
    while (commands->next < commands->n && code != EAGAIN) {
        const struct metal_op *op = &commands->ops[commands->next];
        code = steps[op->step](op, queue);
        if (code != EAGAIN) commands->next++;
        if (code != EAGAIN && code != 0 && commands->code == 0) commands->code = code;
    }
    metal_act_as(before);
    if (code == EAGAIN) return false;
    commands->state = METAL_PASSED_ON;
    return true;
}

/* Takes the first of a queue off. */
static bool pass_first_on(struct metal_object *queue) {
    struct metal_queue *list = &queue->as_queue;
    struct metal_object *first = list->first;
    if (first == NULL) return false;
    if (first->as_commands.next == 0 && list->tail != NULL) mark_done(list->tail);
    if (first->as_commands.next == 0) list->tail = NULL;
    uint32_t next = first->as_commands.next;
    if (!pass_on(first)) return first->as_commands.next > next;
    list->first = first->as_commands.following;
    if (list->first == NULL) list->last = NULL;
    list->tail = first;
    forget_ops(&first->as_commands, true);
    metal_unuse(first);
    return true;
}

/* Of any queue; the list of them may change with it. */
static bool pass_one_on(void) {
    for (struct metal_object *queue = metal_newest(METAL_QUEUE); queue != NULL;
         queue = queue->next) {
        metal_use(queue);
        bool passed = pass_first_on(queue);
        if (!passed) queue->used--;
        if (passed) metal_unuse(queue);
        if (passed) return true;
    }
    return false;
}

void metal_flush(void) {
    while (pass_one_on()) continue;
}

/* ---- a queue ---- */

static id command_buffer(id self, SEL selector) {
    (void)selector;
    if (!metal_begin("[MTLCommandQueue commandBuffer]")) return NULL;
    struct metal_object *made = metal_make(METAL_COMMANDS, self->device);
    if (made != NULL) {
        made->as_commands.queue = self;
        metal_use(self);
        metal_autorelease(made);
    }
    metal_end();
    return made;
}

const struct metal_method metal_queue_methods[] = {
    METHOD("commandBuffer", command_buffer, "@@:"),
    METHODS_END,
};

/* What was never committed never runs. */
void metal_end_commands(struct metal_object *object) {
    struct metal_commands *commands = &object->as_commands;
    unsigned before = metal_act_as(object->maker);
    if (commands->queue->as_queue.tail == object) commands->queue->as_queue.tail = NULL;
    if (commands->done != NULL) adi_sim_event_destroy(commands->done);
    metal_act_as(before);
    forget_ops(commands, true);
    metal_unuse(commands->queue);
}

/* ---- encoding ---- */

static bool use(struct metal_object *value) {
    struct metal_object *object = metal_at(value);
    if (object == NULL || object->dead) return false;
    metal_use(object);
    return true;
}

static void encode(struct metal_object *object, struct metal_op op) {
    struct metal_commands *commands = &object->as_commands;
    char name[48];
    if (commands->state != METAL_OPEN) {
        metal_violate("call-out-of-turn", object, "%s is committed, and encoded into",
                      metal_text_of(object, name));
        return;
    }
    if (commands->n == commands->capacity) {
        uint32_t more = commands->capacity == 0 ? 4 : 2 * commands->capacity;
        struct metal_op *grown = realloc(commands->ops, more * sizeof *grown);
        if (grown == NULL) return;
        commands->ops = grown;
        commands->capacity = more;
    }
    op.used = (use(op.to) ? 1 : 0) | (op.from != NULL && use(op.from) ? 2 : 0);
    commands->ops[commands->n++] = op;
}

static void encode_event(struct metal_object *self, enum metal_step step, id event,
                         uint64_t value) {
    char name[48];
    if (self->as_commands.encodes)
        metal_violate("call-out-of-turn", self, "an encoder of %s is open",
                      metal_text_of(self, name));
    else
        encode(self, (struct metal_op){.step = step, .to = event, .value = value});
}

static void encode_signal(id self, SEL selector, id event, uint64_t value) {
    (void)selector;
    if (!metal_begin("[MTLCommandBuffer encodeSignalEvent:value:]")) return;
    encode_event(self, METAL_SIGNAL, event, value);
    metal_end();
}

static void encode_wait(id self, SEL selector, id event, uint64_t value) {
    (void)selector;
    if (!metal_begin("[MTLCommandBuffer encodeWaitForEvent:value:]")) return;
    encode_event(self, METAL_WAIT, event, value);
    metal_end();
}

static id blit_encoder(id self, SEL selector) {
    char name[48];
    (void)selector;
    if (!metal_begin("[MTLCommandBuffer blitCommandEncoder]")) return NULL;
    struct metal_object *made = NULL;
    if (self->as_commands.encodes || self->as_commands.state != METAL_OPEN)
        metal_violate("call-out-of-turn", self, "%s is asked for an encoder when it has %s",
                      metal_text_of(self, name),
                      self->as_commands.encodes ? "an open one" : "been committed");
    else
        made = metal_make(METAL_ENCODER, self->device);
    if (made != NULL) {
        made->as_encoder.commands = self;
        self->as_commands.encodes = true;
        metal_use(self);
        metal_autorelease(made);
    }
    metal_end();
    return made;
}

/* The commands that an encoder is of; NULL: it has ended. */
static struct metal_object *commands_of(struct metal_object *encoder) {
    char name[48];
    if (encoder->as_encoder.commands == NULL)
        metal_violate("call-out-of-turn", encoder, "%s has ended its encoding",
                      metal_text_of(encoder, name));
    return encoder->as_encoder.commands;
}

static void encode_copy(id self, SEL selector, id from, unsigned long from_offset, id to,
                        unsigned long to_offset, unsigned long bytes) {
    (void)selector;
    if (!metal_begin("[MTLBlitCommandEncoder copyFromBuffer:...]")) return;
    struct metal_object *commands = commands_of(self);
    if (commands != NULL)
        encode(commands, (struct metal_op){.step = METAL_COPY,
                                           .to = to,
                                           .from = from,
                                           .to_offset = to_offset,
                                           .from_offset = from_offset,
                                           .bytes = bytes});
    metal_end();
}

struct range {
    unsigned long location, length;
};

static void encode_fill(id self, SEL selector, id to, struct range range, unsigned char value) {
    (void)selector;
    if (!metal_begin("[MTLBlitCommandEncoder fillBuffer:range:value:]")) return;
    struct metal_object *commands = commands_of(self);
    if (commands != NULL)
        encode(commands, (struct metal_op){.step = METAL_FILL,
                                           .to = to,
                                           .to_offset = range.location,
                                           .bytes = range.length,
                                           .value = value});
    metal_end();
}

static void end_encoding(id self, SEL selector) {
    (void)selector;
    if (!metal_begin_surely("[MTLBlitCommandEncoder endEncoding]")) return;
    struct metal_object *commands = commands_of(self);
    if (commands != NULL) metal_end_encoder(self);
    metal_end();
}

void metal_end_encoder(struct metal_object *encoder) {
    struct metal_object *commands = encoder->as_encoder.commands;
    if (commands == NULL) return;
    encoder->as_encoder.commands = NULL;
    commands->as_commands.encodes = false;
    metal_unuse(commands);
}

const struct metal_method metal_encoder_methods[] = {
    METHOD("copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", encode_copy, "v@:@L@LL"),
    METHOD("fillBuffer:range:value:", encode_fill, "v@:@{_NSRange=LL}C"),
    METHOD("endEncoding", end_encoding, "v@:"),
    METHODS_END,
};

/* ---- a command buffer ---- */

static void count_signals(const struct metal_commands *commands) {
    for (uint32_t i = 0; i < commands->n; i++) {
        struct metal_object *event = metal_at(commands->ops[i].to);
        if (commands->ops[i].step == METAL_SIGNAL && event != NULL) event->as_event.n_coming++;
    }
}

static void commit(id self, SEL selector) {
    struct metal_commands *commands = &self->as_commands;
    char name[48];
    (void)selector;
    if (!metal_begin("[MTLCommandBuffer commit]")) return;
    if (commands->encodes || commands->state != METAL_OPEN) {
        metal_violate("call-out-of-turn", self, "%s is committed when %s",
                      metal_text_of(self, name),
                      commands->encodes ? "an encoder of it is open" : "it has been");
    } else {
        struct metal_queue *list = &commands->queue->as_queue;
        commands->state = METAL_COMMITTED;
        commands->party = metal_party();
        count_signals(commands);
        metal_use(self);
        if (list->last == NULL)
            list->first = self;
        else
            list->last->as_commands.following = self;
        list->last = self;
        metal_flush();
    }
    metal_end();
}

static unsigned long status(id self, SEL selector) {
    const struct metal_commands *commands = &self->as_commands;
    (void)selector;
    if (!metal_begin("[MTLCommandBuffer status]")) return FAILED;
    unsigned long is = commands->state == METAL_OPEN ? NOT_ENQUEUED : COMMITTED;
    int code = EAGAIN;
    if (commands->state == METAL_PASSED_ON)
        code = commands->done != NULL ? adi_sim_event_query(commands->done)
                                      : adi_sim_queue_query(commands->queue->as_queue.engine);
    if (commands->state == METAL_PASSED_ON)
        is = code == EAGAIN ? SCHEDULED : code != 0 || commands->code != 0 ? FAILED : COMPLETED;
    metal_end();
    return is;
}

static void wait_until_completed(id self, SEL selector) {
    struct metal_commands *commands = &self->as_commands;
    char name[48];
    (void)selector;
    if (!metal_begin("[MTLCommandBuffer waitUntilCompleted]")) return;
    if (commands->state == METAL_OPEN)
        metal_violate("call-out-of-turn", self, "%s is waited for, and was not committed",
                      metal_text_of(self, name));
    metal_use(self);
    while (commands->state == METAL_COMMITTED) metal_wait_for_change(100);
    bool waits = commands->state == METAL_PASSED_ON;
    adi_sim_event done = commands->done;
    adi_sim_queue queue = commands->queue->as_queue.engine;
    metal_unlock();
    int code = 0;
    if (waits) code = done != NULL ? adi_sim_event_sync(done) : adi_sim_queue_sync(queue);
    metal_lock();
    if (commands->code == 0) commands->code = code;
    metal_unuse(self);
    metal_sweep();
    metal_end();
}

static id error_of(id self, SEL selector) {
    (void)selector;
    if (self->as_commands.code == 0) return NULL;
    if (!metal_begin_surely("[MTLCommandBuffer error]")) return NULL;
    id text = metal_text("a command of it was refused");
    if (text != NULL) metal_become(text, METAL_ERROR);
    if (text != NULL) text->as_text.code = self->as_commands.code;
    metal_end();
    return text;
}

static id queue_of(id self, SEL selector) {
    (void)selector;
    return self->as_commands.queue;
}

const struct metal_method metal_commands_methods[] = {
    METHOD("blitCommandEncoder", blit_encoder, "@@:"),
    METHOD("encodeSignalEvent:value:", encode_signal, "v@:@Q"),
    METHOD("encodeWaitForEvent:value:", encode_wait, "v@:@Q"),
    METHOD("commit", commit, "v@:"),
    METHOD("status", status, "L@:"),
    METHOD("waitUntilCompleted", wait_until_completed, "v@:"),
    METHOD("error", error_of, "@@:"),
    METHOD("commandQueue", queue_of, "@@:"),
    METHODS_END,
};
