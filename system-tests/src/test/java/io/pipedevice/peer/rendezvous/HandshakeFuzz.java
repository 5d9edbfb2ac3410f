// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FrameMutator.Field;
import io.pipedevice.test.FrameMutator.Frame;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.ShrinkingMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Handshakes with one thing wrong, in a message or in the order of messages, as a client and as a server. Used by one
 * thread.
 */
final class HandshakeFuzz {
    /** The fields of a message of a link. */
    static final List<Field> FIELDS = List.of(
            new Field("magic", LinkMessageDescriptor.MAGIC_OFFSET, Long.BYTES),
            new Field("version", LinkMessageDescriptor.VERSION_OFFSET, Integer.BYTES),
            new Field("type", LinkMessageDescriptor.TYPE_OFFSET, Integer.BYTES),
            new Field("number", LinkMessageDescriptor.NUMBER_OFFSET, Integer.BYTES),
            new Field("features", LinkMessageDescriptor.FEATURES_OFFSET, Integer.BYTES),
            new Field("size", LinkMessageDescriptor.SIZE_OFFSET, Long.BYTES));

    private static final int MOST_SILENT = 20;
    private static final int MOST_AT_ONCE = 30;

    /** Peers that have sent nothing; the oldest is closed when there are too many. */
    private final ArrayDeque<RawPeer> silent = new ArrayDeque<>();

    /** A correct message. */
    static Frame message(int type, int number, long size, Fd... fds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(LinkMessageDescriptor.LENGTH, Long.BYTES);
            memory.set(ValueLayout.JAVA_LONG, LinkMessageDescriptor.MAGIC_OFFSET, LinkMessageDescriptor.MAGIC);
            memory.set(ValueLayout.JAVA_INT, LinkMessageDescriptor.VERSION_OFFSET, LinkMessageDescriptor.VERSION);
            memory.set(ValueLayout.JAVA_INT, LinkMessageDescriptor.TYPE_OFFSET, type);
            memory.set(ValueLayout.JAVA_INT, LinkMessageDescriptor.NUMBER_OFFSET, number);
            memory.set(ValueLayout.JAVA_INT, LinkMessageDescriptor.FEATURES_OFFSET, LinkMessageDescriptor.FEATURES);
            memory.set(ValueLayout.JAVA_LONG, LinkMessageDescriptor.SIZE_OFFSET, size);
            return Frame.of(name(type), memory, fds);
        }
    }

    private static String name(int type) {
        return List.of("0", "HELLO", "WELCOME", "REFUSE", "BELL", "RING", "PORT")
                .get(type);
    }

    private static Frame introduction(RawPeer raw, int type) {
        return message(type, 0, raw.own.size(), raw.own.fd(), raw.bell[1].fd());
    }

    /** Makes a handshake as a client. */
    void meet(Attack attack, InetSocketAddress to) throws IOException {
        int kind = attack.isHarmless() ? -1 : attack.random.nextInt(12);
        if (kind == 0) {
            attack.log("comes " + MOST_AT_ONCE + " times at once and goes");
            comeAndGo(to);
            return;
        }
        RawPeer raw = RawPeer.connect(to);
        if (kind == 1) {
            attack.log("says nothing");
            beSilent(raw);
            return;
        }
        try (raw) {
            introduce(attack, raw, LinkMessageDescriptor.HELLO, kind);
            attack.pause();
            if (attack.random.nextBoolean() || attack.isHarmless()) {
                raw.awaitMessage();
            }
        }
    }

    /** Makes a handshake as a server that a client has connected to. */
    void welcome(Attack attack, UnixSocket listener) throws IOException {
        RawPeer raw = RawPeer.accept(listener);
        int kind = attack.isHarmless() ? -1 : attack.random.nextInt(12);
        if (kind == 1) {
            attack.log("does not answer");
            beSilent(raw);
            return;
        }
        try (raw) {
            raw.expect(LinkMessageDescriptor.HELLO);
            raw.listen(4);
            introduce(attack, raw, LinkMessageDescriptor.WELCOME, kind);
            for (int i = attack.random.nextInt(10); i > 0; i--) {
                attack.pause();
            }
        }
    }

    private static void introduce(Attack attack, RawPeer raw, int type, int kind) throws LinuxException {
        Frame right = introduction(raw, type);
        switch (kind) {
            case -1 -> right.send(raw.socket);
            case 2 -> {
                attack.log(right + " twice");
                right.send(raw.socket);
                right.send(raw.socket);
            }
            case 3 -> {
                Frame second = attack.frame(message(
                        LinkMessageDescriptor.BELL,
                        1,
                        0,
                        attack.strange.any(attack.random).fd()));
                attack.log("right behind " + right);
                right.send(raw.socket);
                second.send(raw.socket);
            }
            case 4 -> {
                int other = attack.random.nextInt(6);
                attack.log(name(other) + " instead of " + right);
                introduction(raw, other).send(raw.socket);
            }
            case 5 -> {
                attack.log("goes before " + right);
                raw.socket.shutdown(attack.random.nextBoolean(), true);
            }
            case 6 -> {
                attack.log(right + " and no more");
                right.send(raw.socket);
                raw.socket.shutdown(attack.random.nextBoolean(), true);
            }
            case 7 -> {
                int reason = attack.random.nextInt();
                attack.log("REFUSE " + reason);
                message(LinkMessageDescriptor.REFUSE, reason, 0).send(raw.socket);
            }
            case 8 -> shrink(attack, raw, type);
            default -> attack.frame(right).send(raw.socket);
        }
    }

    /** Passes memory that has all its pages, and shrinks it afterwards. */
    private static void shrink(Attack attack, RawPeer raw, int type) throws LinuxException {
        attack.log(name(type) + " with memory that shrinks");
        MemorySegment right = raw.own.memory();
        try (ShrinkingMemory memory = ShrinkingMemory.copyOf(right, SharedRegion.REQUIRED_SEALS)) {
            message(type, 0, right.byteSize(), memory.fd(), raw.bell[1].fd()).send(raw.socket);
            attack.pause();
            memory.shrink();
            attack.pause();
        }
    }

    private static void comeAndGo(InetSocketAddress to) throws IOException {
        ArrayDeque<RawPeer> all = new ArrayDeque<>();
        try {
            for (int i = 0; i < MOST_AT_ONCE; i++) {
                all.add(RawPeer.connect(to));
            }
        } finally {
            all.forEach(RawPeer::close);
        }
    }

    private void beSilent(RawPeer raw) {
        silent.add(raw);
        if (silent.size() > MOST_SILENT) {
            silent.remove().close();
        }
    }
}
