// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The number of threads of the whole machine that run or could run, from /proc/loadavg, and the number of processors
 * that are online. Used by one thread at a time.
 */
public final class RunQueue {
    /** A read takes a microsecond or two, and the file is shorter. */
    private static final int LENGTH = 128;

    /** The running threads stand before this character, after three averages. */
    private static final byte SLASH = '/';

    private final Fd file;
    private final int processors;
    private final MemorySegment line = Arena.ofAuto().allocate(LENGTH);

    private RunQueue(Fd file, int processors) {
        this.file = file;
        this.processors = processors;
    }

    /**
     * Opens the counters of the machine.
     *
     * @return the counters, for the rest of the process; null if they cannot be read
     */
    public static RunQueue open() {
        try {
            int processors = online(Files.readString(Path.of("/sys/devices/system/cpu/online")));
            return new RunQueue(FileCalls.open("/proc/loadavg", FileCalls.O_RDONLY), processors);
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    /** Counts the processors in a list such as 0-3,8. */
    static int online(String list) {
        int count = 0;
        for (String range : list.strip().split(",", -1)) {
            int dash = range.indexOf('-');
            int last = Integer.parseInt(range.substring(dash + 1));
            count += dash < 0 ? 1 : last - Integer.parseInt(range.substring(0, dash)) + 1;
        }
        return count;
    }

    /**
     * The processors of the machine that are online when this object was opened.
     *
     * @return 1 or more
     */
    public int processors() {
        return processors;
    }

    /**
     * The threads of the machine that run, the calling one included, or wait for a processor. Makes one system call.
     *
     * @return 1 or more; 0 if that is unknown
     */
    public int threads() {
        int number = file.tryAcquire();
        if (number < 0) {
            return 0;
        }
        try {
            return threads(line, (int) FileCalls.pread(number, line, LENGTH, 0));
        } finally {
            file.release();
        }
    }

    /** The number before the slash, 0 if there is none. */
    static int threads(MemorySegment line, int length) {
        int end = 0;
        while (end < length && line.get(ValueLayout.JAVA_BYTE, end) != SLASH) {
            end++;
        }
        if (end >= length) {
            return 0;
        }
        int threads = 0;
        int digit = 1;
        for (int i = end - 1; i >= 0; i--) {
            int value = line.get(ValueLayout.JAVA_BYTE, i) - '0';
            if (value < 0 || value > 9) {
                break;
            }
            threads += value * digit;
            digit *= 10;
        }
        return threads;
    }
}
