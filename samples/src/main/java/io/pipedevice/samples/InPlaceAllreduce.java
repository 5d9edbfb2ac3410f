// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.samples.nio.AllreduceArguments;
import io.pipedevice.samples.nio.FloatSums;
import io.pipedevice.samples.nio.NextProcesses;
import io.pipedevice.samples.nio.ReducedArray;
import io.pipedevice.samples.nio.RingAllreduce;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * {@link RingAllreduce} by PD Lib, without a copy: the floats that the process before has sent are added where they
 * lie, and the sums are written to where they are sent from. So the sums that are not complete have no other place.
 *
 * <p>That needs small parts: as many parts of the array as there are processes are a group, and the parts of some
 * groups are on their way at a time. Each part goes round twice, first while it is added, then as the sum. A process
 * sends its own parts of the first groups. Then it sends, for each part that it receives, the sum or the part itself;
 * when a part has come round for the last time, it sends its own part of another group. So the number of parts on their
 * way does not grow, and they fit into the rings: a process that waits for room never waits for itself.
 *
 * <p>Input and output are those of {@link RingAllreduce}. The property {@code pipedevice.driver} names the directory of
 * a driver; without it the processes are peers, and {@code pipedevice.ring.max} must not be less than its default.
 */
public final class InPlaceAllreduce {
    /** The most bytes of a part. */
    private static final int PART = 128 << 10;

    /** The parts of a process that are on their way at a time. */
    private static final int GROUPS_AT_A_TIME = 4;

    /** Room for twice these parts: so not all rings are full at a time, also if each has a gap at its end. */
    private static final int RING = 2 * GROUPS_AT_A_TIME * PART;

    private final int rank;
    private final int ranks;
    private final ReducedArray array;
    private final MemorySegment data;
    private final int groups;
    private final FloatSums sums = new FloatSums();
    private final PdConnection next;
    private final ReceivedRecords before;
    private final PdBuffer block = new PdBuffer();

    private InPlaceAllreduce(AllreduceArguments arguments, PdConnection next, PdConnection before) {
        this.rank = arguments.rank();
        this.ranks = arguments.ranks();
        this.array = arguments.array();
        this.data = MemorySegment.ofBuffer(array.data());
        this.groups = Math.toIntExact(Math.ceilDiv(data.byteSize(), (long) ranks * PART));
        this.next = next;
        this.before = new ReceivedRecords(before, Float.BYTES);
    }

    /**
     * Runs one process.
     *
     * @param args as those of {@link RingAllreduce}
     * @throws IOException if a neighbour ends early
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        AllreduceArguments arguments = AllreduceArguments.parse(args);
        try (Placement placement = Placement.ofProperty();
                PdListener listener = placement.listen(arguments.host())) {
            System.out.println("listening " + listener.localAddress().getPort());
            try (PdConnection next = placement.connect(NextProcesses.read().getFirst(), RING);
                    PdConnection before = listener.accept(PipeDevice.FOREVER)) {
                InPlaceAllreduce process = new InPlaceAllreduce(arguments, next, before);
                process.requireRoom();
                for (int time = arguments.times(); time > 0; time--) {
                    process.array.fill();
                    long begin = System.nanoTime();
                    process.reduce();
                    System.out.println("reduced " + (System.nanoTime() - begin) / 1e9);
                    process.array.verify();
                }
                System.out.println("verified " + placement.text(next) + " " + placement.text(before));
            }
        }
    }

    /** Fails if the ring has another limit, because then all processes could wait for room. */
    private void requireRoom() throws IOException {
        next.malloc(RING, block, PipeDevice.FOREVER);
        next.free(block);
    }

    private void reduce() throws IOException {
        int steps = 2 * (ranks - 1);
        if (steps == 0) {
            return;
        }
        for (int group = 0; group < Math.min(GROUPS_AT_A_TIME, groups); group++) {
            sendOwn(group);
        }
        for (int first = 0; first < groups; first += GROUPS_AT_A_TIME) {
            for (int step = 0; step < steps; step++) {
                for (int group = first; group < Math.min(first + GROUPS_AT_A_TIME, groups); group++) {
                    receive(group, step, steps);
                    if (step == steps - 1 && group + GROUPS_AT_A_TIME < groups) {
                        sendOwn(group + GROUPS_AT_A_TIME);
                    }
                }
            }
        }
    }

    /** Sends the first part of a group, which is one of this process alone. */
    private void sendOwn(int group) throws IOException {
        int from = begin(group, rank);
        int length = end(group, rank) - from;
        next.malloc(length, block, PipeDevice.FOREVER);
        MemorySegment.copy(data, from, block.memory(), block.offset(), length);
        send(length);
    }

    private void receive(int group, int step, int steps) throws IOException {
        int part = Math.floorMod(rank - step - 1, ranks);
        int to = begin(group, part);
        int length = end(group, part) - to;
        boolean adds = step < ranks - 1;
        // The last addition makes the sum, which each process keeps.
        boolean keeps = step >= ranks - 2;
        boolean passesOn = step < steps - 1;
        if (passesOn) {
            next.malloc(length, block, PipeDevice.FOREVER);
        }
        for (int done = 0; done < length; ) {
            int count = before.await(length - done);
            if (count == 0) {
                throw new EOFException("the process before has ended");
            }
            MemorySegment from = before.memory();
            if (adds) {
                add(from, before.offset(), to + done, block.memory(), block.offset() + done, count, keeps);
            } else {
                MemorySegment.copy(from, before.offset(), data, to + done, count);
                if (passesOn) {
                    MemorySegment.copy(from, before.offset(), block.memory(), block.offset() + done, count);
                }
            }
            before.release();
            done += count;
        }
        if (passesOn) {
            send(length);
        }
    }

    /** Adds floats that were received to those of the array. */
    private void add(
            MemorySegment from,
            long fromOffset,
            int at,
            MemorySegment into,
            long intoOffset,
            int length,
            boolean keeps) {
        for (int done = 0, count; done < length; done += count) {
            count = sums.add(from, fromOffset + done, data, at + done, length - done);
            sums.copyTo(into, intoOffset + done);
            if (keeps) {
                sums.copyTo(data, at + done);
            }
        }
    }

    private void send(int length) throws IOException {
        next.send(block, length, PipeDevice.FOREVER);
        next.free(block);
    }

    private int begin(int group, int part) {
        return array.begin(group * ranks + part, groups * ranks);
    }

    private int end(int group, int part) {
        return array.begin(group * ranks + part + 1, groups * ranks);
    }
}
