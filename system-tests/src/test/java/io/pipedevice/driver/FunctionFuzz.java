// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.active.operation.ReturnPageDescriptor;
import io.pipedevice.active.operation.ServerLane;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FileOfHoles;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.test.Attack;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * An attachment that registers functions, serves their calls, and calls its own and an honest process's, with an
 * occasional error in a message, a program, a call, a return, or a word of a page. One thread.
 */
final class FunctionFuzz {
    /** The function of an honest process, which anyone may call. */
    static final String HONEST = "bystander";

    private static final String OWN = "fuzzer";
    private static final int STEPS = 40;
    private static final int ONE_IN = 4;
    private static final int BUFFER = 32 << 10;
    private static final int LANES = 1;
    private static final int LANE_DEPTH = 8;
    private static final int ROOM = CallPageDescriptor.room(FunctionPrograms.MESSAGE, 4096);
    private static final long FUEL = 10_000;
    private static final long PATIENCE_MS = 20_000;

    private static final List<Word> REQUEST = List.of(
            new Word("call word 0", 0),
            new Word("call word 1", 8),
            new Word("call word 2", 16),
            new Word("call word 3", 24),
            new Word("call word 4", 32),
            new Word("call word 5", 40),
            new Word("call word 6", 48));

    private static final List<Word> RETURN = List.of(
            new Word("magic of returns", 0),
            new Word("version of returns", ReturnPageDescriptor.VERSION_OFFSET),
            new Word("lane's arm word", 64),
            new Word("return's number", 128),
            new Word("return's result", 136),
            new Word("return's status", 144),
            new Word("return's delay", 152),
            new Word("return's stamp", 184),
            new Word("return's message", 192),
            new Word("return's state", 224));

    private final Attack attack;
    private final RawClient client;
    private final ActiveCalls calls;
    private int region;
    private int buffer;
    private int own;
    private int callee;
    private SharedRegion returns;
    private SharedRegion served;
    private ServerLane lane;
    private int version;
    private long id;

    FunctionFuzz(Attack attack, RawClient client) {
        this.attack = attack;
        this.client = client;
        this.calls = new ActiveCalls(attack, client);
    }

    /** Continues until the driver ends the attachment, or the attachment has lasted long enough. */
    void run() throws IOException {
        try (RawQueue queue = new RawQueue(client);
                LentRegion messages = LentRegion.create("pd-fuzz", BUFFER);
                LentRegion table = LentRegion.create("pd-fuzz", 4096)) {
            buffer = registerRegion(messages);
            region = registerRegion(table);
            if (register(program(), false)) {
                serve();
            }
            for (int i = 0; i < STEPS && !client.control.awaitEnd(0); i++) {
                behave(queue, messages.memory());
                if (attack.isWrong(ONE_IN)) {
                    doWrong(queue);
                }
                queue.announce();
                while (queue.ring.poll()) {
                    attack.reached("call of status " + queue.ring.status());
                }
                attack.pause();
            }
        } finally {
            if (returns != null) {
                returns.close();
            }
            if (served != null) {
                served.close();
            }
        }
    }

    private FunctionMessage request(int type) {
        return new FunctionMessage(client.request(type));
    }

    private int answeredHandle() {
        return new FunctionMessage(client.control.message).handle();
    }

    private int registerRegion(LentRegion memory) throws IOException {
        new RegionMessage(client.request(RegionMessage.REGISTER)).size(memory.size());
        return calls.call("REGISTER", memory.fd()) ? answeredHandle() : 0;
    }

    /** A program of those that others test, which does not run for ever. */
    private static byte[] right(Attack attack) {
        return List.of(FunctionPrograms.ADD, FunctionPrograms.READ, FunctionPrograms.COUNT)
                .get(attack.honest.nextInt(3))
                .bytes();
    }

    private byte[] program() {
        byte[] program = right(attack);
        return attack.isWrong(3) ? ProgramMutator.mutate(attack, program) : program;
    }

    private boolean register(byte[] program, boolean isOther) throws IOException {
        try (SharedRegion memory = SharedRegion.create("pd-program", Memory.wholePages(program.length), false)) {
            memory.allocate(0, memory.size());
            MemorySegment.copy(MemorySegment.ofArray(program), 0, memory.memory(), 0, program.length);
            registration(isOther ? 1000 + ++version : ++version, program.length);
            if (!calls.call("REGISTER_FUNCTION", memory.fd())) {
                return false;
            }
        }
        own = answeredHandle();
        request(FunctionMessage.GRANT_FUNCTION)
                .handle(own)
                .rights(RegionMessage.CALL)
                .subject(RegionMessage.ANYONE, 0)
                .text("");
        calls.call("GRANT_FUNCTION");
        return true;
    }

    private void registration(int itsVersion, int length) {
        request(FunctionMessage.REGISTER_FUNCTION)
                .version(itsVersion)
                .messageLength(FunctionPrograms.MESSAGE)
                .fuel(FUEL)
                .regions(1)
                .region(0, region)
                .texts(OWN, "")
                .size(length);
    }

    private void serve() throws IOException {
        if (lane != null) {
            return;
        }
        SharedRegion memory =
                SharedRegion.create("pd-returns", ReturnPageDescriptor.length(LANES, LANE_DEPTH, ROOM), false);
        memory.allocate(0, memory.size());
        request(FunctionMessage.SERVE)
                .messageLength(ROOM)
                .queues(LANES, LANE_DEPTH)
                .size(memory.size());
        if (calls.call("SERVE", memory.fd()) && client.control.fds.count() == 1) {
            returns = memory;
            served = SharedRegion.attach(client.received(), new RegionMessage(client.control.message).size());
            lane = new ServerLane(served.memory(), returns.memory(), LANE_DEPTH, ROOM, 0);
        } else {
            memory.close();
        }
    }

    private void behave(RawQueue queue, MemorySegment messages) throws IOException {
        switch (attack.honest.nextInt(12)) {
            case 0 -> find(attack.honest.nextBoolean() ? OWN : HONEST);
            case 1 -> {
                request(FunctionMessage.PROGRAM_OF).handle(callee);
                calls.call("PROGRAM_OF");
            }
            case 2 -> {
                request(FunctionMessage.REGION_OF).regions(0).handle(callee);
                calls.call("REGION_OF");
            }
            case 3 -> serve();
            case 4, 5, 6 -> giveBack();
            default -> call(queue, messages);
        }
    }

    private void find(String name) throws IOException {
        if (callee != 0) {
            request(FunctionMessage.RELEASE_FUNCTION).handle(callee);
            calls.call("RELEASE_FUNCTION");
            callee = 0;
        }
        request(FunctionMessage.FIND_FUNCTION).version(0).texts(name, "").subject(RegionMessage.ANYONE, 0);
        if (calls.call("FIND_FUNCTION " + name)) {
            callee = answeredHandle();
        }
    }

    private void call(RawQueue queue, MemorySegment messages) {
        messages.set(ValueLayout.JAVA_LONG, 0, attack.honest.nextInt(20));
        messages.set(ValueLayout.JAVA_LONG, 8, 8L * attack.honest.nextInt(64));
        long flags = attack.honest.nextBoolean() ? 0 : CallFlags.HOST;
        queue.ring.post(OperationCode.CALL, ++id, callee, 0, FunctionPrograms.MESSAGE, buffer, 0, flags, 0);
    }

    /** Returns the calls that have come. */
    private void giveBack() throws IOException {
        while (lane != null && lane.take()) {
            attack.reached("served");
            long number = lane.number();
            int status = OperationStatus.OK;
            int state = 0;
            if (attack.isWrong(10)) {
                returnOther(number + (long) LANE_DEPTH * (1 + attack.random.nextInt(1000)));
                return;
            }
            if (attack.isWrong(3)) {
                status = attack.random.nextInt(OperationStatus.MOST + 4) - 1;
                state = attack.random.nextInt(8192) - 16;
                for (int i = 0; i < 16; i++) {
                    lane.returns()
                            .set(
                                    ValueLayout.JAVA_LONG,
                                    lane.returned() + 8L * i,
                                    attack.random.nextBoolean() ? attack.random.nextInt(64) : attack.random.nextLong());
                }
                attack.log("returns a call with status " + status + " and a state of " + state + " bytes");
            }
            lane.post(number, id, status, state, 0);
            client.wakeDriver();
        }
    }

    /** Returns a call that this process has not. The driver must end the attachment. */
    private void returnOther(long number) throws IOException {
        attack.log("returns call " + number + ", which it has not");
        lane.post(number, id, OperationStatus.OK, 0, 0);
        client.wakeDriver();
        if (!client.control.awaitEnd(PATIENCE_MS)) {
            throw new AssertionError("a call is taken back that is not out");
        }
    }

    private void doWrong(RawQueue queue) throws IOException {
        switch (attack.random.nextInt(9)) {
            case 0 -> {
                long entry = 64L * attack.random.nextInt(RawQueue.DEPTH);
                attack.log(attack.words.mutate(
                        REQUEST, queue.page.memory(), OperationPageDescriptor.requests(RawQueue.DEPTH, 0) + entry));
            }
            case 1 -> {
                if (returns != null) {
                    attack.log(attack.words.mutate(RETURN, returns.memory(), 0));
                }
            }
            case 2 -> registerWrong();
            case 3 -> registerStrange();
            case 4, 5 -> register(ProgramMutator.mutate(attack, right(attack)), true);
            case 6 -> {
                int handle = attack.random.nextBoolean() ? own : attack.random.nextInt();
                attack.log("CLOSE_FUNCTION " + (handle == own ? "" : handle));
                request(FunctionMessage.CLOSE_FUNCTION).handle(handle);
                calls.call("CLOSE_FUNCTION");
            }
            case 7 -> {
                attack.log("STOP_SERVING");
                request(FunctionMessage.STOP_SERVING);
                calls.callBriefly("STOP_SERVING");
            }
            default -> callWrong(queue);
        }
    }

    private void callWrong(RawQueue queue) {
        int function = attack.random.nextInt(3) == 0 ? attack.random.nextInt(1 << 18) : callee;
        int length = attack.random.nextBoolean() ? attack.random.nextInt() : attack.random.nextInt(BUFFER);
        long at = attack.random.nextBoolean() ? attack.random.nextLong() : attack.random.nextInt(BUFFER);
        long state = attack.random.nextInt(3) == 0 ? attack.random.nextLong() : attack.random.nextInt(2000);
        long flags = attack.random.nextInt(3) == 0 ? attack.random.nextLong() : attack.random.nextInt(32);
        attack.log("call of " + function + ", " + length + " bytes at " + at + ", state " + state + ", flags " + flags);
        queue.ring.post(OperationCode.CALL, ++id, function, state, length, buffer, at, flags, attack.random.nextLong());
    }

    /** A program that the driver must not take: it has no pages, or is not safe. */
    private void registerWrong() throws IOException {
        if (attack.random.nextBoolean()) {
            int length = 1 + attack.random.nextInt(FunctionMessage.MAX_PROGRAM);
            try (FileOfHoles holes = FileOfHoles.create(Memory.wholePages(length), SharedRegion.REQUIRED_SEALS)) {
                registration(5000, length);
                calls.mustBeRefused("a program of holes", holes.fd());
            }
            return;
        }
        byte[] program = FunctionPrograms.UNSAFE.bytes();
        try (SharedRegion memory = SharedRegion.create("pd-program", 4096, false)) {
            memory.allocate(0, memory.size());
            MemorySegment.copy(MemorySegment.ofArray(program), 0, memory.memory(), 0, program.length);
            registration(5002, program.length);
            calls.mustBeRefused("a program that is not safe", memory.fd());
        }
    }

    private void registerStrange() throws IOException {
        var strange = attack.strange.any(attack.random);
        attack.log("a program in " + strange.name());
        Fd fd = strange.fd();
        registration(5001, 1 + attack.random.nextInt(64 << 10));
        calls.call("REGISTER_FUNCTION in strange memory", fd);
    }
}
