// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.PidFd;
import io.pipedevice.linux.Poll;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes are killed in the middle of a transfer or of a set-up: their peers are notified promptly, and the driver
 * keeps none of their resources.
 */
@Tag("processes")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class KillTest {
    private static final int ROUNDS = Integer.getInteger("pipedevice.test.kill.rounds", 20);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private static final int PREPARED = 2;
    private static final int MAX_BYTES = 8 << 20;
    private static final long PATIENCE_MS = 30_000;

    private final Random random = new Random(SEED);
    private final ArrayDeque<ChildJvm> prepared = new ArrayDeque<>();

    @TempDir
    private Path directory;

    /** How and when a stream ended for the surviving process. */
    private record Ending(String how, long ns) {}

    @Test
    void peersOfAKilledProcessAreNotifiedAndNothingOfItStays() throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + SEED + " -Dpipedevice.test.kill.rounds=" + ROUNDS);
        List<Long> afterKill = new ArrayList<>();
        List<Long> afterEnd = new ArrayList<>();
        try (ChildJvm driver = DriverProcess.start(directory);
                DriverStat stat = DriverStat.open(directory)) {
            int fds = TestFds.kernelObjects(driver.pid());
            try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory));
                    PdSocket listener = device.socket()) {
                listener.bind(TestDriver.loopback(0));
                listener.listen(1);
                for (int round = 0; round < ROUNDS; round++) {
                    prepare(listener.localAddress().getPort(), round);
                    try (ChildJvm victim = prepared.poll()) {
                        kill(victim, listener, round, afterKill, afterEnd);
                        awaitNothingOf(victim, stat);
                    }
                }
            } finally {
                prepared.forEach(ChildJvm::close);
            }
            TestDriver.awaitNothingLeft(stat);
            awaitFds(driver, fds);
        }
        System.out.println("notified after kill(2): " + figures(afterKill));
        System.out.println("notified after the end of the process: " + figures(afterEnd));
    }

    /**
     * Starts the processes of this round and of the next ones: in even rounds the process sends, in odd ones it
     * receives.
     */
    private void prepare(int port, int round) throws IOException {
        while (prepared.size() < PREPARED && round + prepared.size() < ROUNDS) {
            int next = round + prepared.size();
            prepared.add(StreamProcess.start(
                    directory, next % 2 == 0 ? SEED + next : 0, next % 2 == 0 ? 0 : SEED + next, port));
        }
    }

    private void kill(ChildJvm victim, PdSocket listener, int round, List<Long> afterKill, List<Long> afterEnd)
            throws Exception {
        boolean receives = round % 2 == 0;
        victim.expect("READY");
        victim.send("connect");
        PatternStream stream = new PatternStream(SEED + round);
        try (PdSocket socket = listener.accept(TestDriver.PATIENCE_NS);
                PidFd pid = PidFd.open((int) victim.pid())) {
            CompletableFuture<Ending> ending = CompletableFuture.supplyAsync(() -> stream(socket, stream, receives));
            long enough = random.nextInt(MAX_BYTES);
            TestDriver.await("the transfer", () -> stream.position() >= enough || ending.isDone());
            Poll gone = new Poll(1);
            gone.add(pid.fd(), Poll.IN);
            long killedNs = System.nanoTime();
            victim.kill();
            assertTrue(gone.await(PATIENCE_MS) > 0, "it does not die");
            long endedNs = System.nanoTime();
            Ending end = ending.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            String how = "round " + round + " after " + stream.position() + " bytes: " + end.how();
            assertTrue(end.ns() > killedNs, how);
            assertTrue(end.how().equals("Connection reset") || end.how().equals(receives ? "end" : "Broken pipe"), how);
            afterKill.add(end.ns() - killedNs);
            // The kernel closes a process's descriptors before it notifies the parent.
            afterEnd.add(Math.max(0, end.ns() - endedNs));
        }
    }

    private static Ending stream(PdSocket socket, PatternStream stream, boolean receives) {
        try {
            if (receives) {
                stream.receive(socket);
            } else {
                stream.send(socket, () -> true);
            }
            return new Ending("end", System.nanoTime());
        } catch (PdException e) {
            return new Ending(e.getMessage(), System.nanoTime());
        }
    }

    private static void awaitNothingOf(ChildJvm victim, DriverStat stat) {
        TestDriver.awaitCounter(stat, CounterType.CONNECTIONS, 0);
        TestDriver.await(
                "nothing of " + victim.pid(),
                () -> stat.values().stream().noneMatch(value -> value.label().endsWith(" pid " + victim.pid())));
    }

    private static void awaitFds(ChildJvm driver, int expected) {
        TestDriver.await(
                "the driver's descriptors to be " + expected,
                () -> TestFds.kernelObjects(driver.pid()) == expected,
                () -> "they are " + TestFds.kernelObjects(driver.pid()));
    }

    private static String figures(List<Long> ns) {
        Collections.sort(ns);
        return String.format(
                "median %.2f ms, most %.2f ms of %d", ns.get(ns.size() / 2) / 1e6, ns.getLast() / 1e6, ns.size());
    }

    @Test
    void aProcessThatIsKilledWhileItSetsUpLeavesNothing() throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + SEED + " -Dpipedevice.test.kill.rounds=" + ROUNDS);
        try (ChildJvm driver = DriverProcess.start(directory);
                DriverStat stat = DriverStat.open(directory)) {
            int fds = TestFds.kernelObjects(driver.pid());
            try (OpenHouse house = new OpenHouse(DriverDirectory.at(directory))) {
                for (int round = 0; round < (ROUNDS + 3) / 4; round++) {
                    try (ChildJvm victim =
                            ChildJvm.start(Restless.class, directory.toString(), Integer.toString(house.port()))) {
                        victim.expect("CONNECTED");
                        LockSupport.parkNanos(random.nextInt(20_000_000));
                        victim.kill();
                        victim.awaitEnd();
                        TestDriver.await(
                                "nothing of " + victim.pid(),
                                () -> stat.values().stream()
                                        .noneMatch(value -> value.label().endsWith(" pid " + victim.pid())));
                    }
                }
            }
            TestDriver.awaitNothingLeft(stat);
            awaitFds(driver, fds);
        }
    }

    /** A process that attaches, listens, connects and accepts, again and again. */
    static final class Restless {
        private Restless() {}

        public static void main(String[] arguments) throws IOException {
            int port = Integer.parseInt(arguments[1]);
            Thread watch = new Thread(Restless::endWithInput);
            watch.setDaemon(true);
            watch.start();
            while (true) {
                try (PipeDevice device = PipeDevice.init(DriverDirectory.at(Path.of(arguments[0])));
                        PdSocket listener = device.socket();
                        PdSocket out = device.socket();
                        PdSocket own = device.socket()) {
                    listener.bind(TestDriver.loopback(0));
                    listener.listen(4);
                    own.connect(listener.localAddress());
                    out.connect(TestDriver.loopback(port));
                    System.out.println("CONNECTED");
                    listener.accept(TestDriver.PATIENCE_NS).close();
                }
            }
        }

        private static void endWithInput() {
            try {
                System.in.read();
            } catch (IOException e) {
                System.out.println(e);
            }
            Runtime.getRuntime().halt(3);
        }
    }
}
