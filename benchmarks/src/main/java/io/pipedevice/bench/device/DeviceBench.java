// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.device;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Drives the lanes of a device as the driver does, from one thread. The source is memory that this process may only
 * read, and the destination memory that it may write, 64 MB each. Used by one thread; owns the device.
 */
final class DeviceBench implements AutoCloseable {
    /** The driver has so much under way on a lane, at most. */
    private static final int WINDOW_BYTES = 768 << 10;

    private static final int WINDOW_COMMANDS = 300;
    private static final long SIZE = 64L << 20;
    private static final int LARGE = 64 << 10;
    private static final int SMALL = 64;

    /** The entry that a small command carries, so that its completion is known among others. */
    private static final int SMALL_ENTRY = 9;

    private static final long MAX_LATENCY_NS = 10_000_000_000L;

    private final Device device;
    private final int lanes;
    private final Arena arena = Arena.ofShared();
    private final Fd file;
    private final MemorySegment source;
    private final MemorySegment destination = arena.allocate(SIZE, 2L << 20);
    private final DeviceMapping from;
    private final DeviceMapping to;
    private final Command command = new Command();
    private final Command completion = new Command();
    private long failed;

    DeviceBench(Device device) throws IOException {
        this.device = device;
        this.lanes = device.capabilities().lanes();
        file = Memory.memfd("pd-bench-device", Memory.PageSize.NORMAL);
        Memory.resize(file, SIZE);
        MemorySegment writable = Memory.map(file, 0, SIZE, true, arena);
        SplittableRandom random = new SplittableRandom(1);
        for (long at = 0; at < SIZE; at += Long.BYTES) {
            writable.set(ValueLayout.JAVA_LONG, at, random.nextLong());
        }
        source = Memory.map(file, 0, SIZE, false, arena);
        from = device.map(source, DeviceMapping.Access.READ);
        to = device.map(destination, DeviceMapping.Access.WRITE);
    }

    String name() {
        return device.name();
    }

    int lanes() {
        return lanes;
    }

    /** Whether commands of a size are possible. */
    boolean takes(int size) {
        return size <= device.capabilities().maxTransfer();
    }

    /** The number of commands that failed so far. */
    long failed() {
        return failed;
    }

    /**
     * Copies one command at a time.
     *
     * @param size in bytes
     * @param pauseNs between two commands
     * @param nanos how long to measure
     * @return the times from the submission to the completion, in nanoseconds
     */
    Histogram single(int size, long pauseNs, long nanos) {
        Histogram times = new Histogram(MAX_LATENCY_NS, 3);
        DeviceLane lane = device.lane(0);
        long end = System.nanoTime() + nanos;
        for (long i = 0; System.nanoTime() - end < 0; i++) {
            if (pauseNs > 0) {
                LockSupport.parkNanos(pauseNs);
            }
            long at = offset(0, 1, i, size);
            long begin = System.nanoTime();
            submit(lane, at, at, size, 0);
            lane.flush();
            device.poll();
            while (!lane.complete(completion)) {
                device.poll();
            }
            lane.flushCompletions();
            times.recordValue(Math.min(System.nanoTime() - begin, MAX_LATENCY_NS));
            count(completion);
        }
        return times;
    }

    /**
     * Keeps all lanes busy.
     *
     * @param size of each command, in bytes
     * @param nanos how long to measure
     * @return commands per second
     */
    double stream(int size, long nanos) {
        int window = Math.max(4, Math.min(WINDOW_COMMANDS, WINDOW_BYTES / size));
        long[] sent = new long[lanes];
        long commands = 0;
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
            for (int i = 0; i < lanes; i++) {
                DeviceLane lane = device.lane(i);
                boolean submitted = false;
                while (lane.outstanding() < window) {
                    long at = offset(i, lanes, sent[i], size);
                    if (!submit(lane, at, at, size, 0)) {
                        break;
                    }
                    sent[i]++;
                    submitted = true;
                }
                if (submitted) {
                    lane.flush();
                }
            }
            device.poll();
            for (int i = 0; i < lanes; i++) {
                commands += take(device.lane(i));
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        drain();
        return commands / seconds;
    }

    /**
     * Copies one small command at a time beside a stream of large ones on lane 0.
     *
     * @param other the lane of the small commands, 0 for the same
     * @param nanos how long to measure
     * @return the times of the small commands, in nanoseconds
     */
    Histogram besideStream(int other, long nanos) {
        Histogram times = new Histogram(MAX_LATENCY_NS, 3);
        int size = Math.min(LARGE, device.capabilities().maxTransfer());
        DeviceLane stream = device.lane(0);
        DeviceLane single = device.lane(other);
        DeviceLane[] both = other == 0 ? new DeviceLane[] {stream} : new DeviceLane[] {stream, single};
        long sent = 0;
        long begin = 0;
        boolean waiting = false;
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            while (stream.outstanding() < WINDOW_BYTES / size) {
                long at = offset(0, 2, sent, size);
                if (!submit(stream, at, at, size, 0)) {
                    break;
                }
                sent++;
            }
            if (!waiting) {
                begin = System.nanoTime();
                waiting = submit(single, 0, SIZE - SMALL, SMALL, SMALL_ENTRY);
            }
            stream.flush();
            single.flush();
            device.poll();
            for (DeviceLane lane : both) {
                while (lane.complete(completion)) {
                    count(completion);
                    if (completion.entrySequence() == SMALL_ENTRY) {
                        times.recordValue(Math.min(System.nanoTime() - begin, MAX_LATENCY_NS));
                        waiting = false;
                    }
                }
                lane.flushCompletions();
            }
        }
        drain();
        return times;
    }

    /**
     * Copies ranges of any size and alignment, and compares them with their source.
     *
     * @param rounds of 100 commands
     * @return the bytes that were compared
     * @throws IOException if a byte differs
     */
    long check(int rounds) throws IOException {
        SplittableRandom random = new SplittableRandom(2);
        int most = device.capabilities().maxTransfer();
        long checked = 0;
        for (int round = 0; round < rounds; round++) {
            int count = 100;
            long[] origin = new long[count];
            long[] target = new long[count];
            int[] length = new int[count];
            long at = round & 15;
            for (int i = 0; i < count; i++) {
                length[i] = 1 + random.nextInt(i % 2 == 0 ? Math.min(100, most) : most);
                origin[i] = random.nextLong(SIZE - length[i]);
                target[i] = at;
                at += length[i];
                DeviceLane lane = device.lane(i % lanes);
                while (!submit(lane, origin[i], target[i], length[i], 0)) {
                    lane.flush();
                    device.poll();
                    take(lane);
                }
                lane.flush();
            }
            drain();
            for (int i = 0; i < count; i++) {
                if (MemorySegment.mismatch(
                                source, origin[i], origin[i] + length[i], destination, target[i], target[i] + length[i])
                        >= 0) {
                    throw new IOException(device.name() + " did not copy " + length[i] + " bytes");
                }
                checked += length[i];
            }
        }
        return checked;
    }

    private static long offset(int part, int parts, long position, int size) {
        long piece = SIZE / parts;
        return part * piece + position * size % (piece - size + 1) / SMALL * SMALL;
    }

    private boolean submit(DeviceLane lane, long origin, long target, int size, int entry) {
        return lane.submit(
                command.set(CommandType.SEND, from.address() + origin, to.address() + target, size, 1, 1, 0, entry, 0));
    }

    private long take(DeviceLane lane) {
        long taken = 0;
        while (lane.complete(completion)) {
            count(completion);
            taken++;
        }
        if (taken > 0) {
            lane.flushCompletions();
        }
        return taken;
    }

    private void count(Command done) {
        if (done.tag() != CommandType.STATUS_OK) {
            failed++;
        }
    }

    private void drain() {
        for (int i = 0; i < lanes; i++) {
            DeviceLane lane = device.lane(i);
            while (lane.outstanding() > 0) {
                device.poll();
                take(lane);
            }
        }
    }

    @Override
    public void close() throws IOException {
        device.close();
        arena.close();
        file.close();
    }
}
