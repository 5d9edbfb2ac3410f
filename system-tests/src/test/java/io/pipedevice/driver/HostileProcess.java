// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A process that attaches correctly, and then writes random values wherever it can, as long as the driver serves it;
 * then it attaches again. Arguments: the driver's directory, the port of an honest listener, a seed, and its minimum
 * duration in milliseconds. At the end prints ATTACHED and the number of attachments.
 */
final class HostileProcess implements AutoCloseable {
    /** Limit of steps, so that the request ring does not fill with entries that the driver does not see. */
    private static final int MAX_STEPS = 200;

    private static final int KINDS = 7;

    /** Minimum of attachments, so that all kinds of attack occur even on a slow machine. */
    private static final int MIN_ATTACHMENTS = 20;

    private static final int MAX_EXTRA_S = 60;

    private static final int RING = 4096;
    private static final int[] TYPES = {
        CommandType.SEND,
        CommandType.RECV_DONE,
        CommandType.SHUTDOWN,
        CommandType.SHUTDOWN_INPUT,
        CommandType.CLOSE,
        CommandType.OPENED
    };

    private final RawClient client;
    private final Random random;
    private final int port;
    private final List<Fd> own = new ArrayList<>();
    private final List<Fd> fds;
    private final List<RawSocket> sockets = new ArrayList<>();

    private HostileProcess(RawClient client, int port, Random random) throws IOException {
        this.client = client;
        this.port = port;
        this.random = random;
        own.add(EventFd.open().fd());
        own.add(Memory.memfd("unsealed", Memory.PageSize.NORMAL));
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.STREAM);
        own.add(pair[0].fd());
        own.add(pair[1].fd());
        fds = new ArrayList<>(own);
        fds.add(client.libPage.fd());
        fds.add(client.driverPage.fd());
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        Random random = new Random(Long.parseLong(arguments[2]));
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[3]));
        long latest = end + TimeUnit.SECONDS.toNanos(MAX_EXTRA_S);
        int attached = 0;
        while (System.nanoTime() - (attached < MIN_ATTACHMENTS ? latest : end) < 0) {
            try (RawClient client = RawClient.attach(TestDriver.endpoint(directory))) {
                attached++;
                try (HostileProcess process = new HostileProcess(client, port, random)) {
                    process.misbehave();
                }
            } catch (IOException e) {
                // It was detached in the middle of an operation, or earlier connections are still being closed.
                Thread.onSpinWait();
            }
        }
        System.out.println("ATTACHED " + attached);
    }

    /**
     * Makes one or two kinds of attack at a time, amid honest traffic: an attack that is detected at once would hide
     * the others.
     */
    private void misbehave() throws IOException {
        connectToItself();
        connectToOthers();
        int[] kinds = {random.nextInt(KINDS), random.nextInt(KINDS)};
        for (int i = 0; i < MAX_STEPS; i++) {
            behave();
            step(kinds[random.nextInt(kinds.length)]);
            client.wakeDriver();
            if (client.control.awaitEnd(0)) {
                return;
            }
        }
    }

    private void behave() throws IOException {
        byte[] bytes = new byte[RING / 4];
        try {
            sockets.get(0).write(bytes, 0, bytes.length);
            sockets.get(1).read(bytes);
        } catch (RawException e) {
            // The driver has reset the socket because of a request that was posted in its name. The next attachment has
            // another connection.
            client.wakeDriver();
        }
    }

    private void connectToItself() throws IOException {
        RawSocket listener = client.listen(TestDriver.loopback(0), 4, RING);
        sockets.add(client.socket().connect(listener.local, RING, RING));
        sockets.add(listener.accept(RING));
        sockets.add(listener);
        client.doorbell();
    }

    private void connectToOthers() throws IOException {
        try {
            sockets.add(client.socket().connect(TestDriver.loopback(port), RING, RING));
        } catch (RawException e) {
            // The honest process has not taken the earlier data.
            return;
        }
    }

    private void step(int kind) throws IOException {
        switch (kind) {
            case 0 -> overwrite(client.libPage.memory());
            case 1 -> overwrite(anySlot());
            case 2 -> writeWord(anySlot());
            case 3 -> {
                for (SharedRegion region : client.sendRegions.values()) {
                    overwrite(region.memory());
                }
            }
            case 4 -> postEntry();
            case 5 -> sendRecord();
            default -> sendMutatedMessage();
        }
    }

    /** Overwrites all of the memory, or a part. */
    private void overwrite(MemorySegment memory) {
        long from = random.nextBoolean() ? 0 : random.nextLong(memory.byteSize());
        byte[] noise = new byte[(int) random.nextLong(1, memory.byteSize() - from + 1)];
        random.nextBytes(noise);
        MemorySegment.copy(noise, 0, memory, ValueLayout.JAVA_BYTE, from, noise.length);
    }

    private MemorySegment anySlot() {
        int sid = sockets.get(random.nextInt(sockets.size())).sid;
        return client.libPage
                .memory()
                .asSlice(LibPageDescriptor.slot(client.depth, sid), LibPageDescriptor.SLOT_LENGTH);
    }

    /** Writes a value that might be valid into a word. */
    private void writeWord(MemorySegment slot) {
        long offset = Long.BYTES * random.nextLong(slot.byteSize() / Long.BYTES);
        slot.set(ValueLayout.JAVA_LONG, offset, random.nextInt(2 * RING));
    }

    /** Posts a well-formed entry of the request ring, with fields of any value. */
    private void postEntry() {
        RawSocket socket = sockets.get(random.nextInt(sockets.size()));
        int sid = random.nextInt(8) == 0 ? random.nextInt(1 << 16) : socket.sid;
        long source = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(RING);
        int length = random.nextInt(random.nextBoolean() ? RING : 1 << 16);
        int generation = random.nextInt(8) == 0 ? random.nextInt(1 << 16) : socket.generation & 0xFFFF;
        int type = random.nextInt(8) == 0 ? random.nextInt(1 << 8) : TYPES[random.nextInt(TYPES.length)];
        client.requests.offer(type, source, random.nextLong(), length, sid, random.nextInt(3), generation);
    }

    /** Sends bytes that are not a message. */
    private void sendRecord() throws IOException {
        byte[] bytes = new byte[random.nextInt(2 * ControlMessage.LENGTH)];
        random.nextBytes(bytes);
        if (bytes.length > 0) {
            client.control.send(bytes, someFds());
        }
    }

    /** Sends a valid request with some bytes changed, or without its end. */
    private void sendMutatedMessage() throws IOException {
        RawSocket socket = sockets.get(random.nextInt(sockets.size()));
        client.request(random.nextInt(13))
                .socketId(socket.sid)
                .value(random.nextInt(4))
                .argument(RING)
                .localAddress(TestDriver.loopback(0))
                .peerAddress(socket.local)
                .sendRing(0, 0, RING)
                .receiveRingSize(RING);
        byte[] bytes = client.control.message.memory().toArray(ValueLayout.JAVA_BYTE);
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes[12 + random.nextInt(bytes.length - 12)] = (byte) random.nextInt(256);
        }
        boolean whole = random.nextInt(200) != 0;
        client.control.send(whole ? bytes : java.util.Arrays.copyOf(bytes, 1 + random.nextInt(255)), someFds());
    }

    private Fd[] someFds() {
        Fd[] some = new Fd[random.nextInt(3)];
        for (int i = 0; i < some.length; i++) {
            some[i] = fds.get(random.nextInt(fds.size()));
        }
        return some;
    }

    @Override
    public void close() {
        own.forEach(Fd::close);
    }
}
