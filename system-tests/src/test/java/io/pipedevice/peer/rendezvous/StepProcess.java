// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A process that goes through the life of a link and of one connection step by step, as a client or as a server. At a
 * given step it stops and waits until it is killed. Arguments: CLIENT or SERVER, the step, the port.
 */
final class StepProcess {
    static final int SLOT = 0;
    static final int GENERATION = 1;
    static final int SENT = 10;
    private static final int RING = 64 << 10;
    private static final int RING_BITS = 16;

    private final String last;
    private final InetSocketAddress address;

    private StepProcess(String last, InetSocketAddress address) {
        this.last = last;
        this.address = address;
    }

    /** The last step before the process stops. */
    enum Client {
        CONNECTED,
        HELLO,
        WELCOMED,
        SLOT_OPENED,
        ENTRY_WRITTEN,
        POSTED,
        SENT,
        RING_ANNOUNCED,
        RING_ENTERED,
        FINISHED,
        CLOSED
    }

    /** The last step before the process stops. */
    enum Server {
        LISTENING,
        LET_IN,
        HEARD_HELLO,
        WELCOME,
        SAW_ENTRY,
        SLOT_OPENED,
        ACCEPTED,
        SENT,
        RING_ANNOUNCED,
        RING_ENTERED,
        FINISHED,
        CLOSED
    }

    public static void main(String[] arguments) throws IOException {
        StepProcess process = new StepProcess(arguments[1], TestAddresses.loopback(Integer.parseInt(arguments[2])));
        if (arguments[0].equals("CLIENT")) {
            process.client();
        } else {
            process.server();
        }
        throw new IllegalStateException("there is no such step");
    }

    private void done(Enum<?> step) throws IOException {
        if (step.name().equals(last)) {
            System.out.println("AT " + step);
            System.in.read();
            Runtime.getRuntime().halt(3);
        }
    }

    private void client() throws IOException {
        RawPeer raw = RawPeer.connect(address);
        done(Client.CONNECTED);
        raw.introduce(LinkMessageDescriptor.HELLO);
        done(Client.HELLO);
        raw.expect(LinkMessageDescriptor.WELCOME);
        done(Client.WELCOMED);
        raw.open(SLOT, GENERATION);
        done(Client.SLOT_OPENED);
        raw.entry(SLOT, GENERATION, TestAddresses.loopback(7), address);
        done(Client.ENTRY_WRITTEN);
        raw.next(LinkMemoryDescriptor.POSTED_OFFSET);
        raw.ring(raw.peer.getAcquire(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET));
        done(Client.POSTED);
        live(raw, Client.SENT, Client.RING_ANNOUNCED, Client.RING_ENTERED, Client.FINISHED, Client.CLOSED);
    }

    private void server() throws IOException {
        UnixSocket listener = RawPeer.listen(address);
        done(Server.LISTENING);
        // Print this now, because the next steps wait for the other side.
        System.out.println("LISTENING");
        RawPeer raw = RawPeer.accept(listener);
        done(Server.LET_IN);
        raw.expect(LinkMessageDescriptor.HELLO);
        done(Server.HEARD_HELLO);
        raw.listen(8);
        raw.introduce(LinkMessageDescriptor.WELCOME);
        done(Server.WELCOME);
        while (raw.posted() == null) {
            Thread.onSpinWait();
        }
        done(Server.SAW_ENTRY);
        raw.open(SLOT, GENERATION);
        done(Server.SLOT_OPENED);
        raw.next(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        done(Server.ACCEPTED);
        live(raw, Server.SENT, Server.RING_ANNOUNCED, Server.RING_ENTERED, Server.FINISHED, Server.CLOSED);
    }

    /** The steps that are the same on both sides. */
    private void live(RawPeer raw, Enum<?> sent, Enum<?> announced, Enum<?> entered, Enum<?> finished, Enum<?> closed)
            throws IOException {
        raw.tail(SLOT, SENT);
        done(sent);
        int ring = raw.announceRing(RING);
        done(announced);
        raw.word(SLOT, LinkMemoryDescriptor.SWITCH_OFFSET, SENT);
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(ring, RING_BITS, 1));
        raw.tail(SLOT, SENT + 1);
        done(entered);
        raw.sayState(SLOT, GENERATION, LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN);
        done(finished);
        raw.sayState(
                SLOT, GENERATION, LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED);
        done(closed);
    }
}
