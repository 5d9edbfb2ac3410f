// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.CallCompletion;
import io.pipedevice.active.Calls;
import io.pipedevice.active.Function;
import io.pipedevice.active.FunctionDefinition;
import io.pipedevice.active.Grant;
import io.pipedevice.active.OperationException;
import io.pipedevice.active.Place;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.active.Right;
import io.pipedevice.active.Status;
import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.active.operation.ReturnPageDescriptor;
import io.pipedevice.active.operation.ServerLane;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages, requests, states and returns that no honest process makes: they harm the driver and other processes in
 * nothing.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FunctionHostileTest {
    private static final int SIZE = 8192;
    private static final int BUFFER = 1 << 15;

    private TestDriver driver;
    private RawClient hostile;
    private Regions honest;
    private Region table;
    private Function count;

    @BeforeEach
    void start() throws IOException {
        driver = new TestDriver();
        hostile = RawClient.attach(driver.driver);
        honest = Regions.attach(driver.driver);
        table = honest.register("table", SIZE, Grant.anyone(Right.READ));
        count = honest.register(definition("count"), Grant.anyone(Right.CALL));
    }

    private FunctionDefinition definition(String name) {
        return new FunctionDefinition(
                name, 1, FunctionPrograms.COUNT.bytes(), FunctionPrograms.MESSAGE, List.of(table), 10_000);
    }

    @AfterEach
    void othersGoOnAndNothingIsLeft() throws IOException {
        try (RemoteFunction remote = honest.findFunction("count");
                Calls calls = honest.calls(1)) {
            MemorySegment message = calls.message(remote);
            message.set(ValueLayout.JAVA_LONG, 0, 3);
            message.set(ValueLayout.JAVA_LONG, 8, 64);
            long before = table.memory().get(ValueLayout.JAVA_LONG, 64);
            assertEquals(before + 2, calls.call(remote, message, Place.DEVICE));
        }
        count.close();
        table.close();
        honest.close();
        hostile.close();
        driver.awaitNothingLeft();
        driver.close();
    }

    private static String refused(org.junit.jupiter.api.function.Executable step) {
        return Errno.name(assertThrows(RawException.class, step).errno);
    }

    private FunctionMessage request(int type) {
        return new FunctionMessage(hostile.request(type));
    }

    private int region(long size) throws IOException {
        try (LentRegion memory = LentRegion.create("pd-test", size)) {
            return region(memory);
        }
    }

    private int region(LentRegion memory) throws IOException {
        new RegionMessage(hostile.request(RegionMessage.REGISTER)).size(memory.size());
        return new RegionMessage(hostile.call(memory.fd())).handle();
    }

    private int register(int version, int length, long fuel, int regions, int region, byte[] program, long size)
            throws IOException {
        try (SharedRegion memory = SharedRegion.create("pd-test", 4096, false)) {
            memory.allocate(0, memory.size());
            MemorySegment.copy(MemorySegment.ofArray(program), 0, memory.memory(), 0, program.length);
            request(FunctionMessage.REGISTER_FUNCTION)
                    .version(version)
                    .messageLength(length)
                    .fuel(fuel)
                    .regions(regions)
                    .region(0, region)
                    .texts("f", "")
                    .size(size);
            return new FunctionMessage(hostile.call(memory.fd())).handle();
        }
    }

    @Test
    void registrationsThatMakeNoSenseAreRefused() throws IOException {
        byte[] good = FunctionPrograms.COUNT.bytes();
        int own = region(4096);
        assertEquals("EINVAL", refused(() -> register(0, 32, 100, 1, own, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 0, 100, 1, own, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 1 << 20, 100, 1, own, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 32, 0, 1, own, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 32, Long.MAX_VALUE, 1, own, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 32, 100, -1, own, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 32, 100, 1 << 20, own, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 32, 100, 1, own + 1, good, good.length)));
        assertEquals("EINVAL", refused(() -> register(1, 32, 100, 1, own, good, -1)));
        assertEquals("EINVAL", refused(() -> register(1, 32, 100, 1, own, good, 1 << 30)));
        assertEquals("EINVAL", refused(() -> register(1, 32, 100, 1, own, good, 8192)));
        assertEquals("ENOEXEC", refused(() -> register(1, 32, 100, 1, own, good, 7)));
        Random random = new Random(5);
        for (int i = 0; i < 20; i++) {
            byte[] garbage = new byte[8 * (1 + random.nextInt(100))];
            random.nextBytes(garbage);
            if (i % 2 == 0) {
                garbage[0] = 0x7f;
                garbage[1] = 'E';
                garbage[2] = 'L';
                garbage[3] = 'F';
            }
            assertEquals("ENOEXEC", refused(() -> register(1, 32, 100, 1, own, garbage, garbage.length)));
        }
        register(1, 32, 100, 1, own, good, good.length);
        assertEquals("EEXIST", refused(() -> register(1, 32, 100, 1, own, good, good.length)));
    }

    @Test
    void handlesOfOthersMeanNothing() throws IOException {
        int[] types = {
            FunctionMessage.GRANT_FUNCTION,
            FunctionMessage.CLOSE_FUNCTION,
            FunctionMessage.RELEASE_FUNCTION,
            FunctionMessage.PROGRAM_OF,
            FunctionMessage.REGION_OF,
            FunctionMessage.STOP_SERVING
        };
        for (int type : types) {
            for (int handle : new int[] {0, 1, 0x10000, 0x10001, -1, Integer.MIN_VALUE}) {
                assertEquals("EINVAL", refused(() -> {
                    request(type).handle(handle);
                    hostile.call();
                }));
            }
        }
    }

    private int find() throws IOException {
        request(FunctionMessage.FIND_FUNCTION).version(0).texts("count", "").subject(RegionMessage.ANYONE, 0);
        return new FunctionMessage(hostile.call()).handle();
    }

    @Test
    void aStateIsTakenOnlyFromAProcessWithTheRightsToTheRegionsAndOnlyIfItIsOne() throws IOException {
        Random random = new Random(7);
        try (RawQueue queue = new RawQueue(hostile);
                LentRegion memory = LentRegion.create("pd-test", BUFFER)) {
            int buffer = region(memory);
            int function = find();
            assertTrue(queue.ring.post(OperationCode.CALL, 1, function, 64, 4096, buffer, 0, CallFlags.RESUME, 0));
            assertEquals(OperationStatus.DENIED, queue.status());
            table.grant(Grant.anyone(Right.READ, Right.WRITE, Right.ATOMIC));
            for (int i = 0; i < 2000; i++) {
                for (long at = 0; at < 1024; at += 8) {
                    long word = random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(64);
                    memory.memory().set(ValueLayout.JAVA_LONG, at, word);
                }
                int state = random.nextInt(1200);
                assertTrue(queue.ring.post(
                        OperationCode.CALL, i, function, state, 4096, buffer, 8L * (i % 2), CallFlags.RESUME, 0));
                int status = queue.status();
                assertTrue(status >= OperationStatus.OK && status <= OperationStatus.MOST, "status " + status);
            }
        }
    }

    @Test
    void anyRequestsReachNothing() throws IOException {
        Random random = new Random(9);
        try (RawQueue queue = new RawQueue(hostile)) {
            int buffer = region(BUFFER);
            int function = find();
            int[] handles = {function, buffer, 0, -1, function + 1};
            for (int i = 0; i < 20_000; i++) {
                boolean posted = queue.ring.post(
                        OperationCode.CALL,
                        i,
                        handles[random.nextInt(handles.length)],
                        random.nextInt(2) == 0 ? random.nextLong() : random.nextInt(100),
                        random.nextInt(2) == 0 ? random.nextInt() : 32,
                        handles[random.nextInt(handles.length)],
                        random.nextInt(2) == 0 ? random.nextLong() : random.nextInt(BUFFER),
                        random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(32),
                        random.nextLong());
                if (!posted) {
                    int status = queue.status();
                    assertTrue(status >= OperationStatus.OK && status <= OperationStatus.MOST, "status " + status);
                }
            }
        }
    }

    private SharedRegion[] serve(int lanes, int depth, int room) throws IOException {
        SharedRegion returns =
                SharedRegion.create("pd-returns", ReturnPageDescriptor.length(lanes, depth, Math.max(0, room)), false);
        returns.allocate(0, returns.size());
        try {
            request(FunctionMessage.SERVE)
                    .messageLength(room)
                    .queues(lanes, depth)
                    .size(returns.size());
            ControlMessage answer = hostile.call(returns.fd());
            return new SharedRegion[] {
                SharedRegion.attach(hostile.received(), new RegionMessage(answer).size()), returns
            };
        } catch (IOException e) {
            returns.close();
            throw e;
        }
    }

    @Test
    void lanesOfAnotherNumberOrSizeAreRefused() {
        assertEquals("EINVAL", refused(() -> serve(CallPageDescriptor.MAX_LANES + 1, 32, 64)));
        assertEquals("EINVAL", refused(() -> serve(1, 3, 64)));
        assertEquals("EINVAL", refused(() -> serve(1, 128, 64)));
        assertEquals("EINVAL", refused(() -> serve(1, 32, 65)));
        assertEquals("EINVAL", refused(() -> serve(1, 32, CallPageDescriptor.MAX_ROOM + 64)));
    }

    @Test
    void aProcessThatReturnsACallThatItHasNotIsDetachedAndItsCallsEnd() throws IOException {
        byte[] program = FunctionPrograms.COUNT.bytes();
        int own = register(1, 32, 100, 1, region(4096), program, program.length);
        request(FunctionMessage.GRANT_FUNCTION)
                .handle(own)
                .rights(RegionMessage.CALL)
                .subject(RegionMessage.ANYONE, 0)
                .text("");
        hostile.call();
        request(FunctionMessage.FIND_FUNCTION).version(0).texts("f", "").subject(RegionMessage.ANYONE, 0);
        int room = CallPageDescriptor.room(32, new FunctionMessage(hostile.call()).stateLength());
        SharedRegion[] pages = serve(1, 32, room);
        try (Calls calls = honest.calls(4);
                RemoteFunction f = honest.findFunction("f")) {
            ServerLane lane = new ServerLane(pages[0].memory(), pages[1].memory(), 32, room, 0);
            CallCompletion completion = new CallCompletion();
            MemorySegment message = calls.message(f);
            assertTrue(calls.post(1, f, message, Place.HOST));
            calls.flush();
            TestDriver.await("the call", lane::take);
            lane.post(lane.number(), 77, OperationStatus.OK, 0, -1);
            hostile.wakeDriver();
            assertTrue(calls.await(completion, TestDriver.PATIENCE_NS));
            assertEquals(77, completion.result());
            for (int status : new int[] {-1, 99, OperationStatus.MOVED}) {
                assertTrue(calls.post(2, f, message, Place.HOST));
                calls.flush();
                TestDriver.await("the call", lane::take);
                lane.post(lane.number(), 1, status, 8, 0);
                hostile.wakeDriver();
                assertTrue(calls.await(completion, TestDriver.PATIENCE_NS));
                assertEquals(status == OperationStatus.MOVED ? Status.STATE : Status.FAULT, completion.status());
            }
            assertTrue(calls.post(3, f, message, Place.HOST));
            calls.flush();
            TestDriver.await("the call", lane::take);
            lane.post(lane.number() + 32, 1, OperationStatus.OK, 0, 0);
            hostile.wakeDriver();
            assertTrue(calls.await(completion, TestDriver.PATIENCE_NS));
            assertEquals(Status.GONE, completion.status());
            assertThrows(OperationException.class, () -> calls.call(f, message, Place.DEVICE));
            driver.awaitCounter(CounterType.DETACHED, 1);
        } finally {
            pages[0].close();
            pages[1].close();
        }
    }
}
