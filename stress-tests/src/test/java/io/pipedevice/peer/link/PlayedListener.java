// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.protocol.IntentTable;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.rendezvous.PlayedNetworks;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.PlayedSide;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.BellLink;
import io.pipedevice.peer.wait.PeerSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A listener and a client, both in this process. The memories of many instances share one memory object. Each uses only
 * a header, the first entry and the first slot of the layout, which lie between those of the others.
 */
public final class PlayedListener extends PeerSource {
    static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    /** More than jcstress has states at a time. */
    private static final int MOST = 1 << 14;

    private static final int STRIDE = 14336;
    private static final int BACKLOG = 16;

    /** The port of announced connections. */
    static final int PORT = 40_000;

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final SharedRegion CLIENTS = region();
    private static final SharedRegion SERVERS = region();

    /** The link's pages; those that the memories use are allocated. */
    private static final LinkPages PAGES = pages();

    private static final RingLimits LIMITS = PlayedNetworks.ringLimits();

    public final Connector connector;
    final AcceptRing ring;
    private final PlayedSide client;
    private final PlayedSide server;

    public PlayedListener() {
        int number = COUNT.getAndIncrement() & MOST - 1;
        LinkMemory ofClient = memory(CLIENTS, number);
        LinkMemory ofServer = memory(SERVERS, number);
        client = new PlayedSide(ofClient, ofServer, null);
        server = new PlayedSide(ofServer, ofClient, null);
        connector = new Connector(client, PAGES, new LinkSockets(), LIMITS, (slot, port) -> true);
        ring = new AcceptRing(
                server,
                PAGES,
                new LinkSockets(),
                LIMITS,
                entry -> ConnectionRule.Verdict.TAKE,
                BACKLOG,
                entry -> AcceptRing.Claim.TRUE);
    }

    private static SharedRegion region() {
        try {
            return SharedRegion.create("pd-stress", (long) MOST * STRIDE + LinkMemoryDescriptor.LENGTH, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LinkPages pages() {
        LinkPages pages = new LinkPages(CLIENTS, SERVERS);
        try {
            pages.connection(0);
            pages.entryToWrite(0);
            return pages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LinkMemory memory(SharedRegion region, int number) {
        long offset = (long) number * STRIDE;
        LinkMemory memory = new LinkMemory(region.memory().asSlice(offset, LinkMemoryDescriptor.LENGTH));
        memory.setRelease(LinkMemoryDescriptor.LISTENING_OFFSET, 0);
        memory.setRelease(LinkMemoryDescriptor.ACCEPTED_OFFSET, 0);
        memory.setRelease(LinkMemoryDescriptor.POSTED_OFFSET, 0);
        memory.setRelease(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET, PeerArmWord.DISARMED);
        memory.setRelease(LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.STATE_OFFSET, 0);
        IntentTable.remove(memory, PORT);
        ChallengeWord.write(memory, 0, 0, 0, 0);
        return memory;
    }

    /** Completes a connect: returns the arm word with which the client rings, or 0. */
    public long armToRing() {
        return connector.armToRing();
    }

    /** Connects; null if the client uses the kernel. */
    public PeerSocket connect() {
        try {
            return connector.connect(ADDRESS, null, ADDRESS);
        } catch (PeerRefusal e) {
            return null;
        }
    }

    /** Announces a connection. */
    Announcement announce(int port) {
        try {
            return connector.announce(port);
        } catch (PeerRefusal e) {
            throw new IllegalStateException(e);
        }
    }

    /** Announces a connection for which the server has asked. */
    Announcement announceAsked(int port) {
        Announcement announced = announce(port);
        ring.challenge(announced.slot(), announced.generation(), 0, 0);
        return announced;
    }

    /** Posts a connection that was announced. */
    void post(Announcement announced) {
        try {
            connector.connect(announced, ADDRESS, ADDRESS);
        } catch (PeerRefusal e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the client sees that the server asks no more. */
    boolean isRevoked(Announcement announced) {
        return ChallengeWord.isRevoked(client.peer(), announced.slot(), announced.generation());
    }

    /** What the server finds of an announcement. */
    long intent(int port) {
        return IntentTable.find(server.peer(), port);
    }

    @Override
    public int readiness(int wanted) {
        return ring.isWaiting() ? PdEpoll.IN : 0;
    }

    @Override
    protected boolean arm(int direction, Bell bell, long generation, int cookie) {
        ring.arm(PeerArmWord.of(server.numberOf(bell), generation, cookie));
        return true;
    }

    @Override
    protected void disarm(int direction) {
        ring.arm(PeerArmWord.DISARMED);
    }

    @Override
    protected boolean isOf(BellLink link) {
        return server.equals(link);
    }

    @Override
    protected void forEachLink(Consumer<BellLink> visitor) {
        visitor.accept(server);
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
