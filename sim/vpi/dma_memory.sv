// SPDX-License-Identifier: Apache-2.0
//
// A memory of 256 MiB behind a DMA engine: what the vpi device is. vpi_map.h says how it is used.
//
// The memory is sparse: a page that was never written, or was forgotten, is not there and reads as
// poison. Bytes get into it by the engine alone, which takes time: `latency` ticks of the clock
// after the one that accepts the command. Looking at it takes none.
module dma_memory (
    input bit clk
);
    // verilator lint_off BLKSEQ
    localparam bit [63:0] PAGE = 4096;
    localparam bit [63:0] BASE = 64'h1000_0000, BYTES = 64'h1000_0000;
    localparam bit [7:0] POISON = 8'hdb, WRITE = 1, SUM = 2, PEEK = 1, FORGET = 2;

    typedef bit [8*PAGE-1:0] page_t;
    typedef bit [51:0] number_t;
    page_t memory [number_t];

    bit [63:0] map_base  /* verilator public_flat_rd */ = BASE;
    bit [63:0] map_bytes /* verilator public_flat_rd */ = BYTES;

    function automatic page_t page_at(number_t number);
        page_at = {PAGE{POISON}};
        if (memory.exists(number) != 0) page_at = memory[number];
    endfunction

    // A piece of one page of the map: all that a command or a request may name.
    function automatic bit is_piece(bit [63:0] address, bit [63:0] bytes);
        return address >= BASE && address - BASE < BYTES && bytes != 0 && bytes <= PAGE &&
            {52'b0, address[11:0]} + bytes <= PAGE;
    endfunction

    // ---- who watches is told what the engine and the port are had to do ----

    localparam bit [7:0] SEEN_PEEK = 3, SEEN_DONE = 4;
    import "DPI-C" context function void dma_memory_seen(input byte unsigned what,
        input longint unsigned address, input longint unsigned bytes);

    // ---- the engine ----

    bit [63:0] dma_address /* verilator public_flat_rw */;
    bit [63:0] dma_bytes   /* verilator public_flat_rw */;
    bit [63:0] dma_latency /* verilator public_flat_rw */ = 4;
    bit [7:0]  dma_command /* verilator public_flat_rw */;
    bit        dma_start   /* verilator public_flat_rw */;
    bit        dma_stuck   /* verilator public_flat_rw */;  // a fault: never done
    page_t     dma_staging /* verilator public_flat_rw */;
    bit        dma_busy    /* verilator public_flat_rd */;
    bit        dma_done    /* verilator public_flat_rd */;
    bit        dma_error   /* verilator public_flat_rd */;
    bit [63:0] dma_sum     /* verilator public_flat_rd */;

    bit [63:0] ticks_left;
    bit finish;

    // `page` with the piece of `from` in it.
    function automatic page_t merge(page_t page, page_t from, bit [11:0] at, bit [63:0] bytes);
        page_t piece = (page_t'(0) - 1) >> (8 * (PAGE - bytes)) << {at, 3'b0};
        return (page & ~piece) | (from & piece);
    endfunction

    function automatic bit [63:0] sum_of(page_t bytes);
        // verilator no_inline_task
        bit [63:0] sum = 0;
        for (int i = 0; i < int'(PAGE); i++) sum += {56'b0, bytes[8*i+:8]};
        return sum;
    endfunction

    // Apart from the clock, so that ticks are cheap: it works on whole pages.
    always @(finish) begin
        automatic number_t number = dma_address[63:12];
        dma_busy = 0;
        dma_done = 1;
        dma_memory_seen(SEEN_DONE, dma_address, dma_bytes);
        dma_error = !is_piece(dma_address, dma_bytes) || !(dma_command inside {WRITE, SUM});
        if (!dma_error && dma_command == SUM)
            dma_sum = sum_of(merge(page_t'(0), page_at(number), dma_address[11:0], dma_bytes));
        if (!dma_error && dma_command == WRITE) begin
            if (dma_bytes == PAGE) memory[number] = dma_staging;
            else memory[number] = merge(page_at(number), dma_staging, dma_address[11:0], dma_bytes);
        end
    end

    always @(posedge clk)
        if (dma_busy) begin
            if (ticks_left != 0) ticks_left = ticks_left - 1;
            else if (!dma_stuck) finish = !finish;
        end else if (dma_start) begin
            dma_start = 0;
            dma_busy = 1;
            dma_done = 0;
            ticks_left = dma_latency;
            dma_memory_seen(dma_command, dma_address, dma_bytes);
        end

    // ---- the port: what needs no tick ----

    bit [63:0] port_address /* verilator public_flat_rw */;
    bit [7:0]  port_command /* verilator public_flat_rw */;
    bit        port_request /* verilator public_flat_rw */;  // any change of it is a request
    page_t     port_view    /* verilator public_flat_rd */;

    always @(port_request)
        case (port_command)
            PEEK: begin
                port_view = page_at(port_address[63:12]);
                dma_memory_seen(SEEN_PEEK, port_address, 0);
            end
            FORGET: memory.delete(port_address[63:12]);
            default: ;
        endcase

    // ---- past the handles: a page at a time, and all flags at once ----

    export "DPI-C" function dma_memory_stage;
    function automatic void dma_memory_stage(input page_t bytes);
        dma_staging = bytes;
    endfunction

    export "DPI-C" function dma_memory_peek;
    function automatic void dma_memory_peek(input longint unsigned address, output page_t bytes);
        bytes = page_at(address[63:12]);
        dma_memory_seen(SEEN_PEEK, address, 0);
    endfunction

    export "DPI-C" function dma_memory_flags;
    function automatic byte unsigned dma_memory_flags();
        dma_memory_flags = {4'b0, dma_error, dma_done, dma_busy, dma_start};
    endfunction
endmodule
