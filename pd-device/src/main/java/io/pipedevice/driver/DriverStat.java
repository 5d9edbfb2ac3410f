// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.DeniedAccess;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * Reads the counters of a running driver from another process. It maps their memory once, read-only, and reads it at
 * each request. Used by one thread at a time. Needs {@code java.base/jdk.internal.misc} exported, for Agrona.
 */
public final class DriverStat implements AutoCloseable {
    private static final long ANSWER_TIMEOUT_MS = 5000;

    /**
     * A counter's value.
     *
     * @param type the counter's type id, see {@link CounterType}
     * @param attachment number of the attachment that it counts for, 0 if it is the driver's own
     * @param label the counter's label
     * @param value its value
     */
    public record Value(int type, int attachment, String label, long value) {}

    private final UnixSocket socket;
    private final SharedRegion region;
    private final CountersReader reader;

    private DriverStat(UnixSocket socket, SharedRegion region, CountersReader reader) {
        this.socket = socket;
        this.region = region;
        this.reader = reader;
    }

    /**
     * Finds the driver of a directory.
     *
     * @param directory the driver's
     * @return its counters, which the caller closes
     * @throws IOException if no driver runs there, or one of another version
     */
    public static DriverStat open(Path directory) throws IOException {
        Path path = directory.resolve(LockedDirectory.SOCKET).toAbsolutePath();
        UnixSocket socket;
        try {
            socket = UnixSocket.connect(UnixSocket.Type.SEQPACKET, UnixAddress.path(path));
        } catch (LinuxException e) {
            throw new IOException(
                    e.errno() == Errno.EACCES
                            ? DeniedAccess.explain(path)
                            : "no driver runs on " + directory + ": " + e.getMessage(),
                    e);
        }
        try {
            return observe(socket);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static DriverStat observe(UnixSocket socket) throws IOException {
        ControlMessage message = new ControlMessage().request(ControlMessage.OBSERVE, 1);
        socket.sendBlocking(message.memory(), 0, ControlMessage.LENGTH);
        ReceivedFds fds = new ReceivedFds();
        awaitAnswer(socket);
        int length = socket.receive(message.memory(), 0, ControlMessage.LENGTH, fds, true);
        try {
            if (length != ControlMessage.LENGTH || !message.isMessage() || message.status() != 0 || fds.count() != 1) {
                throw new IOException("the driver refused to share its counters: "
                        + (length == ControlMessage.LENGTH ? message.text() : "it ended"));
            }
            SharedRegion region = SharedRegion.attach(fds.take(0), message.argument());
            long metadata = message.value();
            if (metadata <= 0 || metadata >= region.size()) {
                region.close();
                throw new IOException("the driver's counters have an impossible layout");
            }
            long address = region.memory().address();
            CountersReader reader = new CountersReader(
                    new UnsafeBuffer(address, (int) metadata),
                    new UnsafeBuffer(address + metadata, (int) (region.size() - metadata)));
            return new DriverStat(socket, region, reader);
        } finally {
            fds.closeAll();
        }
    }

    private static void awaitAnswer(UnixSocket socket) throws IOException {
        Poll poll = new Poll(1);
        poll.add(socket.fd(), Poll.IN);
        if (poll.await(ANSWER_TIMEOUT_MS) == 0) {
            throw new IOException("the driver does not answer");
        }
    }

    /** The driver's process. */
    int pid() throws IOException {
        return socket.peerCredentials().pid();
    }

    /**
     * Reads the counters.
     *
     * @return the driver's own, then those of each process
     * @throws IOException if the driver has ended
     */
    public List<Value> values() throws IOException {
        if (socket.drain() < 0) {
            throw new IOException("the driver has ended");
        }
        List<Value> values = new ArrayList<>();
        reader.forEach((id, type, key, label) -> values.add(new Value(
                type,
                type >= CounterType.PROCESS_SOCKETS.id() ? key.getInt(0) : 0,
                label,
                reader.getCounterValue(id))));
        return values;
    }

    @Override
    public void close() {
        socket.close();
        region.close();
    }
}
