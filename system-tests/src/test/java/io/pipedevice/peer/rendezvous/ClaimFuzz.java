// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.driver.Participation;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UrgentByte;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.protocol.IntentTable;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.test.Attack;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TcpStates;
import io.pipedevice.test.TestAddresses;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that a driver has introduced to a server, and that claims later connections of the kernel's by their link:
 * it announces each, and sends the byte that the server asks for. There is an occasional error in an announcement, the
 * byte, the posted connection, or their order. One thread.
 */
final class ClaimFuzz {
    private static final int CLAIMS = 20;
    private static final int SLOTS = 6;
    private static final int ONE_IN = 3;
    private static final int BYTES = 100;
    private static final long CHALLENGE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ECHO_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LOOK_NS = 50_000;
    private static final long ANSWER_MS = 5000;
    private static final int MOST_UNCHALLENGED = 3;
    private static final int NO_ERROR = -1;

    /** Errors after which the server must not take the connection. */
    private static final int OTHER_BYTE = 4;

    private static final int NO_BYTE = 5;

    private static final List<Word> INTENTS = List.of(
            new Word("first intent", LinkMemoryDescriptor.HEADER_LENGTH - 512 * Long.BYTES),
            new Word("last intent", LinkMemoryDescriptor.HEADER_LENGTH - Long.BYTES),
            new Word("POSTED", LinkMemoryDescriptor.POSTED_OFFSET),
            new Word("GIVEN_UP", LinkMemoryDescriptor.GIVEN_UP_OFFSET));

    private final Attack attack;
    private final Path directory;
    private final InetSocketAddress to;
    private final int[] generations = new int[SLOTS];
    private RawPeer raw;
    private int unchallenged;

    ClaimFuzz(Attack attack, Path directory, InetSocketAddress to) {
        this.attack = attack;
        this.directory = directory;
        this.to = to;
    }

    /** Continues until the server ends the link or asks for nothing any more, or all claims are made. */
    void run() throws IOException {
        try (Participation client = Participation.join(directory)) {
            try (RawPeer introduced = introduce(client)) {
                raw = introduced;
                attack.reached("introduced");
                for (int i = 0; i < CLAIMS && raw.receiveMessages() && unchallenged < MOST_UNCHALLENGED; i++) {
                    claim(i % SLOTS);
                    attack.pause();
                }
            }
        }
    }

    private static SocketChannel bound() throws IOException {
        return SocketChannel.open().bind(TestAddresses.loopback(0));
    }

    /** The first connection, for which the driver is asked. */
    private RawPeer introduce(Participation client) throws IOException {
        try (SocketChannel kernel = bound()) {
            InetSocketAddress local = (InetSocketAddress) kernel.getLocalAddress();
            client.send(client.intend(local.getPort()));
            int intent = client.request();
            kernel.connect(to);
            client.send(client.connected(intent, 1, local, to, TcpStates.fd(kernel)));
            if (!client.await(IntroductionMessage.CONNECTED, intent, ANSWER_MS)
                    || client.answer().status() != 0) {
                throw new IOException("not introduced: " + client.answer().text());
            }
            ControlMessage answer = client.answer();
            client.send(client.link(IntroductionMessage.LINK, answer.value(), answer.argument(), answer.socketId()));
            client.await(IntroductionMessage.LINK, client.request(), ANSWER_MS);
            Fd link = client.takeLinked();
            if (link == null) {
                throw new IOException("no link");
            }
            RawPeer introduced = RawPeer.introduced(UnixSocket.own(UnixSocket.Type.SEQPACKET, link));
            try {
                introduced.connect(0, ++generations[0], local, to);
                client.send(client.made(intent));
                awaitOpen(introduced, 0);
                finish(introduced, 0);
                return introduced;
            } catch (IOException | RuntimeException e) {
                introduced.close();
                throw e;
            }
        }
    }

    private void claim(int slot) throws IOException {
        if (!isFree(slot)) {
            return;
        }
        int generation = ++generations[slot];
        int error = attack.isWrong(ONE_IN) ? attack.random.nextInt(12) : NO_ERROR;
        try (SocketChannel kernel = bound()) {
            InetSocketAddress local = (InetSocketAddress) kernel.getLocalAddress();
            raw.allocate(slot);
            announce(error, local.getPort(), slot, generation);
            kernel.connect(to);
            int value = awaitChallenge(slot, generation);
            if (value == ChallengeWord.NONE) {
                unchallenged++;
                IntentTable.remove(raw.memory, local.getPort());
                return;
            }
            unchallenged = 0;
            attack.reached("challenged");
            answer(error, kernel, value);
            post(error, local, slot, generation);
            if (error == 11) {
                attack.log("resets the connection that it claims");
                kernel.setOption(StandardSocketOptions.SO_LINGER, 0).close();
            }
            if (awaitOpen(raw, slot)) {
                if (error == OTHER_BYTE || error == NO_BYTE) {
                    throw new AssertionError("a connection is taken without its byte");
                }
                attack.reached("claimed");
                converse(slot);
                finish(raw, slot);
            }
        }
    }

    private boolean isFree(int slot) {
        if (generations[slot] == 0) {
            return true;
        }
        long state = raw.peerWord(slot, LinkMemoryDescriptor.STATE_OFFSET);
        int flags = LinkMemoryDescriptor.flags(state, generations[slot]);
        // A slot for which the server has not asked has no state of that generation.
        return flags == 0 || (flags & (LinkMemoryDescriptor.CLOSED | LinkMemoryDescriptor.RESET)) != 0;
    }

    private void announce(int error, int port, int slot, int generation) {
        switch (error) {
            case 0 -> {
                int other = attack.random.nextInt(1 << 16);
                attack.log("announces slot " + other);
                IntentTable.add(raw.memory, port, other, generation);
            }
            case 1 -> {
                int other = attack.random.nextInt(3) == 0 ? 0 : attack.random.nextInt();
                attack.log("announces generation " + other);
                IntentTable.add(raw.memory, port, slot, other);
            }
            case 2 -> {
                attack.log("announces all ports near its own");
                for (int i = 0; i < 64; i++) {
                    IntentTable.add(raw.memory, port + i & 0xFFFF, slot, generation);
                }
            }
            default -> IntentTable.add(raw.memory, port, slot, generation);
        }
        if (error == 3) {
            attack.log(attack.words.mutate(INTENTS, raw.own.memory(), 0));
        }
    }

    /** Waits for the byte that the server asks for. */
    private int awaitChallenge(int slot, int generation) {
        long end = System.nanoTime() + CHALLENGE_NS;
        int value = ChallengeWord.read(raw.peer, slot, generation);
        while (value == ChallengeWord.NONE && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NS);
            value = ChallengeWord.read(raw.peer, slot, generation);
        }
        return value;
    }

    private void answer(int error, SocketChannel kernel, int value) throws LinuxException {
        Fd socket = TcpStates.fd(kernel);
        switch (error) {
            case OTHER_BYTE -> {
                int other = value + 1 + attack.random.nextInt(255) & 0xFF;
                attack.log("sends another byte, " + other);
                UrgentByte.send(socket, other);
            }
            case NO_BYTE -> attack.log("sends no byte");
            case 6 -> {
                attack.log("sends many bytes");
                for (int i = 0; i < 256; i++) {
                    UrgentByte.send(socket, value + i & 0xFF);
                }
            }
            default -> UrgentByte.send(socket, value);
        }
    }

    private void post(int error, InetSocketAddress local, int slot, int generation) throws LinuxException {
        switch (error) {
            case 7 -> {
                attack.log("posts nothing");
                IntentTable.remove(raw.memory, local.getPort());
            }
            case 8 -> {
                attack.log("posts it twice");
                raw.connect(slot, generation, local, to);
                raw.connect(slot, generation, local, to);
                IntentTable.remove(raw.memory, local.getPort());
            }
            case 9 -> {
                attack.log("takes the announcement back before it posts");
                IntentTable.remove(raw.memory, local.getPort());
                attack.pause();
                raw.connect(slot, generation, local, to);
            }
            case 10 -> {
                int other = attack.random.nextInt(1 << 14);
                attack.log("posts slot " + other);
                raw.connect(other, generation + attack.random.nextInt(2), local, to);
                IntentTable.remove(raw.memory, local.getPort());
            }
            default -> {
                raw.connect(slot, generation, local, to);
                IntentTable.remove(raw.memory, local.getPort());
            }
        }
    }

    /** Whether the server opens a connection. */
    private boolean awaitOpen(RawPeer link, int slot) {
        long end = System.nanoTime() + ECHO_NS;
        while (System.nanoTime() - end < 0) {
            long state = link.peerWord(slot, LinkMemoryDescriptor.STATE_OFFSET);
            int flags = LinkMemoryDescriptor.flags(state, generations[slot]);
            if (flags != 0) {
                return (flags & LinkMemoryDescriptor.RESET) == 0;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return false;
    }

    /** Sends some bytes, which the server sends back. */
    private void converse(int slot) throws IOException {
        byte[] sent = new byte[BYTES];
        attack.honest.nextBytes(sent);
        long at = LinkMemoryDescriptor.baseRing(slot);
        for (int i = 0; i < BYTES; i++) {
            raw.own.memory().set(ValueLayout.JAVA_BYTE, at + i, sent[i]);
        }
        raw.tail(slot, BYTES);
        long end = System.nanoTime() + ECHO_NS;
        while (raw.peerWord(slot, LinkMemoryDescriptor.TAIL_OFFSET) < BYTES) {
            if (System.nanoTime() - end > 0) {
                return;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        for (int i = 0; i < BYTES; i++) {
            if (raw.peer.memory().get(ValueLayout.JAVA_BYTE, at + i) != sent[i]) {
                throw new AssertionError("byte " + i + " of an echo is wrong");
            }
        }
        attack.reached("echoed");
        raw.word(slot, LinkMemoryDescriptor.HEAD_OFFSET, BYTES);
    }

    private void finish(RawPeer link, int slot) throws LinuxException {
        link.sayState(
                slot,
                generations[slot],
                LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED);
    }
}
