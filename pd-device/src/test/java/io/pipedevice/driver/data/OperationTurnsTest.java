// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CompletionPageDescriptor;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.UserRule;
import io.pipedevice.driver.region.ArmedRing;
import io.pipedevice.driver.region.CallExecutor;
import io.pipedevice.driver.region.Need;
import io.pipedevice.driver.region.Operations;
import io.pipedevice.driver.region.RegionUser;
import io.pipedevice.driver.region.Rights;
import io.pipedevice.driver.share.Share;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ArmWord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The turns of queue pairs and of calls in a duty cycle; the calls only use time. */
class OperationTurnsTest {
    private static final int QUEUES = 8;
    private static final int DEPTH = 256;

    private final List<String> order = new ArrayList<>();
    private final List<UsedTime> calls = new ArrayList<>();
    private final List<AttachedProcess> processes = new ArrayList<>();
    private SimulatedDriver driver;
    private Operations operations;
    private long nowNs = 1;

    @BeforeEach
    void start() throws IOException {
        DmaEmulator device = new DmaEmulator(new DmaEmulator.Context());
        driver = new SimulatedDriver(device);
        OperationCopies copies = new OperationCopies(device, driver.copies, driver.completions, driver.counters);
        operations = new Operations(
                new Rights(new UserRule(true, DataPath.DEVICE)), copies, new FaultyProcesses(), driver.counters);
        operations.calls(user -> {
            UsedTime made = new UsedTime(user);
            calls.add(made);
            return made;
        });
    }

    @AfterEach
    void end() {
        operations.closeAll();
        driver.close();
    }

    /** A process that always has a call at the device. */
    private RegionUser caller() throws IOException {
        AttachedProcess process = driver.attach().process();
        processes.add(process);
        RegionUser user = operations.user(process);
        user.calls();
        return user;
    }

    private void cycle() {
        driver.requests.takeTurns(processes, List.of(), nowNs);
        operations.run(nowNs);
        operations.ring();
    }

    /** Calls, of which there is always one, that use a turn up. */
    private final class UsedTime implements CallExecutor {
        private final RegionUser user;
        private int turns;
        private long limitNs = Long.MAX_VALUE;
        private boolean hasRoom = true;
        private Caller waiting;

        UsedTime(RegionUser user) {
            this.user = user;
        }

        @Override
        public boolean wantsTurn() {
            return true;
        }

        @Override
        public Need turn() {
            order.add("calls");
            turns++;
            long end = System.nanoTime() + Share.SOCKET_TURN_NS;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            user.process.share.ran(Share.SOCKET_TURN_NS);
            return Need.TURN;
        }

        @Override
        public boolean hasRoom(Caller caller, OperationRequest operation) {
            waiting = caller;
            return hasRoom;
        }

        @Override
        public void begin(OperationRequest operation, Caller caller, long nowNs) {
            throw new AssertionError("a call");
        }

        @Override
        public void look(long nowNs) {
            user.filled(new ArmedRing(user.process) {
                @Override
                protected long arm() {
                    order.add("doorbell");
                    return ArmWord.DISARMED;
                }
            });
        }

        @Override
        public long limitNs(long nowNs) {
            return limitNs - nowNs;
        }

        @Override
        public boolean hasReturns() {
            return false;
        }

        @Override
        public void leave() {}
    }

    @Test
    void theThreadOfAnOwnerIsWokenBeforeCallsRunAtTheDevice() throws IOException {
        caller();
        cycle();
        assertEquals(List.of("doorbell", "calls"), order);
    }

    @Test
    void aDutyCycleDoesNotWaitUntilTheCallsOfEachProcessHadTheirTurn() throws IOException {
        for (int i = 0; i < 64; i++) {
            caller();
        }
        cycle();
        long first = order.stream().filter("calls"::equals).count();
        assertTrue(first >= 1 && first < 32, "turns " + first);
        for (int i = 0; i < 400; i++) {
            cycle();
        }
        int least = calls.stream().mapToInt(each -> each.turns).min().orElseThrow();
        int most = calls.stream().mapToInt(each -> each.turns).max().orElseThrow();
        assertTrue(least > 0 && most - least <= 1, "from " + least + " to " + most);
    }

    /** Queue pairs of a process, without requests. */
    private OperationProducer[] open(RegionUser user) throws IOException {
        SharedRegion page = SharedRegion.create("page", OperationPageDescriptor.length(DEPTH, QUEUES), false);
        SharedRegion completions = SharedRegion.create("done", CompletionPageDescriptor.length(DEPTH, QUEUES), false);
        user.open(page, completions, QUEUES, DEPTH);
        OperationProducer[] rings = new OperationProducer[QUEUES];
        for (int queue = 0; queue < QUEUES; queue++) {
            rings[queue] = new OperationProducer(page.memory(), completions.memory(), DEPTH, queue);
        }
        return rings;
    }

    /** As many requests as there may be, which together cost more than the credit of some rounds. */
    private static void fill(OperationProducer[] rings) {
        for (OperationProducer ring : rings) {
            while (ring.poll()) {
                // The place in the ring is free now.
            }
            while (ring.post(OperationCode.FENCE, 0, 0, 0, 0, 0, 0, 0, 0)) {
                // Until there are as many as there may be.
            }
            ring.announce();
        }
    }

    @Test
    void requestsThatUseTheCreditOfEachRoundUpLeaveATurnToCalls() throws IOException {
        OperationProducer[] rings = open(caller());
        for (int i = 0; i < 100; i++) {
            fill(rings);
            cycle();
        }
        int turns = calls.getFirst().turns;
        assertTrue(turns >= 20, "turns " + turns);
    }

    @Test
    void theyDoSoAlsoAmongManyProcessesWithCalls() throws IOException {
        OperationProducer[] rings = open(caller());
        for (int i = 0; i < 63; i++) {
            caller();
        }
        for (int i = 0; i < 2000; i++) {
            fill(rings);
            cycle();
        }
        int turns = calls.getFirst().turns;
        int others = calls.getLast().turns;
        assertTrue(turns >= others / 8, "turns " + turns + ", of others " + others);
    }

    @Test
    void aCallThatWaitsForRoomEndsInItsTime() throws IOException {
        OperationProducer ring = open(caller())[0];
        calls.getFirst().hasRoom = false;
        long flags = CallFlags.limit(5000);
        assertTrue(ring.post(OperationCode.CALL, 7, 0, 0, 0, 0, 0, flags, 0));
        ring.announce();
        cycle();
        assertFalse(ring.poll());
        calls.getFirst().waiting.roomForCalls();
        nowNs = 5001;
        cycle();
        assertTrue(ring.poll());
        assertEquals(7, ring.id());
        assertEquals(OperationStatus.TIME, ring.status());
        assertEquals(5001, ring.delayNs());
    }

    @Test
    void theDriverDoesNotSleepLongerThanUntilACallHasToEnd() throws IOException {
        caller();
        caller();
        assertEquals(Long.MAX_VALUE, operations.waitNs(0));
        calls.get(1).limitNs = 77;
        assertEquals(70, operations.waitNs(7));
    }
}
