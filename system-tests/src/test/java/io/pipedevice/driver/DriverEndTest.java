// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver process is killed: every call fails with the reason, no thread hangs, and the next driver serves. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class DriverEndTest {
    private static final String GONE = "ENODEV PD Driver is gone";

    @TempDir
    private Path directory;

    private final List<ChildJvm> children = new ArrayList<>();
    private ChildJvm driver;

    @BeforeEach
    void startDriver() throws IOException {
        driver = keep(DriverProcess.start(directory));
    }

    @AfterEach
    void endAll() {
        children.forEach(ChildJvm::close);
    }

    private ChildJvm keep(ChildJvm child) {
        children.add(child);
        return child;
    }

    private void kill() throws IOException {
        driver.kill();
        assertEquals(128 + 9, driver.awaitEnd());
    }

    @Test
    void bothEndsOfAStreamFailWithTheReason() throws Exception {
        ChildJvm server = keep(StreamProcess.start(directory, 1, 2, 0));
        ChildJvm client = keep(StreamProcess.start(directory, 2, 1, Integer.parseInt(server.expect("PORT"))));
        client.expect("READY");
        client.send("connect");
        try (DriverStat stat = DriverStat.open(directory)) {
            TestDriver.await("the stream", () -> TestDriver.counter(stat, CounterType.BYTES) > 50_000_000);
        }
        kill();
        for (ChildJvm child : List.of(server, client)) {
            for (String direction : List.of("FAILED", "FAILED")) {
                String problem = child.expect(direction);
                assertTrue(problem.contains(GONE), problem);
            }
            assertEquals(1, child.awaitEnd());
        }
    }

    @Test
    void everyBlockedCallEndsAndWhatHadArrivedIsReceived() throws Exception {
        ChildJvm child = keep(ChildJvm.start(BlockedProcess.class, directory.toString()));
        for (String call : BlockedProcess.WAITING) {
            awaitAsleep(child, call);
        }
        // A driver that does not run answers no requests.
        driver.signal("STOP");
        child.send("ask");
        for (String call : BlockedProcess.ASKING) {
            awaitAsleep(child, call);
        }
        kill();
        assertEquals(0, child.awaitEnd(), () -> "it said " + child.said());
        for (List<String> calls : List.of(BlockedProcess.WAITING, BlockedProcess.ASKING, BlockedProcess.LATER)) {
            for (String call : calls) {
                assertTrue(child.hasSaid(call + ": " + GONE), () -> call + ": it said " + child.said());
            }
        }
        assertTrue(child.hasSaid("received words"), () -> "it said " + child.said());
    }

    @Test
    void theNextDriverTakesOverWhatIsLeftInTheDirectory() throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory))) {
            kill();
            assertTrue(Files.exists(directory.resolve(DriverDirectory.SOCKET_NAME)), "nothing is left over");
            startDriver();
            try (RawPair pair = new RawPair(
                    RawClient.attach(TestDriver.endpoint(directory)),
                    RawClient.attach(TestDriver.endpoint(directory)))) {
                pair.exchange();
            }
            BlockedProcess.assertGone(device::socket);
        }
        try (DriverStat stat = DriverStat.open(directory)) {
            TestDriver.awaitNothingLeft(stat);
        }
    }

    /** Waits until a thread with this name sleeps in the kernel. */
    private static void awaitAsleep(ChildJvm child, String thread) throws IOException {
        TestDriver.await(thread + " to block", () -> isAsleep(child.pid(), thread), () -> "it said " + child.said());
    }

    private static boolean isAsleep(long pid, String thread) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks) {
                if (stat(task).contains("(" + thread + ") S")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String stat(Path task) {
        try {
            return Files.readString(task.resolve("stat"));
        } catch (IOException e) {
            // The thread ended after the directory was read, so it does not sleep.
            return "";
        }
    }
}
