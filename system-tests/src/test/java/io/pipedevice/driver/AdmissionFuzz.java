// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FrameMutator.Field;
import io.pipedevice.test.FrameMutator.Frame;
import io.pipedevice.test.ShrinkingMemory;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The beginning of a control connection with one error: in the request to attach, in its descriptors, or in the order
 * of messages. One thread.
 */
final class AdmissionFuzz {
    /** The fields of a control message. */
    static final List<Field> FIELDS = List.of(
            new Field("magic", 0, Integer.BYTES),
            new Field("version", 4, Short.BYTES),
            new Field("type", 6, Short.BYTES),
            new Field("request id", 8, Integer.BYTES),
            new Field("status", 12, Integer.BYTES),
            new Field("socket id", 16, Integer.BYTES),
            new Field("value", 20, Integer.BYTES),
            new Field("send region", 24, Integer.BYTES),
            new Field("send ring's size", 28, Integer.BYTES),
            new Field("send ring's offset", 32, Long.BYTES),
            new Field("argument", 40, Long.BYTES),
            new Field("local family", 48, Short.BYTES),
            new Field("local port", 50, Short.BYTES),
            new Field("local address", 56, Long.BYTES),
            new Field("peer family", 72, Short.BYTES),
            new Field("peer port", 74, Short.BYTES),
            new Field("peer address", 80, Long.BYTES),
            new Field("receive ring's size", 100, Integer.BYTES));

    private static final int KINDS = 13;
    private static final int MOST_SILENT = 6;
    private static final int MOST_AT_ONCE = 30;
    private static final long MOMENT_MS = 50;

    private final Path directory;
    private final ArrayDeque<RawControl> silent = new ArrayDeque<>();

    AdmissionFuzz(Path directory) {
        this.directory = directory;
    }

    private RawControl open() throws IOException {
        return new RawControl(TestDriver.endpoint(directory).connect());
    }

    void run(Attack attack) throws IOException {
        int kind = attack.isHarmless() ? -1 : attack.random.nextInt(KINDS);
        if (kind == 0) {
            attack.log("comes " + MOST_AT_ONCE + " times at once and goes");
            comeAndGo();
            return;
        }
        RawControl control = open();
        if (kind == 1) {
            attack.log("says nothing");
            silent.add(control);
            if (silent.size() > MOST_SILENT) {
                silent.remove().close();
            }
            return;
        }
        try (control;
                SharedRegion page = RawClient.libPage(RawClient.DEPTH, RawClient.MAX_SOCKETS)) {
            attach(attack, control, page, kind);
            attack.pause();
            if (attack.isHarmless()) {
                control.receive();
            } else if (attack.random.nextBoolean()) {
                // Not everything wrong has an answer.
                control.receive(MOMENT_MS);
            }
        }
    }

    private static void attach(Attack attack, RawControl control, SharedRegion page, int kind) throws IOException {
        Frame right = request(control, page, ControlMessage.ATTACH);
        switch (kind) {
            case -1 -> right.send(control.socket);
            case 2 -> {
                attack.log("ATTACH twice");
                right.send(control.socket);
                right.send(control.socket);
            }
            case 3 -> {
                int type = attack.random.nextInt(13);
                attack.log("type " + type + " instead of ATTACH");
                request(control, page, type).send(control.socket);
            }
            case 4 -> {
                attack.log("ATTACH and no more");
                right.send(control.socket);
                control.socket.shutdown(attack.random.nextBoolean(), true);
            }
            case 5 -> {
                attack.log("ATTACH with a page of zeroes");
                page.memory().set(ValueLayout.JAVA_LONG, LibPageDescriptor.MAGIC_OFFSET, 0);
                right.send(control.socket);
            }
            case 6 -> {
                attack.log("rings before it attaches");
                control.socket.ring();
                right.send(control.socket);
            }
            case 7 -> {
                attack.log("right behind ATTACH");
                Frame next = attack.frame(request(control, page, ControlMessage.SOCKET));
                right.send(control.socket);
                next.send(control.socket);
            }
            case 8 -> shrink(attack, control, page);
            default -> attack.frame(right).send(control.socket);
        }
    }

    /** The driver must not admit the process, even if the page shrinks only after the driver has checked it. */
    private static void shrink(Attack attack, RawControl control, SharedRegion page) throws IOException {
        boolean before = attack.random.nextBoolean();
        attack.log("ATTACH with a page that shrinks" + (before ? " at once" : ""));
        try (ShrinkingMemory memory = ShrinkingMemory.copyOf(page.memory(), SharedRegion.REQUIRED_SEALS)) {
            request(control, page, memory.fd(), ControlMessage.ATTACH).send(control.socket);
            if (before) {
                memory.shrink();
            }
            if (control.receive().status() == 0) {
                throw new AssertionError("attached with memory that can shrink");
            }
        }
    }

    private static Frame request(RawControl control, SharedRegion page, int type) {
        return request(control, page, page.fd(), type);
    }

    private static Frame request(RawControl control, SharedRegion page, Fd memory, int type) {
        ControlMessage message = control.request(type)
                .value(RawClient.DEPTH)
                .socketId(RawClient.MAX_SOCKETS)
                .argument(page.size());
        Fd[] along = type == ControlMessage.ATTACH ? new Fd[] {memory} : new Fd[0];
        return Frame.of("message of type " + type, message.memory(), along);
    }

    private void comeAndGo() throws IOException {
        ArrayDeque<RawControl> all = new ArrayDeque<>();
        try {
            for (int i = 0; i < MOST_AT_ONCE; i++) {
                all.add(open());
            }
        } finally {
            all.forEach(RawControl::close);
        }
    }
}
