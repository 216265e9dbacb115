/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of things before a finding: read from lines, written to the record and drawn.
 */
#include "order.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"

Suite *harness_order_suite(void);

#define WRITE(call, queue, allocation, seq)                                                        \
    "{\"whose\":0,\"call\":" #call ",\"in\":\"copy\",\"by\":\"queue " #queue                       \
    "\",\"access\":\"copy\",\"writes\":\"allocation " #allocation                                  \
    "\",\"byte\":0,\"bytes\":9,\"seq\":" #seq "}\n"
#define READ(call, queue, allocation)                                                              \
    "{\"whose\":1,\"call\":" #call ",\"in\":\"copy\",\"by\":\"queue " #queue                       \
    "\",\"access\":\"copy\",\"reads\":\"allocation " #allocation                                   \
    "\",\"byte\":0,\"bytes\":9,\"seq\":1}\n"
#define RECORD(call, event, queue, seq)                                                            \
    "{\"whose\":0,\"call\":" #call ",\"in\":\"record\",\"event\":" #event                          \
    ",\"records\":\"queue " #queue "\",\"seq\":" #seq "}\n"
#define AWAIT(call, queue, event)                                                                  \
    "{\"whose\":1,\"call\":" #call ",\"in\":\"wait\",\"queue\":" #queue                            \
    ",\"awaits\":\"event " #event "\"}\n"
#define RACE(call, queue, other, earlier)                                                          \
    "{\"whose\":1,\"call\":" #call ",\"in\":\"copy\",\"unordered\":\"queue " #queue                \
    "\",\"behind\":\"queue " #other "\",\"earlier\":" #earlier "}\n"
#define STEP(word) "{\"step\":\"" word "\",\"text\":\"\"}\n"

START_TEST(a_race_has_the_edge_between_its_two_calls)
{
    struct adi_order *order = adi_order_of(WRITE(5, 1, 1, 1) RECORD(6, 1, 1, 2) STEP("consume")
                                               AWAIT(7, 3, 1) READ(8, 2, 1) RACE(8, 2, 1, 5));
    ck_assert_uint_eq(order->n_lanes, 4);
    ck_assert_str_eq(order->lanes[1], "queue 1 of the harness");
    ck_assert_str_eq(order->lanes[3], "queue 2 of the implementation");
    ck_assert_uint_eq(order->n_marks, 5);
    ck_assert_uint_eq(order->from, 0);
    ck_assert_uint_eq(order->to, 4);
    ck_assert_str_eq(order->marks[4].text, "copy: reads allocation 1");
    ck_assert_str_eq(order->missing, "nothing lets queue 2 wait for queue 1");
    ck_assert_int_eq(order->marks[3].kind, ADI_MARK_WAIT);
    ck_assert_uint_eq(order->marks[3].after, 1);
    adi_order_free(order);
}
END_TEST

/* The write that the event stands for is not the one that lacks. */
START_TEST(an_event_lacks_the_write_that_it_does_not_stand_for)
{
    struct adi_order *order = adi_order_of(
        STEP("produce") WRITE(3, 2, 1, 1) WRITE(4, 1, 1, 1)
            RECORD(5, 1, 1, 2) "{\"unordered\":\"event 1\",\"not_behind\":\"writes\",\"of\":"
                               "\"allocation 1\"}\n");
    ck_assert_uint_eq(order->from, 1);
    ck_assert_uint_eq(order->to, 3);
    adi_order_free(order);
    order = adi_order_of(STEP("produce") RECORD(3, 1, 1, 1) WRITE(
        4, 1, 1, 2) "{\"unordered\":\"event 1\",\"not_behind\":\"writes\",\"of\":"
                    "\"allocation 1\"}\n");
    ck_assert_uint_eq(order->from, 2); /* recorded before the write */
    ck_assert_uint_eq(order->to, 1);
    adi_order_free(order);
}
END_TEST

#define NOT_BEHIND(event, allocation)                                                              \
    "{\"unordered\":\"event " #event                                                               \
    "\",\"not_behind\":\"writes\",\"of\":\"allocation " #allocation "\"}\n"

/* Unless it may have been recorded before the first line that was kept. */
START_TEST(an_event_that_was_never_recorded_is_drawn_without_a_record)
{
    struct adi_order *order =
        adi_order_of(STEP("produce") WRITE(3, 2, 1, 1) STEP("hand out") NOT_BEHIND(1, 1));
    ck_assert_uint_eq(order->from, 1);
    ck_assert_uint_eq(order->to, 3);
    ck_assert_str_eq(order->marks[3].text, "event 1: not recorded since the case began");
    ck_assert_str_eq(order->lanes[order->marks[3].lane], "host");
    adi_order_free(order);
    order = adi_order_of("{\"cut\":true}\n" STEP("produce") WRITE(3, 2, 1, 1) NOT_BEHIND(1, 1));
    ck_assert_uint_eq(order->to, ADI_NO_MARK);
    adi_order_free(order);
}
END_TEST

/* The newest record counts, wherever it is. */
START_TEST(an_event_that_was_recorded_again_stands_for_what_was_before_that)
{
    struct adi_order *order = adi_order_of(STEP("produce") WRITE(3, 2, 1, 1) RECORD(4, 1, 2, 2)
                                               RECORD(5, 1, 3, 1) NOT_BEHIND(1, 1));
    ck_assert_uint_eq(order->from, 1);
    ck_assert_uint_eq(order->to, 3);
    adi_order_free(order);
    order = adi_order_of(STEP("produce") WRITE(3, 2, 1, 1) RECORD(4, 1, 2, 2) WRITE(5, 2, 2, 3)
                             RECORD(6, 1, 2, 4) NOT_BEHIND(1, 2));
    ck_assert_uint_eq(order->from, 3); /* of another stage: nothing else of it is there */
    ck_assert_uint_eq(order->to, 4);
    adi_order_free(order);
}
END_TEST

/* What a shader does to its buffers is not told: it counts where no write does. */
START_TEST(a_shader_may_have_written)
{
    struct adi_order *order = adi_order_of(STEP("produce") WRITE(3, 1, 1, 1) RECORD(
        4, 1, 1, 2) "{\"whose\":1,"
                    "\"call\":5,\"in\":\"dispatch\",\"by\":\"queue 1\",\"access\":\"command\","
                    "\"uses\":\"allocation 1\",\"seq\":3}\n" NOT_BEHIND(1, 1));
    ck_assert_uint_eq(order->from, 3);
    ck_assert_uint_eq(order->to, 2);
    ck_assert_str_eq(order->lanes[1], "queue 1 of both");
    adi_order_free(order);
}
END_TEST

/* What is not seen is not drawn. */
START_TEST(an_end_that_was_not_seen_is_not_made_up)
{
    struct adi_order *order = adi_order_of(STEP("consume") READ(8, 2, 1) RACE(8, 2, 1, 5));
    ck_assert_uint_eq(order->from, ADI_NO_MARK);
    ck_assert_uint_eq(order->to, ADI_NO_MARK);
    ck_assert_ptr_null(order->missing);
    adi_order_free(order);
    ck_assert_ptr_null(adi_order_of(""));
    ck_assert_ptr_null(adi_order_of(STEP("consume") "no JSON\n{\"by\":3}\n[]\n"));
}
END_TEST

START_TEST(what_lies_long_before_is_left_out)
{
    char lines[65536] = "", line[256];
    for (int i = 0; i < 200; i++) {
        snprintf(line, sizeof line,
                 "{\"whose\":1,\"call\":%d,\"in\":\"copy\",\"by\":\"queue %d\",\"access\":\"copy\","
                 "\"reads\":\"allocation 1\",\"seq\":%d}\n",
                 i + 1, 1 + i % 5, i + 1);
        strcat(lines, line);
    }
    strcat(lines,
           "{\"call\":200,\"unordered\":\"queue 5\",\"behind\":\"queue 1\",\"earlier\":1}\n");
    struct adi_order *order = adi_order_of(lines);
    ck_assert_uint_le(order->n_marks, 40);
    ck_assert_uint_eq(order->from, 0);
    ck_assert_uint_eq(order->to, order->n_marks - 1);
    ck_assert_uint_eq(order->n_lanes, 3); /* the host and the two */
    adi_order_free(order);
}
END_TEST

static char *drawn(const json_t *order) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    adi_order_text(order, "", out);
    fclose(out);
    return text;
}

START_TEST(it_is_drawn_from_the_record)
{
    struct adi_order *order = adi_order_of(WRITE(5, 1, 1, 1) RECORD(6, 1, 1, 2) AWAIT(7, 3, 1)
                                               READ(8, 2, 1) RACE(8, 2, 1, 5));
    json_t *json = adi_order_json(order);
    char *text = drawn(json);
    ck_assert_ptr_nonnull(
        strstr(text, "  1   | o | |   copy: writes allocation 1   <-- from here"));
    ck_assert_ptr_nonnull(strstr(text, "missing: an edge from 1 to 4"));
    ck_assert_ptr_nonnull(strstr(text, "(behind 2)"));
    free(text);
    json_object_clear(json_array_get(json_object_get(json, "marks"), 0));
    json_object_set_new(json_object_get(json, "missing"), "to", json_integer(-7));
    text = drawn(json); /* what lacks is blank */
    ck_assert_ptr_nonnull(strstr(text, "\n  1   ? | | |      <-- from here\n"));
    free(text);
    json_decref(json);
    adi_order_free(order);
}
END_TEST

/* ---- as runs see it ---- */

static const struct {
    const char *adapter, *case_name, *rule, *from, *to;
} findings[] = {
    {"ext_dev_consumer_never_waits", "int32/nulls/consume", "sync/read-before-wait",
     "adi_sim_copy: writes allocation 1", "adi_sim_copy: reads allocation 1"},
    {"ext_dev_event_of_one_queue", "int32/nulls/export", "sync/event-too-early",
     "adi_sim_copy: writes allocation 1", "adi_sim_event_record: event 1 recorded"},
    {"ext_dev_event_missing", "int32/nulls/export", "sync/data-not-ready",
     "adi_sim_copy: writes allocation 1", "hand out: the array is given to its consumer"},
    {"ext_dev_consumer_releases_early", "int32/nulls/consume", "sync/released-while-reading",
     "adi_sim_copy: reads allocation 1, writes allocation 3", "release: the array is given back"},
    {"ext_dev_queues_race", "int32/nulls/export", "sync/work-not-ordered",
     "adi_sim_fill: writes allocation 1", "adi_sim_copy: writes allocation 1"},
    {"ext_dev_managed_touched", "int32/nulls/export", "sync/work-not-ordered",
     "adi_sim_copy: writes allocation 1", "the CPU touches the memory"},
    {"opencl_consumer_never_waits", "int32/nulls/consume-pending", "sync/read-before-wait",
     "clEnqueueCopyBuffer: reads buffer 2, writes buffer 1", "clEnqueueReadBuffer: reads buffer 1"},
    {"opencl_event_of_one_queue", "int32/nulls/export-held", "sync/event-too-early",
     "clEnqueueCopyBuffer: reads buffer 2, writes buffer 1",
     "clEnqueueMarkerWithWaitList: event 1 recorded"},
    {"opencl_relay_drops_event", "int32/nulls/relay-pending", "sync/read-before-wait",
     "clEnqueueCopyBuffer: reads buffer 2, writes buffer 1",
     "hand out: the array is given to its consumer"},
    {"cuda_event_of_one_stream", "int32/nulls/export", "sync/event-too-early",
     "cuMemcpyHtoDAsync_v2: writes allocation 1", "cuEventRecord: event 1 recorded"},
    {"cuda_event_too_early", "int32/nulls/export-held", "sync/event-too-early",
     "cuMemcpyHtoDAsync_v2: writes allocation 1", "cuEventRecord: event 1 recorded"},
    {"cuda_event_of_other_stream", "int32/nulls/export-held", "sync/event-too-early",
     "cuMemcpyHtoDAsync_v2: writes allocation 1", "cuEventRecord: event 1 recorded"},
    {"cuda_event_recorded_anew", "int32/many/export-both-held", "sync/event-too-early",
     "cuMemcpyHtoDAsync_v2: writes allocation 1", "cuEventRecord: event 1 recorded"},
    {"cuda_event_never_recorded", "int32/nulls/export-held", "sync/event-too-early",
     "cuMemcpyHtoDAsync_v2: writes allocation 1", "event 1: not recorded since the case began"},
    {"cuda_event_missing", "int32/nulls/export-held", "sync/data-not-ready",
     "cuMemcpyHtoDAsync_v2: writes allocation 1", "hand out: the array is given to its consumer"},
    {"cuda_consumer_never_waits", "int32/nulls/consume-pending", "sync/read-before-wait",
     "cuMemcpyHtoDAsync_v2: writes allocation 1", "cuMemcpyDtoHAsync_v2: reads allocation 1"},
    {"cuda_consumer_releases_early", "int32/nulls/consume-pending", "sync/released-while-reading",
     "cuMemcpyDtoHAsync_v2: reads allocation 1, writes allocation 3",
     "release: the array is given back"},
    {"cuda_streams_race", "int32/nulls/export-held", "sync/work-not-ordered",
     "cuMemsetD8Async: writes allocation 1", "cuMemcpyHtoDAsync_v2: writes allocation 1"},
    {"rocm_event_of_stream_0", "int32/nulls/export-held", "sync/event-too-early",
     "hipMemcpyAsync: writes allocation 1", "hipEventRecord: event 1 recorded"},
    {"rocm_consumer_waits_on_stream_0", "int32/nulls/consume-pending", "sync/read-before-wait",
     "hipMemcpyAsync: writes allocation 1", "hipMemcpyAsync: reads allocation 1"},
    {"opencl_event_of_other_queue", "int32/nulls/export-held", "sync/event-too-early",
     "clEnqueueCopyBuffer: reads buffer 2, writes buffer 1", "clSetUserEventStatus: event 1 set"},
    {"opencl_event_before_kernel", "int32/nulls/export-held", "sync/event-too-early",
     "clEnqueueNDRangeKernel: uses buffer 1", "clEnqueueMarkerWithWaitList: event 1 recorded"},
    {"opencl_event_before_parent", "int32/nulls/export-held", "sync/event-too-early",
     "clEnqueueCopyBuffer: reads buffer 3, writes buffer 1",
     "clEnqueueMarkerWithWaitList: event 1 recorded"},
    {"opencl_event_missing", "int32/nulls/export-held", "sync/data-not-ready",
     "clEnqueueCopyBuffer: reads buffer 2, writes buffer 1",
     "hand out: the array is given to its consumer"},
    {"opencl_consumer_releases_early", "int32/nulls/consume-held", "sync/released-while-reading",
     "clEnqueueReadBuffer: reads buffer 1", "release: the array is given back"},
    {"vulkan_event_missing", "int32/nulls/export-held", "sync/data-not-ready",
     "vkCmdCopyBuffer: reads buffer 2, writes buffer 1",
     "hand out: the array is given to its consumer"},
    {"vulkan_event_set_by_host", "int32/nulls/export-held", "sync/event-too-early",
     "vkCmdCopyBuffer: reads buffer 2, writes buffer 1", "vkSetEvent: event 1 set"},
    {"vulkan_event_before_writes", "int32/nulls/export-held", "sync/event-too-early",
     "vkCmdCopyBuffer: reads buffer 2, writes buffer 1", "vkCmdSetEvent: event 1 set"},
    {"vulkan_event_of_other_stage", "int32/nulls/export-held", "sync/event-too-early",
     "vkCmdCopyBuffer: reads buffer 5, writes buffer 4",
     "vkCmdSetEvent: event 1 set, only behind compute"},
    {"vulkan_shader_event_early", "int32/nulls/export-held", "sync/event-too-early",
     "vkCmdDispatch: uses buffer 1", "vkCmdSetEvent: event 1 set"},
    {"vulkan_consumer_never_waits", "int32/nulls/consume-pending", "sync/read-before-wait",
     "vkCmdCopyBuffer: reads buffer 2, writes buffer 1",
     "vkCmdCopyBuffer: reads buffer 1, writes buffer 4"},
    {"vulkan_consumer_stage_unheld", "int32/nulls/consume-pending", "sync/read-before-wait",
     "vkCmdCopyBuffer: reads buffer 2, writes buffer 1",
     "vkCmdCopyBuffer: reads buffer 1, writes buffer 4"},
    {"vulkan_consumer_releases_early", "int32/nulls/consume-held", "sync/released-while-reading",
     "vkCmdCopyBuffer: reads buffer 1, writes buffer 4", "release: the array is given back"},
    {"vulkan_consumer_destroys_copy", "int32/nulls/consume-held", "sync/work-not-ordered",
     "vkCmdCopyBuffer: reads buffer 1, writes buffer 4", "vkDestroyBuffer: gives back buffer 4"},
    {"vulkan_relay_drops_event", "int32/nulls/relay-pending", "sync/read-before-wait",
     "vkCmdCopyBuffer: reads buffer 2, writes buffer 1",
     "hand out: the array is given to its consumer"},
    {"vpi_dma_not_finished", "int32/nulls/export", "sync/data-not-ready",
     "dma_start, and no tick: writes allocation 2", "hand out: the array is given to its consumer"},
    {"vpi_consumer_releases_under_dma", "int32/nulls/consume", "sync/released-while-reading",
     "dma_start, and no tick: reads allocation 2", "release: the array is given back"},
    {"hexagon_writes_unwaited", "int32/nulls/export", "sync/data-not-ready",
     "copy_in: writes allocation 1", "hand out: the array is given to its consumer"},
    {"hexagon_consumer_releases_early", "int32/nulls/consume", "sync/released-while-reading",
     "copy_out: reads allocation 1", "release: the array is given back"},
    {"webgpu_writes_unwaited", "int32/nulls/export", "sync/data-not-ready",
     "wgpuQueueWriteBuffer: writes allocation 1", "hand out: the array is given to its consumer"},
    {"data_comes_late", "int32/many/export", "sync/data-not-ready",
     "seen later: writes the buffers", "hand out: the array is given to its consumer"},
};

static struct adi_report *judged(const char *name, const char *case_name) {
    char device[48];
    const char *type = adapter_device(name);
    snprintf(device, sizeof device, "%s:%s", type, strcmp(type, "cpu") == 0 ? "*" : "0");
    struct adi_run_options options = {.device = device,
                                      .case_name = case_name,
                                      .jobs = 1,
                                      .seed = 1,
                                      .timeout = 20,
                                      .memory_mb = 2048,
                                      .rules = ADI_RULES_VERSION};
    return judge(adapter_path("tests/mutants", name), &options);
}

START_TEST(a_finding_about_order_has_its_edge)
{
    struct adi_report *report = judged(findings[_i].adapter, findings[_i].case_name);
    const struct adi_result *row = finding_of(report, findings[_i].case_name);
    if (report->n_results == 0) { /* the device is not there */
        printf("skip: %s: nothing was judged\n", findings[_i].adapter);
        adi_report_free(report);
        return;
    }
    ck_assert_msg(row != NULL, "%s: nothing was found", findings[_i].adapter);
    ck_assert_str_eq(row->rule->id, findings[_i].rule);
    const struct adi_order *order = row->order;
    ck_assert_msg(order != NULL && order->missing != NULL, "%s: no edge is missing",
                  findings[_i].adapter);
    ck_assert_str_eq(order->marks[order->from].text, findings[_i].from);
    ck_assert_str_eq(order->marks[order->to].text, findings[_i].to);
    adi_report_free(report);
}
END_TEST

/* Nothing is drawn of what waits as it should, nor where no order is at fault. */
static const char *const correct[] = {"ext_dev_odd_joins_queues", "opencl_odd_wait_lists",
                                      "vulkan_event_never_set", "cuda_event_by_value"};

START_TEST(who_waits_is_not_drawn)
{
    struct adi_report *report = judged(correct[_i], "int32/nulls/*");
    for (size_t i = 0; i < report->n_results; i++) ck_assert_ptr_null(report->results[i].order);
    adi_report_free(report);
}
END_TEST

Suite *harness_order_suite(void) {
    Suite *suite = suite_create("harness_order");
    TCase *lines = tcase_create("lines"), *runs = tcase_create("runs");
    tcase_add_test(lines, a_race_has_the_edge_between_its_two_calls);
    tcase_add_test(lines, an_event_lacks_the_write_that_it_does_not_stand_for);
    tcase_add_test(lines, an_event_that_was_never_recorded_is_drawn_without_a_record);
    tcase_add_test(lines, an_event_that_was_recorded_again_stands_for_what_was_before_that);
    tcase_add_test(lines, a_shader_may_have_written);
    tcase_add_test(lines, an_end_that_was_not_seen_is_not_made_up);
    tcase_add_test(lines, what_lies_long_before_is_left_out);
    tcase_add_test(lines, it_is_drawn_from_the_record);
    suite_add_tcase(suite, lines);
    tcase_set_timeout(runs, 60);
    tcase_add_loop_test(runs, a_finding_about_order_has_its_edge, 0,
                        sizeof findings / sizeof *findings);
    tcase_add_loop_test(runs, who_waits_is_not_drawn, 0, sizeof correct / sizeof *correct);
    suite_add_tcase(suite, runs);
    return suite;
}
