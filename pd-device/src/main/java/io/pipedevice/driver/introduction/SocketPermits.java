// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.PermitPageDescriptor;
import io.pipedevice.protocol.PermitWord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The two memories by which a participant permits the driver to read its sockets, and the driver shows which one it
 * reads ({@link PermitWord}). Belongs to the driver's thread, except for {@link #begin}, {@link #end} and {@link
 * #release}, which one reading thread at a time calls.
 */
final class SocketPermits {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final SharedRegion own;

    /** Of the participant; null before it has passed it. */
    private SharedRegion theirs;

    /** The driver's thread, and the thread that reads. The last one that releases unmaps. */
    private final AtomicInteger holders = new AtomicInteger(1);

    private SocketPermits(SharedRegion own) {
        this.own = own;
    }

    /** Creates the driver's memory for a participant. */
    static SocketPermits create() throws IOException {
        SharedRegion own = SharedRegion.create("pd-reading", PermitPageDescriptor.driverLength(), false);
        try {
            own.allocate(0, own.size());
            MemorySegment memory = own.memory();
            memory.set(LONG, PermitPageDescriptor.MAGIC_OFFSET, PermitPageDescriptor.DRIVER_MAGIC);
            memory.set(LONG, PermitPageDescriptor.VERSION_OFFSET, PermitPageDescriptor.VERSION);
            return new SocketPermits(own);
        } catch (IOException | RuntimeException | Error e) {
            own.close();
            throw e;
        }
    }

    /** The descriptor of the driver's memory, to pass it and close it. */
    Fd fd() {
        return own.fd();
    }

    /**
     * Maps the participant's memory.
     *
     * @param memory as it was received; taken over
     * @param size as the participant says
     * @param closer gets what is refused
     */
    void attach(Fd memory, long size, Consumer<Fd> closer) throws IOException {
        if (theirs != null || size != PermitPageDescriptor.length()) {
            closer.accept(memory);
            throw new IOException("memory for permits of " + size + " bytes, or another one");
        }
        SharedRegion attached = SharedRegion.attach(memory, size, closer);
        boolean done = false;
        try {
            attached.populateAllocated(0, size);
            done = true;
        } finally {
            if (!done) {
                attached.close();
            }
        }
        attached.closeDescriptor();
        theirs = attached;
    }

    /** Whether a slot exists. */
    boolean has(long slot) {
        return theirs != null && slot >= 0 && slot < PermitPageDescriptor.SLOTS;
    }

    /** For a thread that is going to read sockets, which then releases. */
    void hold() {
        holders.incrementAndGet();
    }

    /** Unmaps, unless another holder remains. */
    void release() {
        if (holders.decrementAndGet() == 0) {
            own.close();
            if (theirs != null) {
                theirs.close();
            }
        }
    }

    /** Begins to read the socket of a question; false if its process has withdrawn it. */
    boolean begin(int slot, int request) {
        return PermitWord.begin(own.memory(), theirs.memory(), slot, request);
    }

    /** Whether the process of a question still awaits the answer. */
    boolean isGranted(int slot, int request) {
        return PermitWord.isGranted(theirs.memory(), slot, request);
    }

    /** The socket is not being read any more. */
    void end() {
        PermitWord.end(own.memory());
    }
}
