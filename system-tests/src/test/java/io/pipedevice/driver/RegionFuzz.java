// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.test.Attack;
import io.pipedevice.test.ShrinkingMemory;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An attachment that registers regions, grants, publishes and finds them, and operates on its own and on an honest
 * process's, with an occasional error in a message, its memory, an operation, or a word of the operation page. One
 * thread.
 */
final class RegionFuzz {
    /** The region of an honest process, which anyone may read. */
    static final String HONEST = "bystander";

    private static final String OWN = "fuzzer";
    private static final int STEPS = 60;
    private static final int ONE_IN = 5;
    private static final int SIZE = 8192;
    private static final int MOST_REGIONS = 6;
    private static final int HONEST_SIZE = 4096;

    private static final List<Word> SLOT = List.of(
            new Word("completions consumed", OperationPageDescriptor.CONSUMED_OFFSET),
            new Word("queue's arm word", OperationPageDescriptor.ARM_OFFSET));

    private static final List<Word> HEADER = List.of(
            new Word("magic of operations", 0),
            new Word("version of operations", OperationPageDescriptor.VERSION_OFFSET),
            new Word("activity", (int) OperationPageDescriptor.activity(0)));

    private static final List<Word> REQUEST = List.of(
            new Word("operation word 0", 0),
            new Word("operation word 1", 8),
            new Word("operation word 2", 16),
            new Word("operation word 3", 24),
            new Word("operation word 4", 32),
            new Word("operation word 5", 40),
            new Word("operation word 6", 48),
            new Word("operation word 7", 56));

    private final Attack attack;
    private final RawClient client;
    private final ActiveCalls calls;

    /** The handles of this process's regions. */
    private final List<Integer> own = new ArrayList<>();

    /** The handles of regions that were found. */
    private final List<Integer> found = new ArrayList<>();

    private long id;

    RegionFuzz(Attack attack, RawClient client) {
        this.attack = attack;
        this.client = client;
        this.calls = new ActiveCalls(attack, client);
    }

    /** Continues until the driver ends the attachment, or the attachment has lasted long enough. */
    void run() throws IOException {
        try (RawQueue queue = new RawQueue(client)) {
            register();
            for (int i = 0; i < STEPS && !client.control.awaitEnd(0); i++) {
                behave(queue);
                if (attack.isWrong(ONE_IN)) {
                    doWrong(queue);
                }
                queue.announce();
                while (queue.ring.poll()) {
                    attack.reached("operation of status " + queue.ring.status());
                }
                attack.pause();
            }
        }
    }

    private RegionMessage request(int type) {
        return new RegionMessage(client.request(type));
    }

    private void behave(RawQueue queue) throws IOException {
        switch (attack.honest.nextInt(10)) {
            case 0 -> register();
            case 1 -> deregister();
            case 2 -> find(attack.honest.nextBoolean() ? OWN : HONEST);
            case 3 -> release();
            default -> operate(queue);
        }
    }

    private void register() throws IOException {
        if (own.size() >= MOST_REGIONS) {
            return;
        }
        try (LentRegion memory = LentRegion.create("pd-fuzz", SIZE)) {
            request(RegionMessage.REGISTER).size(SIZE);
            if (!calls.call("REGISTER", memory.fd())) {
                return;
            }
        }
        int handle = new RegionMessage(client.control.message).handle();
        own.add(handle);
        request(RegionMessage.GRANT)
                .handle(handle)
                .rights(RegionMessage.OPERATE)
                .subject(RegionMessage.ANYONE, 0)
                .text("");
        calls.call("GRANT");
        request(RegionMessage.PUBLISH).handle(handle).text(OWN);
        calls.call("PUBLISH");
    }

    private void deregister() throws IOException {
        if (own.size() > 1) {
            request(RegionMessage.DEREGISTER).handle(own.removeLast());
            calls.call("DEREGISTER");
        }
    }

    private void find(String name) throws IOException {
        request(RegionMessage.FIND)
                .rights(RegionMessage.READ)
                .subject(RegionMessage.ANYONE, 0)
                .text(name);
        if (found.size() < MOST_REGIONS && calls.call("FIND " + name)) {
            found.add(new RegionMessage(client.control.message).handle());
        }
    }

    private void release() throws IOException {
        if (!found.isEmpty()) {
            request(RegionMessage.RELEASE).handle(found.removeLast());
            calls.call("RELEASE");
        }
    }

    /** Posts an operation on a region that was found, or on one of this process's own. */
    private void operate(RawQueue queue) {
        if (own.isEmpty()) {
            return;
        }
        int code = 1 + attack.honest.nextInt(OperationCode.FENCE);
        int region = found.isEmpty() ? own.getFirst() : found.get(attack.honest.nextInt(found.size()));
        int buffer = own.get(attack.honest.nextInt(own.size()));
        int length = 1 + attack.honest.nextInt(HONEST_SIZE);
        boolean copies = code == OperationCode.READ || code == OperationCode.WRITE;
        long at = copies ? attack.honest.nextInt(HONEST_SIZE - length + 1) : 8L * attack.honest.nextInt(100);
        queue.ring.post(code, ++id, region, at, copies ? length : 0, buffer, 0, 1, 0);
    }

    private int anyHandle() {
        return switch (attack.random.nextInt(4)) {
            case 0 -> attack.random.nextInt();
            case 1 -> own.isEmpty() ? 0 : own.get(attack.random.nextInt(own.size()));
            case 2 -> found.isEmpty() ? -1 : found.get(attack.random.nextInt(found.size())) + 1;
            default -> found.isEmpty() ? 1 : found.getFirst();
        };
    }

    private long anyNumber() {
        return switch (attack.random.nextInt(4)) {
            case 0 -> attack.random.nextLong();
            case 1 -> SIZE - attack.random.nextInt(16);
            case 2 -> Long.MAX_VALUE - attack.random.nextInt(SIZE);
            default -> attack.random.nextInt(SIZE);
        };
    }

    private void doWrong(RawQueue queue) throws IOException {
        switch (attack.random.nextInt(8)) {
            case 0 ->
                attack.log(attack.words.mutate(
                        SLOT, queue.page.memory(), OperationPageDescriptor.slot(RawQueue.DEPTH, 0)));
            case 1 -> attack.log(attack.words.mutate(HEADER, queue.page.memory(), 0));
            case 2 -> {
                long entry = 64L * attack.random.nextInt(RawQueue.DEPTH);
                attack.log(attack.words.mutate(
                        REQUEST, queue.page.memory(), OperationPageDescriptor.requests(RawQueue.DEPTH, 0) + entry));
            }
            case 3 -> registerStrange();
            case 4 -> registerWrong();
            case 5 -> {
                int handle = anyHandle();
                int type = RegionMessage.GRANT + attack.random.nextInt(5);
                attack.log("type " + type + " of region " + handle);
                request(type).handle(handle).text(OWN);
                calls.call("any request");
            }
            default -> operateWrong(queue);
        }
    }

    private void operateWrong(RawQueue queue) {
        int code = attack.random.nextInt(12);
        int region = anyHandle();
        long at = anyNumber();
        int length = (int) anyNumber();
        int buffer = anyHandle();
        long bufferAt = anyNumber();
        attack.log("operation " + code + " on " + region + " at " + at + ", " + length + " bytes, buffer " + buffer
                + " at " + bufferAt);
        queue.ring.post(code, ++id, region, at, length, buffer, bufferAt, attack.random.nextLong(), 0);
    }

    private void registerStrange() throws IOException {
        var strange = attack.strange.any(attack.random);
        attack.log("REGISTER of " + strange.name());
        request(RegionMessage.REGISTER).size(attack.random.nextBoolean() ? SIZE : 64 << 10);
        calls.call("REGISTER strange", strange.fd());
    }

    /** Memory that the driver must not take: it can shrink, or has another size than the message says. */
    private void registerWrong() throws IOException {
        boolean shrinks = attack.random.nextBoolean();
        long size = 4096L * (1 + attack.random.nextInt(4));
        try (LentRegion right = LentRegion.create("pd-fuzz", SIZE);
                ShrinkingMemory memory =
                        ShrinkingMemory.copyOf(right.memory(), Memory.SEAL_SHRINK | Memory.SEAL_GROW)) {
            if (shrinks) {
                request(RegionMessage.REGISTER).size(SIZE);
                calls.mustBeRefused("REGISTER of memory that can shrink", memory.fd());
            } else if (size != SIZE) {
                request(RegionMessage.REGISTER).size(size);
                calls.mustBeRefused("REGISTER of " + SIZE + " bytes as " + size, right.fd());
            }
        }
    }
}
