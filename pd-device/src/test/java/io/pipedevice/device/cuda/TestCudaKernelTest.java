// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.cuda.TestCuda.Counter;
import io.pipedevice.device.cuda.TestCuda.Fault;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link TestCuda}'s kernel and its faults. */
@Timeout(100)
final class TestCudaKernelTest extends TestCudaFixture {
    private long context;
    private TestLane lane;

    @BeforeEach
    void begin() {
        context = context();
        lane = new TestLane(this);
    }

    private void launch() {
        assertEquals(0, lane.launch());
        assertEquals(1, cuda.count(Counter.LAUNCHES));
    }

    private void await(Counter counter, long value) {
        Awaitility.await().until(() -> cuda.count(counter) == value);
    }

    private void awaitRunning() {
        await(Counter.KERNELS, 1);
    }

    @Test
    void theKernelCopiesInRoundsThroughItsQueueUntilItIsStopped() {
        launch();
        for (int p = 0; p < 100; p++) {
            lane.submit(p * 40L, p % 41);
            lane.awaitDone(p);
            lane.assertCopied(p * 40L, p % 41);
        }
        assertEquals(600, call("cuStreamQuery", lane.stream));
        assertFalse(lane.isEnded());
        lane.stop();
        succeed("cuStreamSynchronize", lane.stream);
        assertTrue(lane.isEnded());
        assertEquals(0, cuda.count(Counter.KERNELS));
    }

    @Test
    void aLaunchGoesOnAtItsPosition() {
        launch();
        lane.submit(0, 8);
        lane.awaitDone(0);
        lane.stop();
        lane.awaitEnd();
        lane.queue.asSlice(32 * 8 + 8 * 8).fill((byte) 0);
        assertEquals(0, lane.launch());
        lane.submit(8, 8);
        lane.awaitDone(1);
        assertTrue(lane.isDone(0));
    }

    @Test
    void entriesThatAreThereBeforeTheLaunchAreCopied() {
        for (int p = 0; p < 8; p++) {
            lane.submit(p * 512L, 512);
        }
        lane.rewind();
        launch();
        lane.awaitDone(7);
        lane.assertCopied(0, 4096);
    }

    @Test
    void theKernelEndsWhenNothingComes() {
        lane.idle = TimeUnit.MILLISECONDS.toNanos(1);
        launch();
        lane.awaitEnd();
        succeed("cuStreamSynchronize", lane.stream);
    }

    @Test
    void theKernelEndsWhenItsTurnIsOver() {
        lane.turn = TimeUnit.MILLISECONDS.toNanos(1);
        launch();
        lane.awaitEnd();
        succeed("cuStreamSynchronize", lane.stream);
    }

    @Test
    void aBlockThatIsEmptyTooLargeOrNotOfWholeWarpsIsRefused() {
        for (int threads : new int[] {0, 33, 1056}) {
            lane.threads = threads;
            assertEquals(1, lane.launch());
        }
        assertEquals(0, cuda.count(Counter.LAUNCHES));
    }

    @Test
    void anEntryWithAnAddressThatIsNotRegisteredLosesTheContext() {
        launch();
        lane.submit(0, 8);
        lane.submit(lane.source.address(), lane.destination.address() + 1, TestLane.BLOCK);
        Awaitility.await().pollInSameThread().until(() -> call("cuStreamQuery", lane.stream) == 700);
        await(Counter.KERNELS, 0);
        assertTrue(lane.isDone(0));
        assertFalse(lane.isDone(1));
        assertFalse(lane.isEnded());
        assertEquals(0, lane.destination.get(JAVA_LONG, 8));
    }

    @Test
    void aQueueThatIsNotRegisteredLosesTheContext() {
        succeed("cuMemHostUnregister", lane.queue);
        launch();
        assertEquals(700, call("cuStreamSynchronize", lane.stream));
    }

    @Test
    void memoryIsUnregisteredWhenNoKernelRuns() throws Exception {
        MemorySegment other = registered(64);
        launch();
        awaitRunning();
        CompletableFuture<Boolean> endedBefore = elsewhere(() -> {
            succeed("cuCtxSetCurrent", context);
            succeed("cuMemHostUnregister", other);
            return lane.isEnded();
        });
        // Time for it to do wrong.
        TimeUnit.MILLISECONDS.sleep(20);
        lane.stop();
        assertTrue(endedBefore.get(45, TimeUnit.SECONDS));
    }

    @Test
    void aStreamWaitsForAnEventOfAnotherOneAndOthersGoOn() {
        MemorySegment word = registered(16);
        long event = make("cuEventCreate", 2);
        long waiting = stream();
        long free = stream();
        succeed("cuStreamWaitEvent", free, event, 0);
        launch();
        succeed("cuEventRecord", event, lane.stream);
        succeed("cuStreamWaitEvent", waiting, event, 0);
        succeed("cuEventDestroy_v2", event);
        succeed("cuStreamWriteValue64_v2", waiting, word.address(), 1L, 0);
        succeed("cuStreamWriteValue64_v2", free, word.address() + 8, 2L, 0);
        succeed("cuStreamSynchronize", free);
        assertEquals(2, word.get(JAVA_LONG, 8));
        assertEquals(600, call("cuStreamQuery", waiting));
        assertEquals(0, word.get(JAVA_LONG, 0));
        lane.stop();
        succeed("cuStreamSynchronize", waiting);
        assertEquals(1, word.get(JAVA_LONG, 0));
        assertTrue(lane.isEnded());
    }

    @Test
    void streamsRunKernelsAtTheSameTime() {
        TestLane second = new TestLane(this);
        launch();
        assertEquals(0, second.launch());
        await(Counter.KERNELS, 2);
    }

    @Test
    void theEndOfAContextEndsAKernelThatHangs() {
        cuda.plan(Fault.HANG_LAUNCHES, 1);
        launch();
        awaitRunning();
        lane.submit(0, 8);
        lane.stop();
        assertEquals(600, call("cuStreamQuery", lane.stream));
        succeed("cuCtxDestroy_v2", context);
        assertEquals(0, cuda.count(Counter.KERNELS));
        assertFalse(lane.isDone(0));
        assertFalse(lane.isEnded());
    }

    @Test
    void aThreadThatWaitsForAKernelFindsThatItsContextIsDestroyed() throws Exception {
        launch();
        CompletableFuture<Integer> result = elsewhere(() -> {
            succeed("cuCtxSetCurrent", context);
            return call("cuStreamSynchronize", lane.stream);
        });
        awaitRunning();
        TimeUnit.MILLISECONDS.sleep(20);
        succeed("cuCtxDestroy_v2", context);
        assertEquals(709, result.get(45, TimeUnit.SECONDS));
    }

    @Test
    void aStalledKernelGoesOnWithoutCopying() {
        cuda.plan(Fault.STALL_AFTER, 2);
        launch();
        for (int p = 0; p < 3; p++) {
            lane.submit(p * 8L, 8);
        }
        lane.awaitDone(1);
        assertFalse(lane.isDone(2));
        assertEquals(600, call("cuStreamQuery", lane.stream));
        lane.stop();
        lane.awaitEnd();
        assertFalse(lane.isDone(2));
        assertEquals(16, cuda.count(Counter.BYTES_COPIED));
    }

    @Test
    void theContextIsLostAtThePlannedCommand() {
        cuda.plan(Fault.LOSE_AT_COMMAND, 3);
        launch();
        for (int p = 0; p < 5; p++) {
            lane.submit(p * 8L, 8);
        }
        assertEquals(719, call("cuStreamSynchronize", lane.stream));
        assertTrue(lane.isDone(1));
        assertFalse(lane.isDone(2));
        await(Counter.KERNELS, 0);
        assertFalse(lane.isEnded());
    }

    @Test
    void aCompletionComesAfterThePlannedTime() {
        cuda.plan(Fault.LATE_MILLIS, TimeUnit.HOURS.toMillis(1));
        launch();
        lane.submit(0, 8);
        await(Counter.BYTES_COPIED, 8);
        assertFalse(lane.isDone(0));
        succeed("cuCtxDestroy_v2", context);
        assertFalse(lane.isDone(0));
    }

    @Test
    void aCompletionIsNotLateForEver() {
        cuda.plan(Fault.LATE_MILLIS, 1);
        launch();
        lane.submit(0, 8);
        lane.awaitDone(0);
    }
}
