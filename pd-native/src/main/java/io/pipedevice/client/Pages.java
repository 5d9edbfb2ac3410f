// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The three pages that this process shares with the driver; owns them. Thread safe. */
final class Pages implements AutoCloseable {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    final SharedRegion lib;
    final SharedRegion driver;
    final SharedRegion status;
    final int requestDepth;
    final int maxSockets;

    Pages(SharedRegion lib, SharedRegion driver, SharedRegion status, int requestDepth, int maxSockets) {
        this.lib = lib;
        this.driver = driver;
        this.status = status;
        this.requestDepth = requestDepth;
        this.maxSockets = maxSockets;
    }

    /** A socket's words that this process writes. */
    MemorySegment own(int socketId) {
        return lib.memory().asSlice(LibPageDescriptor.slot(requestDepth, socketId), LibPageDescriptor.SLOT_LENGTH);
    }

    /** A socket's words that the driver writes. */
    MemorySegment driver(int socketId) {
        return driver.memory()
                .asSlice(DriverPageDescriptor.slot(maxSockets, socketId), DriverPageDescriptor.SLOT_LENGTH);
    }

    /** Clears the words of a socket id that the driver reads, for a new socket. */
    void clear(int socketId) {
        long slot = LibPageDescriptor.slot(requestDepth, socketId);
        for (long offset = 0; offset < LibPageDescriptor.SLOT_LENGTH; offset += Long.BYTES) {
            WORD.setRelease(lib.memory(), slot + offset, 0L);
        }
    }

    /** State and generation of a socket that this process has closed. */
    long state(int socketId) {
        long slot = DriverPageDescriptor.slot(maxSockets, socketId);
        return (long) WORD.getAcquire(driver.memory(), slot + DriverPageDescriptor.STATE_OFFSET);
    }

    /** Stores how much a socket has consumed when it is closed. */
    void consumed(int socketId, long bytes) {
        long slot = LibPageDescriptor.slot(requestDepth, socketId);
        WORD.setRelease(lib.memory(), slot + LibPageDescriptor.CONSUMED_OFFSET, bytes);
    }

    @Override
    public void close() {
        lib.close();
        driver.close();
        status.close();
    }
}
