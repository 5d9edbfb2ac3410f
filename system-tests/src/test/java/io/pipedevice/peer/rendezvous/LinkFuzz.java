// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import io.pipedevice.peer.wait.SlotBell;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FrameMutator.Frame;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.util.List;

/**
 * A correct link with the traffic of an honest peer, and an occasional mutation: of a message, a word, an entry, or the
 * rings of bells. Used by one thread.
 */
final class LinkFuzz {
    private static final int MAX_STEPS = 150;
    private static final int ONE_IN = 4;
    private static final int MANY_MESSAGES = 500;
    private static final int MANY_RINGS = 300;

    private static final List<Word> HEADER = List.of(
            new Word("magic", LinkMemoryDescriptor.MAGIC_OFFSET),
            new Word("version", LinkMemoryDescriptor.VERSION_OFFSET),
            new Word("LISTENING", LinkMemoryDescriptor.LISTENING_OFFSET),
            new Word("BACKLOG", LinkMemoryDescriptor.BACKLOG_OFFSET),
            new Word("ACCEPTED", LinkMemoryDescriptor.ACCEPTED_OFFSET),
            new Word("POSTED", LinkMemoryDescriptor.POSTED_OFFSET),
            new Word("ACCEPT_ARM", LinkMemoryDescriptor.ACCEPT_ARM_OFFSET),
            new Word("OVERFLOW", LinkMemoryDescriptor.OVERFLOW_OFFSET),
            new Word("GIVEN_UP", LinkMemoryDescriptor.GIVEN_UP_OFFSET),
            new Word("POSTED_FROM", LinkMemoryDescriptor.POSTED_FROM_OFFSET),
            new Word("KEEPS_PORTS", LinkMemoryDescriptor.KEEPS_PORTS_OFFSET),
            new Word("USED_SLOTS", LinkMemoryDescriptor.USED_SLOTS_OFFSET),
            new Word("CONNECTIONS", LinkMemoryDescriptor.CONNECTIONS_OFFSET),
            new Word("last intent", LinkMemoryDescriptor.HEADER_LENGTH - Long.BYTES));

    private static final List<Word> SLOT = List.of(
            new Word("TAIL", LinkMemoryDescriptor.TAIL_OFFSET),
            new Word("RING 1", LinkMemoryDescriptor.ringOffset(1)),
            new Word("SWITCH 1", LinkMemoryDescriptor.switchOffset(1)),
            new Word("RING 2", LinkMemoryDescriptor.ringOffset(2)),
            new Word("SWITCH 2", LinkMemoryDescriptor.switchOffset(2)),
            new Word("HEAD", LinkMemoryDescriptor.HEAD_OFFSET),
            new Word("STATE", LinkMemoryDescriptor.STATE_OFFSET),
            new Word("READ_ARM", LinkMemoryDescriptor.READ_ARM_OFFSET),
            new Word("WRITE_ARM", LinkMemoryDescriptor.WRITE_ARM_OFFSET),
            new Word("WANTED", LinkMemoryDescriptor.WANTED_OFFSET),
            new Word("PROCESSOR", LinkMemoryDescriptor.PROCESSOR_OFFSET),
            new Word("RANG", LinkMemoryDescriptor.RANG_OFFSET),
            new Word("READER_RUNG", LinkMemoryDescriptor.READER_RUNG_OFFSET),
            new Word("WRITER_RUNG", LinkMemoryDescriptor.WRITER_RUNG_OFFSET),
            new Word("CHALLENGE", LinkMemoryDescriptor.WRITER_RUNG_OFFSET + Long.BYTES),
            new Word("URGENT", LinkMemoryDescriptor.URGENT_OFFSET),
            new Word("SENT_BEFORE", LinkMemoryDescriptor.SENT_BEFORE_OFFSET),
            new Word("RECEIVED_BEFORE", LinkMemoryDescriptor.RECEIVED_BEFORE_OFFSET));

    private static final List<Word> ENTRY = List.of(
            new Word("slot and generation", LinkMemoryDescriptor.ENTRY_SLOT_OFFSET),
            new Word("ports and family", LinkMemoryDescriptor.ENTRY_CLIENT_PORT_OFFSET & -Long.BYTES),
            new Word("client", LinkMemoryDescriptor.ENTRY_CLIENT_ADDRESS_OFFSET),
            new Word("server", LinkMemoryDescriptor.ENTRY_SERVER_ADDRESS_OFFSET));

    private final Attack attack;
    private final RawPeer raw;
    private final RawTraffic traffic;
    private final boolean client;

    private static final List<Word> RINGER = List.of(
            new Word("ready TAIL", ReadySetDescriptor.TAIL_OFFSET),
            new Word("ready LOST", ReadySetDescriptor.LOST_OFFSET),
            new Word("ready OPEN", ReadySetDescriptor.OPEN_OFFSET));

    private static final List<Word> POLLER = List.of(
            new Word("poller STATE", ReadySetDescriptor.STATE_OFFSET),
            new Word("poller HEARD", ReadySetDescriptor.HEARD_OFFSET));

    /** The bells of the victim's first pollers have smaller numbers. */
    private static final int BELLS = 4;

    LinkFuzz(Attack attack, RawPeer raw, RawTraffic traffic, boolean client) {
        this.attack = attack;
        this.raw = raw;
        this.traffic = traffic;
        this.client = client;
    }

    /** Runs until the other side ends the link, or all steps are done. */
    void run() throws IOException {
        for (int i = 0; i < MAX_STEPS && raw.receiveMessages(); i++) {
            traffic.step();
            if (!attack.isHarmless() && attack.random.nextInt(ONE_IN) == 0) {
                doWrong();
            }
            attack.pause();
        }
    }

    private void doWrong() throws IOException {
        int slot = attack.random.nextInt(RawTraffic.SLOTS);
        switch (attack.random.nextInt(14)) {
            case 0 -> attack.log(attack.words.mutate(HEADER, raw.own.memory(), 0));
            case 1 -> entry(slot);
            case 2 -> sendMessage(1);
            case 3 -> sendMessage(1 + attack.random.nextInt(MANY_MESSAGES));
            case 4 -> ringBells();
            case 5 -> spoilBlock();
            case 6 -> handshakeAgain();
            case 7 -> disorder();
            case 8 -> readyRing();
            case 9 -> ringInSlot(slot);
            default -> word(slot);
        }
    }

    private void word(int slot) throws LinuxException {
        attack.log("slot " + slot + " " + attack.words.mutate(SLOT, raw.own.memory(), LinkMemoryDescriptor.slot(slot)));
        wake(slot);
    }

    /** Fills an open ready ring with entries of any cookies, and may change one of its other words. */
    private void readyRing() {
        LinkMemory own = new LinkMemory(raw.own.memory());
        int bell = attack.random.nextInt(BELLS);
        int ringer = ReadySetDescriptor.ringer(bell);
        own.setRelease(ringer + ReadySetDescriptor.OPEN_OFFSET, 1);
        long tail = own.getAcquire(ringer + ReadySetDescriptor.TAIL_OFFSET);
        int entries = attack.random.nextInt(ReadySetDescriptor.ENTRIES);
        for (int i = 0; i < entries; i++, tail++) {
            int cookie = attack.random.nextInt(attack.random.nextBoolean() ? 16 : PeerArmWord.MAX_COOKIE);
            own.setRelease(ReadySetDescriptor.entry(bell, tail), ReadySetDescriptor.entryWord(tail, cookie));
        }
        own.setRelease(ringer + ReadySetDescriptor.TAIL_OFFSET, tail);
        attack.log(entries + " ready entries of bell " + bell);
        if (attack.random.nextBoolean()) {
            attack.log(attack.words.mutate(RINGER, raw.own.memory(), ringer));
            attack.log(attack.words.mutate(POLLER, raw.own.memory(), ReadySetDescriptor.poller(bell)));
        }
    }

    /** Wakes the threads that sleep on words of a slot, without a reason, or changes the words and wakes nothing. */
    private void ringInSlot(int slot) {
        int times = attack.random.nextInt(MANY_RINGS);
        boolean wakes = attack.random.nextBoolean();
        int word = attack.random.nextBoolean()
                ? LinkMemoryDescriptor.READER_RUNG_OFFSET
                : LinkMemoryDescriptor.WRITER_RUNG_OFFSET;
        attack.log((wakes ? "rings " : "counts ") + times + " times in slot " + slot + " at " + word);
        int at = LinkMemoryDescriptor.slot(slot) + word;
        for (int i = 0; i < times; i++) {
            if (wakes) {
                SlotBell.ring(raw.memory, at);
            } else {
                raw.memory.increment(at);
            }
        }
    }

    /** Makes the other side look at a slot. */
    private void wake(int slot) throws LinuxException {
        raw.ring(raw.peerWord(slot, LinkMemoryDescriptor.READ_ARM_OFFSET));
        raw.ring(raw.peerWord(slot, LinkMemoryDescriptor.WRITE_ARM_OFFSET));
    }

    /** Posts a connection with a mutated entry, or accepts one that does not exist. */
    private void entry(int slot) throws LinuxException {
        if (client) {
            traffic.post(slot);
            attack.log("entry of slot " + slot + " "
                    + attack.words.mutate(ENTRY, raw.own.memory(), LinkMemoryDescriptor.entry(raw.count)));
            raw.next(LinkMemoryDescriptor.POSTED_OFFSET);
            raw.ring(raw.peer.getAcquire(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET));
        } else {
            attack.log("accepts what has not come");
            raw.next(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        }
    }

    /**
     * Sends a bell, a ring or a port with one thing wrong, the given number of times, and makes the other side look at
     * it.
     */
    private void sendMessage(int times) throws LinuxException {
        int type = LinkMessageDescriptor.BELL + attack.random.nextInt(3);
        int number = attack.random.nextInt(attack.random.nextBoolean() ? 8 : PeerArmWord.MAX_BELLS);
        Fd fd = type == LinkMessageDescriptor.BELL
                ? raw.bell[1].fd()
                : attack.strange.any(attack.random).fd();
        Frame right = HandshakeFuzz.message(type, number, type == LinkMessageDescriptor.RING ? 64 << 10 : 0, fd);
        Frame wrong = attack.frame(right);
        attack.log(times + " times");
        for (int i = 0; i < times && wrong.send(raw.socket); i++) {
            Thread.onSpinWait();
        }
        makeItRead(number);
    }

    /** Writes an arm word with a bell that the other side may not know. */
    private void makeItRead(int bell) throws LinuxException {
        int slot = attack.random.nextInt(RawTraffic.SLOTS);
        raw.word(
                slot,
                attack.random.nextBoolean()
                        ? LinkMemoryDescriptor.READ_ARM_OFFSET
                        : LinkMemoryDescriptor.WRITE_ARM_OFFSET,
                PeerArmWord.of(bell, attack.random.nextInt(), 1));
        wake(slot);
    }

    private void ringBells() throws LinuxException {
        int times = attack.random.nextInt(MANY_RINGS);
        boolean shut = attack.random.nextInt(16) == 0;
        attack.log("rings each bell " + times + " times" + (shut ? " and shuts it down" : ""));
        long seed = attack.random.nextLong();
        for (UnixSocket bell : raw.bells.values()) {
            for (int i = 0; i < times; i++) {
                DoorbellMessage.send(bell.fd(), (int) seed >>> i % 32);
            }
            if (shut) {
                bell.shutdown(true, true);
            }
        }
    }

    private void spoilBlock() throws LinuxException {
        int slot = traffic.slotOfBlocks();
        if (slot < 0) {
            return;
        }
        int offset = attack.random.nextInt(RawTraffic.RING);
        int length = 1 + attack.random.nextInt(RawTraffic.PIECE);
        int written = length;
        switch (attack.random.nextInt(4)) {
            case 0 -> offset = attack.random.nextInt();
            case 1 -> offset = RawTraffic.RING - attack.random.nextInt(length + 1);
            case 2 -> length = attack.random.nextInt();
            default -> written = attack.random.nextInt(length);
        }
        attack.log("a block of " + length + " bytes at " + offset + " of slot " + slot + ", " + written + " written");
        traffic.spoilBlock(slot, offset, length, written);
        wake(slot);
    }

    private void handshakeAgain() throws LinuxException {
        int type = 1 + attack.random.nextInt(3);
        attack.log("a message of the handshake, " + type);
        raw.introduce(type);
        makeItRead(1);
    }

    /** Names a ring that was not announced or is in use, or takes such a ring back. */
    private void disorder() throws IOException {
        int ring = traffic.lastRing() + attack.random.nextInt(3) - 1;
        int kind = attack.random.nextInt(2);
        attack.log((kind == 0 ? "names ring " : "takes back ring ") + ring);
        int slot = attack.random.nextInt(RawTraffic.SLOTS);
        if (kind == 0) {
            raw.word(
                    slot,
                    LinkMemoryDescriptor.ringOffset(1 + attack.random.nextInt(2)),
                    LinkMemoryDescriptor.ringWord(ring, 16, 1 + attack.random.nextInt(3)));
            wake(slot);
        } else {
            raw.say(LinkMessageDescriptor.RING, ring, 0);
            makeItRead(1);
        }
    }
}
