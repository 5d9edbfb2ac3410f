// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.driver.Participation;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UrgentByte;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.protocol.IntentTable;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.test.Attack;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TcpStates;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that a driver introduces to a client, and that asks the client for a byte on each of its later connections.
 * There is an occasional error in the question, the byte that the server shows, a word, or their order. One thread.
 */
final class ChallengeFuzz {
    private static final int NUMBER = 1;
    private static final int CONNECTIONS = 100;
    private static final int ONE_IN = 3;
    private static final int BACKLOG = 16;
    private static final long ARRIVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long POST_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long ECHO_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LOOK_NS = 50_000;
    private static final long ANSWER_MS = 2000;
    private static final int NO_ERROR = -1;

    /** Errors after which the client must not go on by rings. */
    private static final int OTHER_BYTE = 0;

    private static final int NO_BYTE = 1;

    private static final List<Word> SLOT = List.of(
            new Word("CHALLENGE", LinkMemoryDescriptor.WRITER_RUNG_OFFSET + Long.BYTES),
            new Word("STATE", LinkMemoryDescriptor.STATE_OFFSET),
            new Word("TAIL", LinkMemoryDescriptor.TAIL_OFFSET),
            new Word("HEAD", LinkMemoryDescriptor.HEAD_OFFSET));

    private final Attack attack;
    private final Path directory;
    private final ServerSocketChannel kernel;
    private Participation server;
    private RawPeer raw;
    private int permit;

    ChallengeFuzz(Attack attack, Path directory, ServerSocketChannel kernel) {
        this.attack = attack;
        this.directory = directory;
        this.kernel = kernel;
    }

    /** Continues until the client ends the link or connects no more, or enough connections were accepted. */
    void run() throws IOException {
        kernel.configureBlocking(false);
        try (Participation joined = Participation.join(directory);
                Fd diag = TcpConnections.openSocket()) {
            server = joined;
            server.send(server.listens(NUMBER, (InetSocketAddress) kernel.getLocalAddress(), diag));
            for (int i = 0; i < CONNECTIONS && (raw == null || raw.receiveMessages()); i++) {
                try (SocketChannel accepted = accept()) {
                    if (accepted != null) {
                        serve(accepted);
                    }
                }
                attack.pause();
            }
        } finally {
            if (raw != null) {
                raw.close();
            }
        }
    }

    private SocketChannel accept() throws IOException {
        long end = System.nanoTime() + ARRIVAL_NS;
        SocketChannel accepted = kernel.accept();
        while (accepted == null && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NS);
            accepted = kernel.accept();
        }
        return accepted;
    }

    private void serve(SocketChannel accepted) throws IOException {
        int port = ((InetSocketAddress) accepted.getRemoteAddress()).getPort();
        long intent = raw == null ? IntentTable.NONE : IntentTable.find(raw.peer, port);
        if (intent == IntentTable.NONE) {
            ask(accepted, port);
        } else {
            challenge(accepted, IntentTable.slot(intent), IntentTable.generation(intent));
        }
    }

    /** Asks the driver, and then accepts by rings. */
    private void ask(SocketChannel accepted, int port) throws IOException {
        server.send(server.accepted(NUMBER, ++permit, port, TcpStates.fd(accepted)));
        if (!server.await(IntroductionMessage.ACCEPTED, server.request(), ANSWER_MS)
                || server.answer().status() != 0) {
            attack.reached("not introduced");
            return;
        }
        attack.reached("client introduced");
        if (raw == null) {
            Fd link = server.takeNewcomer();
            if (link == null) {
                server.await(IntroductionMessage.NEWCOMER, 0, ANSWER_MS);
                link = server.takeNewcomer();
            }
            if (link == null) {
                return;
            }
            raw = RawPeer.introducing(UnixSocket.own(UnixSocket.Type.SEQPACKET, link), BACKLOG);
        }
        converse(NO_ERROR, null, 0);
    }

    /** Asks the client for a byte. */
    private void challenge(SocketChannel accepted, int slot, int generation) throws IOException {
        int error = attack.isWrong(ONE_IN) ? attack.random.nextInt(10) : NO_ERROR;
        int value = attack.honest.nextInt(256);
        int shown = attack.honest.nextInt(256);
        Fd socket = TcpStates.fd(accepted);
        if (slot >= LinkMemoryDescriptor.MAX_CONNECTIONS) {
            return;
        }
        raw.allocate(slot);
        switch (error) {
            case OTHER_BYTE -> {
                attack.log("shows another byte than it says");
                UrgentByte.send(socket, shown + 1 & 0xFF);
            }
            case NO_BYTE -> attack.log("shows no byte");
            case 2 -> {
                attack.log("shows many bytes");
                for (int i = 0; i < 256; i++) {
                    UrgentByte.send(socket, shown + i & 0xFF);
                }
            }
            default -> UrgentByte.send(socket, shown);
        }
        int asked = error == 3 ? attack.random.nextInt() : generation;
        ChallengeWord.write(raw.memory, slot, asked, value, shown);
        afterQuestion(error, slot, generation, value, shown);
        converse(error, socket, value);
    }

    private void afterQuestion(int error, int slot, int generation, int value, int shown) {
        switch (error) {
            case 3 -> attack.log("asks about another generation");
            case 4 -> {
                attack.log("revokes the question");
                ChallengeWord.revoke(raw.memory, slot, generation);
            }
            case 5 -> {
                attack.log("leaves the connection to the kernel");
                ChallengeWord.leave(raw.memory, slot, generation);
            }
            case 6 -> {
                attack.log("asks again and again");
                for (int i = 0; i < 1000; i++) {
                    ChallengeWord.write(raw.memory, slot, generation, value + i & 0xFF, shown + i & 0xFF);
                }
            }
            case 7 ->
                attack.log("slot " + slot + " "
                        + attack.words.mutate(SLOT, raw.own.memory(), LinkMemoryDescriptor.slot(slot)));
            default -> Thread.onSpinWait();
        }
    }

    /**
     * Accepts what the client posts, and sends its bytes back, until the connection ends.
     *
     * @param socket of the kernel's connection, if the client was asked for a byte; else null
     */
    private void converse(int error, Fd socket, int value) throws IOException {
        long end = System.nanoTime() + POST_NS;
        AcceptEntry entry = error == 8 ? null : raw.accept();
        while (entry == null && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NS);
            entry = raw.receiveMessages() ? raw.accept() : null;
        }
        if (error == 8) {
            attack.log("does not accept in time");
        }
        if (error == 9) {
            attack.log("accepts what has not come");
            raw.next(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        }
        if (socket != null && error == NO_ERROR) {
            attack.reached(UrgentByte.receive(socket) == value ? "byte" : "no byte");
        }
        if (entry == null) {
            return;
        }
        if (error == OTHER_BYTE || error == NO_BYTE) {
            throw new AssertionError("the client goes on by rings, although the server has not shown the byte");
        }
        attack.reached("accepted");
        echo(entry.slot(), entry.generation());
    }

    private void echo(int slot, int generation) throws IOException {
        MemorySegment from =
                raw.peer.memory().asSlice(LinkMemoryDescriptor.baseRing(slot), LinkMemoryDescriptor.BASE_RING_LENGTH);
        MemorySegment to =
                raw.own.memory().asSlice(LinkMemoryDescriptor.baseRing(slot), LinkMemoryDescriptor.BASE_RING_LENGTH);
        long sent = 0;
        long end = System.nanoTime() + ECHO_NS;
        while (System.nanoTime() - end < 0) {
            long tail = raw.peerWord(slot, LinkMemoryDescriptor.TAIL_OFFSET);
            if (tail > sent && tail - sent <= LinkMemoryDescriptor.BASE_RING_LENGTH) {
                to.copyFrom(from);
                sent = tail;
                raw.word(slot, LinkMemoryDescriptor.HEAD_OFFSET, tail);
                raw.tail(slot, tail);
                end = System.nanoTime() + ECHO_NS;
            }
            long state = raw.peerWord(slot, LinkMemoryDescriptor.STATE_OFFSET);
            if ((LinkMemoryDescriptor.flags(state, generation)
                            & (LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED | LinkMemoryDescriptor.RESET))
                    != 0) {
                attack.reached("echoed");
                break;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        raw.sayState(
                slot, generation, LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED);
    }
}
