// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** A Unix socket that receives datagrams, as a service manager has one. Used by one thread at a time. */
public final class DatagramReceiver implements AutoCloseable {
    private static final int LONGEST = 256;

    private final Fd fd;

    private DatagramReceiver(Fd fd) {
        this.fd = fd;
    }

    public static DatagramReceiver bind(UnixAddress address) throws LinuxException {
        Fd fd = Fd.own(LinuxException.check(
                "socket",
                SocketCalls.socket(SocketCalls.AF_UNIX, SocketCalls.SOCK_DGRAM | SocketCalls.SOCK_CLOEXEC, 0)));
        int number = fd.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.zeroed();
            LinuxException.check("bind", SocketCalls.bind(number, buffer, address.write(buffer)), address);
        } finally {
            fd.release();
        }
        return new DatagramReceiver(fd);
    }

    /** The text of the next datagram, for which this waits. */
    public String receive() throws LinuxException {
        int number = fd.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST);
            long length = LinuxException.check("read", FileCalls.read(number, text, LONGEST));
            return new String(text.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        } finally {
            fd.release();
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
