// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingProducer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * One process with many connections to itself, all of them busy. Arguments: the driver's directory, and the number of
 * connections. Prints READY, and then obeys one line at a time: {@code honest} sends 4 KB at a time; {@code hostile}
 * sends one byte at a time, which cannot be gathered, up to the limit of outstanding sends; {@code quiet} sends
 * nothing. Prints NOW and the word when all data sent before have been copied.
 */
final class CrowdProcess {
    private static final int RING = 16 << 10;
    private static final int HONEST_BYTES = 4 << 10;
    private static final int HONEST_OUTSTANDING = RING / HONEST_BYTES;
    private static final int HOSTILE_OUTSTANDING = 1000;
    private static final int DEPTH = 16 << 10;

    private static final String QUIET = "quiet";

    private final RawClient client;
    private final Line[] lines;
    private volatile String mode = QUIET;

    /** A connection: its sending socket and its receiving socket. */
    private static final class Line {
        final int from;
        final int to;
        final int generation;
        final int toGeneration;
        long posted;
        long consumed;
        long servedWanted = -1;
        int offset;

        Line(int from, int generation, int to, int toGeneration) {
            this.from = from;
            this.generation = generation;
            this.to = to;
            this.toGeneration = toGeneration;
        }
    }

    private CrowdProcess(RawClient client, int connections) throws IOException {
        this.client = client;
        this.lines = new Line[connections];
        int region = client.addRegion(2L * connections * RING);
        RawSocket listener = client.listen(TestDriver.loopback(0), 1, RING);
        for (int i = 0; i < connections; i++) {
            RawSocket near = client.socket();
            connect(near, listener.local, region, 2L * i * RING);
            client.request(ControlMessage.ACCEPT).socketId(listener.sid).sendRing(region, (2L * i + 1) * RING, RING);
            RawSocket far = new RawSocket(client, client.call().socketId());
            client.receiveRing(client.control.message);
            far.post(CommandType.OPENED, 0, 0, 0);
            lines[i] = new Line(near.sid, near.generation, far.sid, far.generation);
        }
    }

    private void connect(RawSocket near, InetSocketAddress to, int region, long offset) throws IOException {
        client.request(ControlMessage.CONNECT)
                .socketId(near.sid)
                .peerAddress(to)
                .sendRing(region, offset, RING)
                .receiveRingSize(RING);
        client.call();
        client.receiveRing(client.control.message);
    }

    public static void main(String[] arguments) throws IOException {
        int connections = Integer.parseInt(arguments[1]);
        try (RawClient client =
                RawClient.attach(TestDriver.endpoint(Path.of(arguments[0])), DEPTH, 2 * connections + 1)) {
            CrowdProcess crowd = new CrowdProcess(client, connections);
            Thread busy = new Thread(crowd::run, "crowd");
            busy.setDaemon(true);
            busy.start();
            System.out.println("READY");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null && !line.equals("end"); line = input.readLine()) {
                crowd.mode = line;
            }
            // The end of the process unmaps the pages, which the thread still uses.
            System.exit(0);
        }
    }

    /** Never waits while it is busy, so that honest and hostile sending use the same processor time. */
    private void run() {
        // The initial value is not the current mode, because that may have been set before this thread ran and must
        // still be reported.
        String now = QUIET;
        while (true) {
            if (!now.equals(mode)) {
                now = isDrained() ? mode : "drained";
                if (now.equals(mode)) {
                    System.out.println("NOW " + now);
                }
            }
            int posted = 0;
            for (Line line : lines) {
                posted += receive(line);
                posted += switch (now) {
                    case "honest" -> send(line, HONEST_BYTES, HONEST_BYTES, HONEST_OUTSTANDING);
                    case "hostile" -> send(line, 1, 2, HOSTILE_OUTSTANDING);
                    default -> 0;
                };
            }
            if (posted > 0) {
                client.wakeDriver();
            } else if (!now.equals("honest") && !now.equals("hostile")) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private boolean isDrained() {
        for (Line line : lines) {
            if (client.driverWord(line.from, DriverPageDescriptor.SENDS_COMPLETED_OFFSET) < line.posted) {
                return false;
            }
        }
        return true;
    }

    private int send(Line line, int length, int step, int outstanding) {
        long completed = client.driverWord(line.from, DriverPageDescriptor.SENDS_COMPLETED_OFFSET);
        int posted = 0;
        while (line.posted - completed < outstanding && offer(CommandType.SEND, line, line.offset & -length, length)) {
            line.offset = line.offset + step & RING - 1;
            line.posted++;
            posted++;
        }
        return posted;
    }

    private boolean offer(int type, Line line, long source, int length) {
        return client.requests.offer(type, source, 0, length, line.from, 0, line.generation & 0xFFFF)
                == EntryRingProducer.PUBLISHED;
    }

    /** Takes the available data, and tells the driver if it waits for room. */
    private int receive(Line line) {
        long produced = client.driverWord(line.to, DriverPageDescriptor.PRODUCED_OFFSET);
        if (produced != line.consumed) {
            line.consumed = produced;
            client.libWord(line.to, LibPageDescriptor.CONSUMED_OFFSET, produced);
        }
        long wanted = client.driverWord(line.to, DriverPageDescriptor.SPACE_WANTED_OFFSET);
        if (produced < wanted
                || wanted == line.servedWanted
                || client.requests.offer(CommandType.RECV_DONE, 0, 0, 0, line.to, 0, line.toGeneration & 0xFFFF)
                        != EntryRingProducer.PUBLISHED) {
            return 0;
        }
        line.servedWanted = wanted;
        return 1;
    }
}
