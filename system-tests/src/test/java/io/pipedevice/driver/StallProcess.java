// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that gives the driver as much work at once as it can. Arguments: the driver's directory, the kind of work,
 * and its amount. Prints READY before the work, waits for a line, and prints DONE after it.
 */
final class StallProcess {
    private static final int RING = 4096;
    private static final int BACKLOG = 4096;

    private final Path directory;
    private final int count;

    private StallProcess(Path directory, int count) {
        this.directory = directory;
        this.count = count;
    }

    public static void main(String[] arguments) throws IOException {
        StallProcess process = new StallProcess(Path.of(arguments[0]), Integer.parseInt(arguments[2]));
        switch (arguments[1]) {
            case "armed" -> process.armed();
            case "backlog" -> process.backlog();
            case "closes" -> process.closes();
            case "regions" -> process.regions();
            case "attach" -> process.attach();
            default -> throw new IllegalArgumentException(arguments[1]);
        }
        System.out.println("DONE");
    }

    private RawClient client(int depth, int sockets) throws IOException {
        return RawClient.attach(TestDriver.endpoint(directory), depth, sockets);
    }

    private static void await() throws IOException {
        System.out.println("READY");
        System.in.read();
    }

    /** Opens sockets; returns their ids. */
    private static int[] sockets(RawClient client, int count) throws IOException {
        int[] sids = new int[count];
        client.callAll(count, i -> client.request(ControlMessage.SOCKET), (i, answer) -> sids[i] = answer.socketId());
        return sids;
    }

    /** Connects new sockets; returns their ids. */
    private static int[] connect(RawClient client, int count, InetSocketAddress to, int ring) throws IOException {
        int[] sids = sockets(client, count);
        client.callAll(
                count,
                i -> client.request(ControlMessage.CONNECT)
                        .socketId(sids[i])
                        .peerAddress(to)
                        .sendRing(0, 0, RING)
                        .receiveRingSize(ring),
                (i, answer) -> client.receiveRing(answer));
        return sids;
    }

    /** Arms each socket of one attachment with a doorbell of its own; then the other attachment, their peer, leaves. */
    private void armed() throws IOException {
        List<UnixSocket> bells = new ArrayList<>();
        try (RawClient waits = client(1024, count + 1)) {
            try (RawClient leaves = client(1024, count + 1)) {
                RawSocket listener = leaves.listen(TestDriver.loopback(0), BACKLOG, RING);
                waits.addRegion(RING);
                leaves.addRegion(RING);
                // A backlog holds no more than this.
                for (int left = count; left > 0; left -= BACKLOG) {
                    arm(waits, leaves, listener, Math.min(left, BACKLOG), bells);
                }
                await();
            }
            for (UnixSocket bell : bells) {
                while (bell.drain() == 0) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            bells.forEach(UnixSocket::close);
        }
    }

    private static void arm(RawClient waits, RawClient leaves, RawSocket listener, int count, List<UnixSocket> bells)
            throws IOException {
        int[] sids = connect(waits, count, listener.local, RING);
        leaves.callAll(
                count,
                i -> leaves.request(ControlMessage.ACCEPT)
                        .socketId(listener.sid)
                        .sendRing(0, 0, RING),
                (i, answer) -> leaves.receiveRing(answer));
        int first = bells.size();
        waits.callAll(count, i -> waits.request(ControlMessage.ADD_DOORBELL), (i, answer) -> {
            bells.add(waits.receivedDoorbell());
            waits.libWord(sids[i], LibPageDescriptor.READ_ARM_OFFSET, ArmWord.of(1, first + i, ArmWord.IN));
        });
    }

    /** Closes a listener with a full backlog. */
    private void backlog() throws IOException {
        try (RawClient client = client(1024, 2 * count + 1)) {
            RawSocket listener = client.listen(TestDriver.loopback(0), count, RING);
            client.addRegion(RING);
            connect(client, count, listener.local, RING);
            await();
            listener.close();
            TestDriver.await("its release", listener::isReleased);
            System.out.println("CLOSED");
            System.in.read();
        }
    }

    /** Closes many bound sockets by requests that are in the ring when a message arrives. */
    private void closes() throws IOException {
        try (RawClient client = client(65536, count)) {
            int[] sids = sockets(client, count);
            client.callAll(
                    count,
                    i -> client.request(ControlMessage.BIND).socketId(sids[i]).localAddress(TestDriver.loopback(0)),
                    (i, answer) -> {});
            await();
            for (int sid : sids) {
                client.requests.offer(CommandType.CLOSE, 0, 0, 0, sid, 0, 1);
            }
            client.socket();
        }
    }

    /** Closes many connections at once, each with regions of receive rings of its own. */
    private void regions() throws IOException {
        int ring = 2 << 20;
        try (RawClient client = client(1024, 2 * count + 1)) {
            RawSocket listener = client.listen(TestDriver.loopback(0), count, RING);
            client.addRegion(RING);
            connect(client, count, listener.local, ring);
            await();
        }
    }

    /** Attaches with as many sockets as there are ids. */
    private void attach() throws IOException {
        client(65536, 65535).close();
        await();
        for (int i = 0; i < count; i++) {
            client(65536, 65535).close();
        }
    }
}
