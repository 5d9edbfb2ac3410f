// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A process that makes a correct link, writes any values wherever it can for as long as it is served, and then makes
 * the next link. Arguments: CLIENT or SERVER, the port, a seed, and the least running time in milliseconds. It prints
 * the number of links that it MADE, and keeps the last one as it is until its input ends.
 */
final class HostilePeer {
    private static final int MAX_STEPS = 400;
    private static final int KINDS = 8;
    private static final int SLOTS = RawTraffic.SLOTS;
    private static final int BACKLOG = 16;
    private static final int RING = 64 << 10;

    /** Enough links for all kinds of attack, even on a slow machine. */
    private static final int MIN_LINKS = 20;

    private static final int MAX_EXTRA_S = 60;

    private final RawPeer raw;
    private final RawTraffic traffic;
    private final Random random;
    private final boolean client;
    private final List<Fd> fds;
    private int lastRing = 1000;

    private HostilePeer(RawPeer raw, RawTraffic traffic, boolean client, List<Fd> fds, Random random) {
        this.raw = raw;
        this.traffic = traffic;
        this.client = client;
        this.fds = fds;
        this.random = random;
    }

    public static void main(String[] arguments) throws IOException {
        boolean client = arguments[0].equals("CLIENT");
        InetSocketAddress address = TestAddresses.loopback(Integer.parseInt(arguments[1]));
        Random random = new Random(Long.parseLong(arguments[2]));
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[3]));
        long latest = end + TimeUnit.SECONDS.toNanos(MAX_EXTRA_S);
        List<Fd> fds = fds();
        List<HeldPort> locals = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            locals.add(HeldPort.of("7f000001"));
        }
        UnixSocket listener = client ? null : RawPeer.listen(address);
        System.out.println("READY");
        RawPeer raw = null;
        int made = 0;
        while (System.nanoTime() - (made < MIN_LINKS ? latest : end) < 0) {
            if (raw != null) {
                raw.close();
                raw = null;
            }
            try {
                raw = client ? RawPeer.meet(address) : RawPeer.welcome(listener, BACKLOG);
                made++;
                RawTraffic traffic = new RawTraffic(raw, client, address, locals, false, random);
                new HostilePeer(raw, traffic, client, fds, random).misbehave();
            } catch (IOException e) {
                // The link was given up, or refused because earlier links are still being closed.
                Thread.onSpinWait();
            }
        }
        System.out.println("MADE " + made);
        System.in.read();
    }

    private static List<Fd> fds() throws IOException {
        List<Fd> fds = new ArrayList<>();
        fds.add(EventFd.open().fd());
        Fd unsealed = Memory.memfd("unsealed", Memory.PageSize.NORMAL);
        Memory.resize(unsealed, RING);
        fds.add(unsealed);
        fds.add(SharedRegion.create("pd-ring", RING, false).fd());
        fds.add(SharedRegion.create("pd-ring", RING * 2, false).fd());
        for (UnixSocket.Type type : UnixSocket.Type.values()) {
            for (UnixSocket end : UnixSocket.pair(type)) {
                fds.add(end.fd());
            }
        }
        return fds;
    }

    /**
     * Makes one or two kinds of attack amid honest traffic: with more, an attack that is detected at once would hide
     * the others.
     */
    private void misbehave() throws IOException {
        int[] kinds = {random.nextInt(KINDS), random.nextInt(KINDS)};
        boolean alive = true;
        for (int i = 0; i < MAX_STEPS && alive; i++) {
            behave();
            if (random.nextInt(4) == 0) {
                attack(kinds[random.nextInt(kinds.length)]);
            }
            alive = raw.receiveMessages();
        }
    }

    /** Does what an honest peer might do, but seldom with a wrong state. */
    private void behave() throws IOException {
        traffic.step();
        int slot = random.nextInt(SLOTS);
        if (traffic.generation(slot) != 0 && random.nextInt(16) == 0) {
            raw.sayState(slot, traffic.generation(slot), random.nextInt(16));
        }
    }

    private void attack(int kind) throws IOException {
        switch (kind) {
            case 0 -> overwrite(raw.own.memory().asSlice(0, LinkMemoryDescriptor.HEADER_LENGTH));
            case 1 -> overwrite(anySlot());
            case 2 -> writeWord(anySlot(), random.nextInt(2 * RING));
            case 3 -> flip();
            case 4 -> post();
            case 5 -> ringAll();
            case 6 -> sendMessage();
            default -> sendRecord();
        }
    }

    /** Overwrites all of the memory or a part. */
    private void overwrite(MemorySegment memory) {
        long from = random.nextBoolean() ? 0 : random.nextLong(memory.byteSize());
        byte[] noise = new byte[(int) random.nextLong(1, memory.byteSize() - from + 1)];
        random.nextBytes(noise);
        MemorySegment.copy(noise, 0, memory, ValueLayout.JAVA_BYTE, from, noise.length);
    }

    private MemorySegment anySlot() {
        return raw.own
                .memory()
                .asSlice(LinkMemoryDescriptor.slot(random.nextInt(SLOTS)), LinkMemoryDescriptor.WRITE_ARM_OFFSET + 8);
    }

    private void writeWord(MemorySegment memory, long value) {
        long words = memory.byteSize() / Long.BYTES;
        memory.set(ValueLayout.JAVA_LONG, Long.BYTES * random.nextLong(words), value);
    }

    /** Changes a bit of a word that is in use. */
    private void flip() {
        MemorySegment memory = random.nextInt(4) == 0 ? raw.own.memory().asSlice(64, 256) : anySlot();
        long at = Long.BYTES * random.nextLong(memory.byteSize() / Long.BYTES);
        long before = memory.get(ValueLayout.JAVA_LONG, at);
        memory.set(ValueLayout.JAVA_LONG, at, before ^ 1L << random.nextInt(64));
    }

    /** Posts an entry of the accept ring with any values, or accepts an entry that may not exist. */
    private void post() {
        overwrite(raw.own.memory().asSlice(LinkMemoryDescriptor.entry(raw.count), LinkMemoryDescriptor.ENTRY_LENGTH));
        if (random.nextBoolean()) {
            raw.memory
                    .bytes()
                    .putInt(
                            LinkMemoryDescriptor.entry(raw.count) + LinkMemoryDescriptor.ENTRY_SLOT_OFFSET,
                            random.nextInt(LinkMemoryDescriptor.MAX_CONNECTIONS));
            raw.memory
                    .bytes()
                    .putInt(LinkMemoryDescriptor.entry(raw.count) + LinkMemoryDescriptor.ENTRY_FAMILY_OFFSET, 4);
        }
        raw.next(client ? LinkMemoryDescriptor.POSTED_OFFSET : LinkMemoryDescriptor.ACCEPTED_OFFSET);
    }

    /** Rings every bell often, with any cookie. Seldom it also breaks the bell for all peers. */
    private void ringAll() throws LinuxException {
        for (UnixSocket bell : raw.bells.values()) {
            for (int i = random.nextInt(300); i > 0; i--) {
                DoorbellMessage.send(bell.fd(), random.nextBoolean() ? random.nextInt() : random.nextInt(64));
            }
            if (random.nextInt(64) == 0) {
                bell.shutdown(true, true);
            }
        }
        raw.memory.setRelease(LinkMemoryDescriptor.OVERFLOW_OFFSET, random.nextLong());
    }

    /** Sends a bell or a ring with any descriptors, and makes the other side look at it. */
    private void sendMessage() throws LinuxException {
        int slot = random.nextInt(SLOTS);
        if (random.nextBoolean()) {
            int number = random.nextInt(PeerArmWord.MAX_BELLS + 1);
            raw.say(LinkMessageDescriptor.BELL, number, 0, someFds());
            raw.word(
                    slot,
                    random.nextBoolean() ? LinkMemoryDescriptor.READ_ARM_OFFSET : LinkMemoryDescriptor.WRITE_ARM_OFFSET,
                    PeerArmWord.of(number, random.nextInt(), random.nextInt(PeerArmWord.MAX_COOKIE)));
            return;
        }
        int number = random.nextInt(4) == 0 ? random.nextInt(lastRing) : ++lastRing;
        raw.say(LinkMessageDescriptor.RING, number, random.nextInt(4) == 0 ? 0 : RING, someFds());
        int count = 1 + random.nextInt(3);
        raw.word(slot, LinkMemoryDescriptor.switchOffset(count), traffic.tail(slot));
        raw.word(
                slot,
                LinkMemoryDescriptor.ringOffset(count),
                LinkMemoryDescriptor.ringWord(number, 16 + random.nextInt(2), count));
    }

    /** Sends bytes that are not a message. */
    private void sendRecord() throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(2 * LinkMessageDescriptor.LENGTH);
            overwrite(bytes);
            raw.socket.send(bytes, 0, 1 + random.nextInt(2 * LinkMessageDescriptor.LENGTH), someFds());
        }
        raw.word(random.nextInt(SLOTS), LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(900, random.nextInt(), 1));
    }

    private Fd[] someFds() {
        Fd[] some = new Fd[random.nextInt(4) == 0 ? random.nextInt(6) : 1];
        for (int i = 0; i < some.length; i++) {
            some[i] = fds.get(random.nextInt(fds.size()));
        }
        return some;
    }
}
