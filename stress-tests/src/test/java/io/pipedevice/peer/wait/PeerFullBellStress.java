// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.rendezvous.PlayedNetworks;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.PlayedPeers;
import io.pipedevice.stress.Appointment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A peer rings a full doorbell, while its owner empties it and checks whether it was full. The owner must receive the
 * ring, or see that a ring found no room. False is the bug: the owner sleeps, with an empty doorbell, and has seen
 * nothing.
 *
 * <p>All states share one real link and doorbell, so the actors also wait for each other at the end.
 *
 * <p>Seen to fail when {@code LinkDoorbells.ring} does not ring again after it has recorded that the doorbell is full,
 * and when it records that after it has rung again.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The owner receives or sees the ring.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "The ring is lost.")
@State
public class PeerFullBellStress {
    private static final int MOST_SPINS = 20_000;
    private static final int NOISE = 1;
    private static final int COOKIE = 2;
    private static final Played PLAYED = Played.open();

    private final Appointment appointment = new Appointment();
    private volatile boolean full;
    private volatile boolean rung;
    private volatile boolean looked;

    /** Fills the doorbell, then rings. */
    @Actor
    public void peer() {
        if (appointment.meet()) {
            PLAYED.fill();
            full = true;
            PLAYED.link.ring(PLAYED.word, ReadyWriter.Announcement.NONE);
            rung = true;
            await(() -> looked);
        }
    }

    /** Empties the doorbell, checks whether it was full, and receives once more. */
    @Actor
    public void owner(Z_Result result) {
        result.r1 = true;
        if (appointment.meet()) {
            await(() -> full);
            boolean received = PLAYED.receiveMessages();
            await(() -> rung);
            boolean receivedLater = PLAYED.receiveMessages();
            result.r1 = received || receivedLater;
            looked = true;
        }
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (i < MOST_SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(1);
            }
        }
    }

    /** A link between two ends in this process, and a doorbell of one of them that the other rings. */
    private static final class Played extends PeerSource {
        final ClientLink link;
        final long word;
        private final PeerSocket accepted;
        private final Bell bell = Bell.open();
        private final Overflows overflows = new Overflows();
        private final IntConsumer cookies = this::heard;

        /** Number of messages that one receive found; belongs to the owner. */
        private int count;

        private boolean seen;

        private Played() throws IOException {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            int process = (int) ProcessHandle.current().pid();
            InetSocketAddress address = new InetSocketAddress(loopback, 1 + process % 60_000);
            PeerNetwork network = PlayedNetworks.patient();
            PeerListener listener = network.listen(address, 1);
            link = (ClientLink) network.meet(address);
            link.connect(new InetSocketAddress(loopback, 1), address);
            accepted = listener.accept();
            word = PeerArmWord.of(PlayedPeers.linkOf(accepted).numberOf(bell), 1, COOKIE);
            overflows.note(this);
        }

        static Played open() {
            try {
                return new Played();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void fill() {
            while (DoorbellMessage.send(bell.ringingEnd().fd(), NOISE) == DoorbellMessage.Sent.SENT) {
                Thread.onSpinWait();
            }
        }

        /** Empties the doorbell; returns whether it had an event for the socket, or may have had one. */
        boolean receiveMessages() {
            seen = false;
            do {
                count = 0;
                bell.drain(cookies);
                seen |= bell.wasCrowded() && overflows.happened();
            } while (count > 0);
            return seen;
        }

        private void heard(int cookie) {
            count++;
            seen |= cookie == COOKIE;
        }

        @Override
        public int readiness(int wanted) {
            return 0;
        }

        @Override
        protected boolean arm(int direction, Bell with, long generation, int cookie) {
            return true;
        }

        @Override
        protected void disarm(int direction) {
            throw new AssertionError("it is rung by its word");
        }

        @Override
        protected boolean isOf(BellLink link) {
            return PlayedPeers.linkOf(accepted).equals(link);
        }

        @Override
        protected void forEachLink(Consumer<BellLink> visitor) {
            visitor.accept(PlayedPeers.linkOf(accepted));
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    }
}
