// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FileOfHoles;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.LibPageDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that offers a driver memory objects without pages, whose status says that they have all of them, and keeps
 * them. Arguments: the driver's directory, what it offers the memory as, and how many MB. Prints OFFERED, how many
 * objects, how many of them the driver has REFUSED, and the last refusal; then waits for the end of its input.
 */
final class HolesProcess {
    private static final int RING = 4 << 20;
    private static final int DEPTH = 256;
    private static final int REGION = 16 << 20;

    private final Path directory;
    private final List<FileOfHoles> kept = new ArrayList<>();
    private int refused;
    private String last = "";

    private HolesProcess(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException {
        HolesProcess process = new HolesProcess(Path.of(arguments[0]));
        process.offer(arguments[1], Long.parseLong(arguments[2]) << 20);
        System.out.println("OFFERED " + process.kept.size() + " REFUSED " + process.refused + " " + process.last);
        System.in.read();
    }

    /** One way to offer an object. */
    private interface Way {
        void offer(RawClient client, Fd memory, long size) throws IOException;
    }

    private void offer(String what, long most) throws IOException {
        switch (what) {
            case "lib pages" -> offerLibPages(most);
            case "regions" -> offer(most, REGION, Memory.SEAL_SHRINK | Memory.SEAL_GROW, HolesProcess::asRegion);
            case "send rings" -> offer(most, RING, SharedRegion.REQUIRED_SEALS, HolesProcess::asRing);
            case "queue pairs" ->
                offer(
                        most,
                        Memory.wholePages(OperationPageDescriptor.length(DEPTH, OperationPageDescriptor.MAX_QUEUES)),
                        SharedRegion.REQUIRED_SEALS,
                        HolesProcess::asQueues);
            default -> offerPrograms(most);
        }
    }

    private void offer(long most, long size, int seals, Way way) throws IOException {
        for (long offered = 0; offered < most; offered += size) {
            FileOfHoles holes = FileOfHoles.create(size, seals);
            kept.add(holes);
            try (RawClient client = RawClient.attach(TestDriver.endpoint(directory))) {
                way.offer(client, holes.fd(), size);
            } catch (RawException e) {
                refused(e);
            }
            holes.freeBehindEnd();
        }
    }

    private void refused(RawException e) {
        refused++;
        last = e.getMessage();
    }

    private void offerLibPages(long most) throws IOException {
        long size = Memory.wholePages(LibPageDescriptor.length(1024, 65_535));
        for (long offered = 0; offered < most; offered += size) {
            FileOfHoles holes = FileOfHoles.create(size, SharedRegion.REQUIRED_SEALS);
            kept.add(holes);
            try (RawControl control =
                    new RawControl(TestDriver.endpoint(directory).connect())) {
                control.request(ControlMessage.ATTACH)
                        .value(1024)
                        .socketId(65_535)
                        .argument(size);
                RawClient.succeed(control.call(holes.fd()));
            } catch (RawException e) {
                refused(e);
            }
            holes.freeBehindEnd();
        }
    }

    /** From one attachment, because each is refused. */
    private void offerPrograms(long most) throws IOException {
        try (RawClient client = RawClient.attach(TestDriver.endpoint(directory))) {
            for (long offered = 0; offered < most; offered += FunctionMessage.MAX_PROGRAM) {
                FileOfHoles holes = FileOfHoles.create(FunctionMessage.MAX_PROGRAM, SharedRegion.REQUIRED_SEALS);
                kept.add(holes);
                holes.freeBehindEnd();
                try {
                    asProgram(client, holes.fd(), FunctionMessage.MAX_PROGRAM);
                } catch (RawException e) {
                    refused(e);
                }
            }
        }
    }

    private static void asRegion(RawClient client, Fd memory, long size) throws IOException {
        new RegionMessage(client.request(RegionMessage.REGISTER)).size(size);
        client.call(memory);
    }

    private static void asQueues(RawClient client, Fd memory, long size) throws IOException {
        new RegionMessage(client.request(RegionMessage.OPEN_QUEUES))
                .queues(OperationPageDescriptor.MAX_QUEUES, DEPTH)
                .size(size);
        client.call(memory);
    }

    private static void asRing(RawClient client, Fd memory, long size) throws IOException {
        RawSocket listener = client.listen(TestDriver.loopback(0), 1, RawSocket.RING);
        RawSocket socket = client.socket();
        client.request(ControlMessage.ADD_REGION).value(7).argument(size);
        client.call(memory);
        client.request(ControlMessage.CONNECT)
                .socketId(socket.sid)
                .peerAddress(listener.local)
                .sendRing(7, 0, RING)
                .receiveRingSize(RawSocket.RING);
        client.call();
    }

    private static void asProgram(RawClient client, Fd memory, long size) throws IOException {
        new FunctionMessage(client.request(FunctionMessage.REGISTER_FUNCTION))
                .version(1)
                .messageLength(32)
                .fuel(100)
                .regions(0)
                .texts("f", "")
                .size(size);
        client.call(memory);
    }
}
