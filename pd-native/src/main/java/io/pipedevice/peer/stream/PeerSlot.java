// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Processor;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.wait.ReadyWriter;

/**
 * A connection's words on both sides of its link. The peer's count from the moment when its STATE has the connection's
 * generation, and not before: until then they are an earlier connection's.
 */
public final class PeerSlot {
    final RingLink link;
    final int number;
    final int generation;
    final LinkMemory own;
    final LinkMemory peer;
    private final int offset;

    /** Whether the peer's words were seen to be this connection's, which they then stay. Any thread sets it, for good. */
    private volatile boolean met;

    PeerSlot(RingLink link, int number, int generation) {
        this.link = link;
        this.number = number;
        this.generation = generation;
        this.own = link.own();
        this.peer = link.peer();
        this.offset = LinkMemoryDescriptor.slot(number);
    }

    /** Whether the peer takes part: a server does from its accept on. */
    boolean isMet() {
        return met || meet();
    }

    private boolean meet() {
        if (peerFlags() != 0) {
            met = true;
        }
        return met;
    }

    /** The peer was seen to take part. */
    void met() {
        met = true;
    }

    /** The peer's flags, 0 until it takes part. A stranger's word: any bits may be set. */
    int peerFlags() {
        return LinkMemoryDescriptor.flags(peer.getAcquire(offset + LinkMemoryDescriptor.STATE_OFFSET), generation);
    }

    /** The same, after it was asked whether the peer takes part: that stays known when the slot is another connection's. */
    int metFlags() {
        return isMet() ? peerFlags() : 0;
    }

    /** Throws the reason if this side, or the other, has given the broken link up. */
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

    /** One of the peer's words, unchecked; only once it is met. */
    long peerWord(int word) {
        return peer.getAcquire(offset + word);
    }

    /** Tells the peer's thread that an arm word names; one that sleeps is woken, and told from where and when. */
    void ring(long armWord) {
        ReadyWriter.Told told = link.tell(armWord);
        if (told == ReadyWriter.Told.TOLD) {
            return;
        }
        tellProcessor(Processor.current());
        ownWord(LinkMemoryDescriptor.RANG_OFFSET, System.nanoTime());
        link.ring(armWord, told);
    }

    /**
     * The word by which a peer is told of a processor.
     *
     * @param processor its number, negative if it is not known
     * @return 0 if it is not known
     */
    public static long processorWord(int processor) {
        return Math.max(0, processor + 1L);
    }

    /** Tells the peer where this side runs. */
    void tellProcessor(int processor) {
        long word = processorWord(processor);
        // A line that the peer reads at each of its writes is written only if it has to be.
        if (word != ownWord(LinkMemoryDescriptor.PROCESSOR_OFFSET)) {
            ownWord(LinkMemoryDescriptor.PROCESSOR_OFFSET, word);
        }
    }

    /** Whether the peer was on a processor when it last said where it was. A stranger's word, and good for nothing else. */
    boolean isPeerOn(int processor) {
        return processor >= 0 && isMet() && peerWord(LinkMemoryDescriptor.PROCESSOR_OFFSET) == processorWord(processor);
    }

    /**
     * Measures what a wake-up costs, if the peer rang between two moments: when a thread fell asleep, and when it ran again.
     * The time is the peer's word, which tells how long to look for what this peer does, and nothing else.
     */
    void woken(long asleepSince, long now) {
        if (isMet()) {
            long rang = peerWord(LinkMemoryDescriptor.RANG_OFFSET);
            if (rang - asleepSince > 0 && now - rang > 0) {
                link.wakeUpCost().measured(now - rang);
            }
        }
    }

    /** Wakes the peer's thread that sleeps in one direction. The caller has published, and fenced. */
    void ringFor(int armOffset) {
        if (isMet()) {
            long word = peerWord(armOffset);
            if (word != PeerArmWord.DISARMED) {
                ring(word);
            }
        }
    }
}
