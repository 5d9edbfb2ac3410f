// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * This JVM's counters, in memory that {@code pipedevice stat} of another process can read. Thread safe. Lives as long
 * as the JVM.
 */
final class StatPage {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment memory;

    private StatPage(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * Publishes a page.
     *
     * @throws IOException if there is no memory or no descriptor for it
     */
    static StatPage publish() throws IOException {
        // Never closed, because other processes find the page by its descriptor under /proc.
        SharedRegion region = SharedRegion.create(StatPageDescriptor.NAME, StatPageDescriptor.LENGTH, false);
        try {
            region.allocate(0, region.size());
        } catch (IOException e) {
            region.close();
            throw e;
        }
        MemorySegment memory = region.memory();
        describe(memory);
        return new StatPage(memory);
    }

    /** A page that only this JVM sees, where none can be published. */
    static StatPage unpublished() {
        return new StatPage(Arena.global().allocate(StatPageDescriptor.LENGTH, Long.BYTES));
    }

    private static void describe(MemorySegment memory) {
        byte[] name = bytes(programName(), StatPageDescriptor.MAX_NAME);
        memory.set(ValueLayout.JAVA_LONG, StatPageDescriptor.VERSION_OFFSET, StatPageDescriptor.VERSION);
        memory.set(ValueLayout.JAVA_LONG, StatPageDescriptor.PID_OFFSET, ProcessFacts.self());
        memory.set(ValueLayout.JAVA_LONG, StatPageDescriptor.START_OFFSET, System.currentTimeMillis());
        memory.set(ValueLayout.JAVA_LONG, StatPageDescriptor.NAME_LENGTH_OFFSET, name.length);
        MemorySegment.copy(name, 0, memory, ValueLayout.JAVA_BYTE, StatPageDescriptor.NAME_OFFSET, name.length);
        WORD.setRelease(memory, (long) StatPageDescriptor.MAGIC_OFFSET, StatPageDescriptor.MAGIC);
    }

    private static byte[] bytes(String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length > most ? Arrays.copyOf(bytes, most) : bytes;
    }

    /** Publishes why PipeDevice is off in this JVM. Called at most once. */
    void describeOff(String why) {
        byte[] text = bytes(why, StatPageDescriptor.MAX_WHY_OFF);
        MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, StatPageDescriptor.WHY_OFF_OFFSET, text.length);
        WORD.setRelease(memory, (long) StatPageDescriptor.WHY_OFF_LENGTH_OFFSET, (long) text.length);
    }

    /** Publishes one more class of Netty that was switched, if there is room for its name. */
    synchronized void describeSwitched(String name) {
        byte[] line = (name + '\n').getBytes(StandardCharsets.UTF_8);
        int before = (int) get(StatPageDescriptor.SWITCHED_LENGTH_OFFSET);
        int after = before + line.length;
        if (after <= StatPageDescriptor.MAX_SWITCHED) {
            int end = StatPageDescriptor.SWITCHED_OFFSET + before;
            MemorySegment.copy(line, 0, memory, ValueLayout.JAVA_BYTE, end, line.length);
            WORD.setRelease(memory, (long) StatPageDescriptor.SWITCHED_LENGTH_OFFSET, (long) after);
        }
    }

    /** The main class, or the jar or module that has it, without the program's arguments. */
    private static String programName() {
        String command = System.getProperty("sun.java.command", "");
        int end = command.indexOf(' ');
        String main = end < 0 ? command : command.substring(0, end);
        return main.endsWith(".jar") ? main.substring(main.lastIndexOf('/') + 1) : main;
    }

    void add(int offset, long count) {
        WORD.getAndAdd(memory, (long) offset, count);
    }

    /** A counter's value. */
    long get(int offset) {
        return (long) WORD.getVolatile(memory, (long) offset);
    }
}
