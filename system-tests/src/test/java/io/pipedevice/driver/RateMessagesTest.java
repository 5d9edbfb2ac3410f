// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a driver tells its participants of their rates on direct connections. */
@Timeout(60)
class RateMessagesTest {
    @TempDir
    private Path policies;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private TestDriver driver;

    @AfterEach
    void end() throws Exception {
        while (!open.isEmpty()) {
            open.removeLast().close();
        }
    }

    private void start(DriverContext context) throws IOException {
        driver = new TestDriver(context);
        open.add(driver);
    }

    private Path write(String rate) throws IOException {
        return Files.writeString(policies.resolve("policy.yaml"), "default: direct\n" + rate);
    }

    private static String limits(long rate) {
        return "limits: [{of: any, rate: " + rate + "}]\n";
    }

    private RawControl join() throws IOException {
        RawControl joined = new RawControl(TestDriver.endpoint(driver.directory).connect());
        open.add(joined);
        joined.request(IntroductionMessage.JOIN);
        ControlMessage answer = joined.call();
        assertEquals(IntroductionMessage.JOIN, answer.type());
        assertEquals(0, answer.status());
        return joined;
    }

    private static void assertRate(long expected, RawControl... all) throws IOException {
        for (RawControl each : all) {
            assertEquals(IntroductionMessage.RATE, each.receive().type());
            assertEquals(expected, each.message.argument());
        }
    }

    /** The next message is the answer to a request. */
    private static void assertHearsNothing(RawControl control) throws IOException {
        control.request(IntroductionMessage.FIND);
        assertEquals(IntroductionMessage.FIND, control.call().type());
    }

    @Test
    void theProcessesOfAContainerHaveEqualParts() throws Exception {
        start(new DriverContext().policy(write(limits(8000))));
        RawControl first = join();
        assertRate(8000, first);
        RawControl second = join();
        assertRate(4000, first, second);
        RawControl third = join();
        assertRate(2666, first, second, third);
        third.close();
        assertRate(4000, first, second);
        assertHearsNothing(first);
    }

    @Test
    void anotherFileHoldsForAllParticipants() throws Exception {
        start(new DriverContext().policy(write("")));
        RawControl first = join();
        RawControl second = join();
        assertHearsNothing(first);
        write(limits(1000));
        assertRate(500, first, second);
        write(limits(1));
        assertRate(1, first, second);
        write("");
        assertRate(0, first, second);
    }

    @Test
    void theDriversOptionHoldsForEachProcess() throws Exception {
        start(new DriverContext().policy(write("")).rate(700));
        RawControl first = join();
        assertRate(700, first);
        RawControl second = join();
        assertRate(700, second);
        write(limits(1000));
        assertRate(500, first, second);
        write(limits(100_000));
        assertRate(700, first, second);
    }
}
