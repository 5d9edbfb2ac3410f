// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What a policy's file says of the device, for the container to which this JVM belongs. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PolicyTest {
    private static final int RING = RawSocket.RING;

    @TempDir
    private Path directory;

    private TestDriver driver(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), text);
        return new TestDriver(new DriverContext().policy(file));
    }

    /** Changes the file, and waits until the driver follows it. */
    private void change(TestDriver driver, String text) throws IOException {
        long before = driver.counter(CounterType.POLICY_RELOADS);
        Files.writeString(directory.resolve("policy.yaml"), text);
        driver.awaitCounter(CounterType.POLICY_RELOADS, before + 1);
    }

    private static String refused(int errno, Executable step) {
        RawException refused = assertThrows(RawException.class, step);
        assertEquals(Errno.name(errno), Errno.name(refused.errno), refused.getMessage());
        return refused.getMessage();
    }

    @Test
    void aRuleRefusesAndAnotherOnePermitsWhileOpenConnectionsGoOn() throws IOException {
        try (TestDriver driver = driver("default: device");
                RawPair pair = new RawPair(driver)) {
            change(driver, "rules:\n- same: network-namespace\n  path: kernel\ndefault: device");
            String why = refused(Errno.EPERM, () -> pair.client.socket().connect(pair.listener.local, RING, RING));
            assertTrue(why.contains("line 2"), why);
            pair.exchange();
            change(driver, "default: direct");
            pair.client.socket().connect(pair.listener.local, RING, RING);
        }
    }

    @Test
    void aTextThatIsNoPolicyChangesNothing() throws IOException {
        try (TestDriver driver = driver("default: kernel");
                RawClient client = driver.attach()) {
            RawSocket listener = client.listen(TestDriver.loopback(0), 1, RING);
            Files.writeString(directory.resolve("policy.yaml"), "default: device\nrule: []");
            driver.awaitCounter(CounterType.POLICY_FAILURES, 1);
            refused(Errno.EPERM, () -> client.socket().connect(listener.local, RING, RING));
            assertEquals(0, driver.counter(CounterType.POLICY_RELOADS));
        }
    }

    @Test
    void aFileThatIsNoPolicyEndsTheStart() {
        String message = assertThrows(IllegalArgumentException.class, () -> driver("default: kernel\nrule: []"))
                .getMessage();
        assertTrue(message.startsWith("pipedevice.driver.policy: " + directory), message);
        assertTrue(message.contains("policy.yaml:2: unknown key rule"), message);
        String word = assertThrows(
                        IllegalArgumentException.class, () -> new DriverContext().set(DriverOption.POLICY, "some"))
                .getMessage();
        assertTrue(word.contains("same-user, any, or a file"), word);
    }

    /** All attachments of this JVM are one container; each connection has two ends in it. */
    @Test
    void connectionsOfAContainer() throws IOException {
        try (TestDriver driver = driver("default: device\nlimits:\n- {of: any, connections: 5}");
                RawPair first = new RawPair(driver);
                RawPair second = new RawPair(driver)) {
            String why =
                    refused(Errno.ECONNREFUSED, () -> first.client.socket().connect(second.listener.local, RING, RING));
            assertTrue(why.contains("policy"), why);
            change(driver, "default: device\nlimits:\n- {of: any, connections: 4}");
            refused(Errno.ENOBUFS, () -> first.client.socket().connect(second.listener.local, RING, RING));
            second.exchange();
            change(driver, "default: device\nlimits:\n- {of: any, connections: 6}");
            first.client.socket().connect(second.listener.local, RING, RING);
            second.near.close();
            second.far.close();
            driver.awaitCounter(CounterType.CONNECTIONS, 2);
            first.client.socket().connect(second.listener.local, RING, RING);
        }
    }

    @Test
    void memoryOfAContainer() throws IOException {
        long max = 8 << 20;
        try (TestDriver driver = driver("default: device\nlimits:\n- {of: any, memory: 8m}")) {
            try (RawClient one = driver.attach();
                    RawClient two = driver.attach()) {
                long pages = one.libPage.size() + two.libPage.size();
                int region = one.addRegion(max / 2);
                String why = refused(Errno.ENOBUFS, () -> two.addRegion(max / 2));
                assertTrue(why.contains("the policy allows the container " + max + " bytes"), why);
                two.addRegion(max / 2 - pages);
                refused(Errno.ENOBUFS, driver::attach);
                one.removeRegion(region);
                TestDriver.await("the region to be unmapped", () -> {
                    try {
                        one.addRegion(max / 2);
                        return true;
                    } catch (RawException e) {
                        return false;
                    }
                });
                change(driver, "default: device");
                one.addRegion(max / 2);
            }
            driver.awaitNothingLeft();
            change(driver, "default: device\nlimits:\n- {of: any, memory: 8m}");
            try (RawPair pair = new RawPair(driver)) {
                pair.client.socket().connect(pair.listener.local, RING, 4 << 20);
                String why =
                        refused(Errno.ENOBUFS, () -> pair.client.socket().connect(pair.listener.local, RING, 4 << 20));
                assertTrue(why.contains("the policy allows the container"), why);
            }
        }
    }

    @Test
    void theRateOfAContainerHoldsForAllItsAttachmentsAtOnce() throws IOException {
        long rate = 4 << 20;
        try (TestDriver driver = driver("default: device");
                RawPair one = new RawPair(driver);
                RawPair two = new RawPair(driver)) {
            change(driver, "default: device\nlimits:\n- {of: any, rate: 4 MiB/s}");
            byte[] bytes = new byte[RING];
            long start = System.nanoTime();
            long received = 0;
            while (received < 2 * rate) {
                for (RawPair pair : new RawPair[] {one, two}) {
                    pair.near.write(bytes, 0, bytes.length);
                    received += Math.max(0, pair.far.read(bytes));
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            assertTrue(received <= 1.3 * rate * seconds, "received " + received + " bytes in " + seconds + " s");
            driver.awaitAtLeast(CounterType.THROTTLED, 1);
            // And holds no longer: what was kept back leaves at once.
            change(driver, "default: device");
            RawPair last = two;
            TestDriver.await("the rest", () -> last.far.read(bytes) <= 0);
        }
    }
}
