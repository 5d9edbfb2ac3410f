// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.jdk.OutOfLine;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Processor;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.SlotBell;
import java.lang.invoke.MethodHandles;

/**
 * The words of a connection on both sides of its link. The peer's words are valid only once its STATE has the
 * connection's generation; before that they belong to an earlier connection.
 */
public final class PeerSlot {
    private static final OutOfLine RING = OutOfLine.of(MethodHandles.lookup(), "ringInLine", void.class, long.class);

    final RingLink link;
    final RingLender rings;
    final int number;
    final int generation;
    final LinkMemory own;
    final LinkMemory peer;
    private final int offset;

    /** Whether the peer's STATE was seen with this connection's generation. Any thread sets it, for good. */
    private volatile boolean met;

    PeerSlot(RingLink link, int number, int generation) {
        this.link = link;
        this.rings = link.rings();
        this.number = number;
        this.generation = generation;
        this.own = link.own();
        this.peer = link.peer();
        this.offset = LinkMemoryDescriptor.slot(number);
    }

    /** Whether the peer has joined the connection: a server does so when it accepts. */
    boolean isMet() {
        return met || meet();
    }

    private boolean meet() {
        if (peerFlags() != 0) {
            met = true;
        }
        return met;
    }

    /** Records that the peer has joined the connection. */
    void met() {
        met = true;
    }

    /** The peer's flags, unchecked: any bits may be set. 0 before the peer joins, and after the slot is reused. */
    int peerFlags() {
        return LinkMemoryDescriptor.flags(peer.getAcquire(offset + LinkMemoryDescriptor.STATE_OFFSET), generation);
    }

    /** As {@link #peerFlags}. Also records that the peer has joined, which stays known when the slot is reused. */
    int metFlags() {
        return isMet() ? peerFlags() : 0;
    }

    /** Throws if this side or the other has given the broken link up. */
    void checkReset() throws PdException {
        String why = link.whyGivenUp();
        if (why != null) {
            throw new PdException(Errno.EPROTO, why);
        }
        if (peer.getAcquire(LinkMemoryDescriptor.GIVEN_UP_OFFSET) != 0) {
            throw new PdException(Errno.ECONNRESET, "");
        }
    }

    void flags(int flags) {
        own.setRelease(offset + LinkMemoryDescriptor.STATE_OFFSET, LinkMemoryDescriptor.state(generation, flags));
    }

    long ownWord(int word) {
        return own.getAcquire(offset + word);
    }

    void ownWord(int word, long value) {
        own.setRelease(offset + word, value);
    }

    /** One of the peer's words, unchecked; only after {@link #isMet}. */
    long peerWord(int word) {
        return peer.getAcquire(offset + word);
    }

    /** Notifies the thread of the peer that an arm word names. */
    void ring(long armWord) {
        try {
            RING.handle().invokeExact(this, armWord);
        } catch (Throwable t) {
            throw OutOfLine.rethrow(t);
        }
    }

    /** Before a ring, publishes the processor of this side and the time. */
    @SuppressWarnings("UnusedMethod")
    private void ringInLine(long armWord) {
        boolean inSlot = PeerArmWord.isInSlot(armWord);
        ReadyWriter.Announcement announcement = inSlot ? ReadyWriter.Announcement.NONE : link.announce(armWord);
        if (announcement == ReadyWriter.Announcement.ENOUGH) {
            return;
        }
        tellProcessor(Processor.current());
        ownWord(LinkMemoryDescriptor.RANG_OFFSET, System.nanoTime());
        if (inSlot) {
            SlotBell.ring(own, offset + rungOffset(PeerArmWord.isReader(armWord)));
        } else {
            link.ring(armWord, announcement);
        }
    }

    /** A bell that the peer rings for a thread of this side; only after {@link #isMet}. */
    SlotBell bell(int direction) {
        return new SlotBell(peer, offset + rungOffset(direction == PdEpoll.IN));
    }

    private static int rungOffset(boolean reader) {
        return reader ? LinkMemoryDescriptor.READER_RUNG_OFFSET : LinkMemoryDescriptor.WRITER_RUNG_OFFSET;
    }

    /**
     * The word that announces a processor to a peer.
     *
     * @param processor its number, negative if it is not known
     * @return 0 if it is not known
     */
    public static long processorWord(int processor) {
        return Math.max(0, processor + 1L);
    }

    /** Announces the processor on which this side runs. */
    void tellProcessor(int processor) {
        long word = processorWord(processor);
        // Written only if it changes, because the peer reads this cache line at each of its writes.
        if (word != ownWord(LinkMemoryDescriptor.PROCESSOR_OFFSET)) {
            ownWord(LinkMemoryDescriptor.PROCESSOR_OFFSET, word);
        }
    }

    /** Whether the peer last announced this processor. The word is unchecked, and only a hint. */
    boolean isPeerOn(int processor) {
        return processor >= 0 && isMet() && peerWord(LinkMemoryDescriptor.PROCESSOR_OFFSET) == processorWord(processor);
    }

    /**
     * Measures the cost of a wake-up, if the peer rang after a thread fell asleep and before it ran again. The time of
     * the ring comes from the peer, unchecked; it affects only how long threads spin for this peer.
     */
    void woken(long asleepSince, long now) {
        if (isMet()) {
            long rang = peerWord(LinkMemoryDescriptor.RANG_OFFSET);
            if (rang - asleepSince > 0 && now - rang > 0) {
                link.wakeUpCost().measured(now - rang);
            }
        }
    }

    /** Wakes the thread of the peer that sleeps in one direction. The caller has published, and fenced. */
    void ringFor(int armOffset) {
        if (isMet()) {
            long word = peerWord(armOffset);
            if (word != PeerArmWord.DISARMED) {
                ring(word);
            }
        }
    }
}
