// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions of processes, and calls of other processes at the device and at the host. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class FunctionProcessesTest extends OwnerAndClient {
    @BeforeEach
    void start() throws IOException {
        driver = new TestDriver(new DriverContext());
        owner = FunctionProcess.start(driver.directory);
        client = FunctionProcess.start(driver.directory);
    }

    @Test
    void aFunctionOperatesWithItsOwnersRightsOnARegionThatTheCallerDoesNotReach() throws IOException {
        owner("region table");
        assertEquals("0", owner("function add 1 ADD 1000 anyone:c"));
        assertEquals("0", owner("function read 1 READ 1000 anyone:c"));
        assertEquals("1", client("find add"));
        owner.signal("STOP");
        assertEquals("0", client("call DEVICE 5 16"));
        assertEquals("30", client("call DEVICE 5 16 6"));
        assertEquals("RANGE", client("call DEVICE 5 8192"));
        assertEquals("ALIGNMENT", client("call DEVICE 5 4"));
        assertEquals("1", client("find read"));
        assertEquals("8", client("call DEVICE 7 16"));
        assertEquals("35", client("answer 2"));
        assertEquals("7", client("answer 0"));
        owner.signal("CONT");
        assertEquals("35", owner("word 16"));
    }

    @Test
    void aProgramThatIsNotSafeIsRefusedWithTheVerifiersSentence() throws IOException {
        owner("region table");
        assertEquals("ENOEXEC", owner("function bad 1 UNSAFE 1000 anyone:c"));
        String problem = owner("problem");
        assertTrue(problem.contains("instruction 0"), problem);
        assertEquals("ENOENT", client("find bad"));
    }

    @Test
    void aCallerFindsTheHighestVersionThatItMayCallOrOneByItsNumber() throws IOException {
        owner("region table");
        owner("function f 1 ADD 1000 anyone:c");
        owner("function f 2 READ 1000 anyone:c");
        assertEquals("EEXIST", owner("function f 2 ADD 1000"));
        owner("function f 3 READ 1000");
        assertEquals("2", client("find f"));
        assertEquals("1", client("find f 1"));
        assertEquals("EACCES", client("find f 3"));
        assertEquals("ENOENT", client("find f 4"));
        owner("grant anyone:c");
        assertEquals("3", client("find f"));
        assertEquals("8", client("call DEVICE 7 0"));
        owner("grant anyone:");
        assertEquals("DENIED", client("call DEVICE 7 0"));
        owner("close");
        assertEquals("GONE", client("call DEVICE 7 0"));
        assertEquals("0", client("release"));
        assertEquals("NO_REGION", client("call DEVICE 7 0"));
    }

    @Test
    void aCallThatDoesNotEndUsesUpItsFuelWhileOthersGoOn() throws IOException {
        owner("region table");
        owner("function spin 1 SPIN 67108864 anyone:c");
        owner("function short 1 SPIN 5000 anyone:c");
        owner("function add 1 ADD 1000 anyone:c");
        client("find short");
        assertEquals("FUEL", client("call DEVICE 0 0"));
        client("find spin");
        client.send("call DEVICE 0 0");
        CommandedProcess.ask(owner, "find add");
        assertEquals("0", owner("call DEVICE 1 0"));
        assertEquals("FUEL", client.expect("="));
    }

    @Test
    void callsEndWithTheOwnerAndWithARegionOfTheirFunction() throws IOException {
        owner("region table");
        owner("function count 1 COUNT 67108864 anyone:c");
        postCallsOfSeconds();
        owner("end-region");
        assertAllAreGone();
        owner("region table");
        owner("function count 2 COUNT 67108864 anyone:c");
        postCallsOfSeconds();
        owner.kill();
        assertAllAreGone();
        assertEquals("ENOENT", client("find count"));
    }

    /** As many as may be, which take seconds together, in turns. */
    private void postCallsOfSeconds() throws IOException {
        client("find count");
        for (int i = 0; i < 16; i++) {
            assertEquals("1", client("post DEVICE 100000000 24"));
        }
    }

    private void assertAllAreGone() throws IOException {
        for (int i = 0; i < 16; i++) {
            assertEquals("GONE", client("await"));
        }
    }

    @Test
    void aCallerThatIsKilledLeavesNothing() throws IOException {
        owner("region table");
        owner("function spin 1 SPIN 67108864 anyone:c");
        client("find spin");
        client.send("call DEVICE 0 0 1000");
        client.kill();
        driver.awaitCounter(CounterType.PROCESSES, 1);
        owner("find spin");
        assertEquals("FUEL", owner("call DEVICE 0 0"));
    }

    @Test
    void theOwnersThreadsRunCalls() throws IOException {
        owner("region table");
        owner("function add 1 ADD 1000 anyone:c");
        owner("function short 1 SPIN 5000 anyone:c");
        client("find add");
        assertEquals("NOT_SERVED", client("call HOST 5 16"));
        assertEquals("0", owner("serve 2"));
        assertEquals("0", client("call HOST 5 16"));
        driver.awaitCounter(CounterType.PROCESS_SENT, 2 * FunctionPrograms.MESSAGE);
        assertEquals("5", client("call DEVICE 1 16"));
        assertEquals("6", client("call HOST 5 16"));
        assertEquals("RANGE", client("call HOST 5 8192"));
        assertEquals("5006", client("call HOST 5 16 1000"));
        client("find short");
        assertEquals("FUEL", client("call HOST 0 0"));
        assertEquals("EINVAL", owner("serve 2"));
        assertEquals("0", owner("stop"));
        assertEquals("NOT_SERVED", client("call HOST 5 16"));
        assertEquals("0", owner("serve 1"));
        assertEquals("FUEL", client("call HOST 0 0"));
    }

    @Test
    void aServerTakesLaterFunctionsWhoseMessagesAreNotLongerThanItsOwn() throws IOException {
        owner("region table");
        owner("serve 1");
        owner("function add 1 ADD 1000 anyone:c");
        client("find add");
        assertEquals("NOT_SERVED", client("call HOST 5 16"));
        assertEquals("0", owner("stop"));
        owner("close");
        assertEquals("0", owner("serve 1 " + FunctionPrograms.MESSAGE));
        owner("function add 2 ADD 1000 anyone:c");
        client("find add");
        assertEquals("0", client("call HOST 5 16"));
    }

    @Test
    void callsThatAreAtAnOwnerEndWithItsDeath() throws IOException {
        owner("region table");
        owner("function spin 1 SPIN 67108864 anyone:c");
        owner("serve 1");
        client("find spin");
        owner.signal("STOP");
        assertEquals("1", client("post HOST 0 0"));
        assertEquals("1", client("post HOST 0 0"));
        client.send("await");
        owner.kill();
        assertEquals("GONE", client.expect("="));
        assertEquals("GONE", client("await"));
    }

    @Test
    void aCallerThatIsKilledWhileItsCallsAreAtAnOwnerLeavesNothing() throws IOException {
        owner("region table");
        owner("function add 1 ADD 1000 anyone:c");
        owner("serve 1");
        client("find add");
        owner.signal("STOP");
        client("post HOST 1 0");
        client("post HOST 1 0");
        client.kill();
        driver.awaitCounter(CounterType.PROCESSES, 1);
        owner.signal("CONT");
        owner("find add");
        String before = owner("call HOST 1 0");
        assertTrue(Integer.parseInt(before) <= 2, before);
        assertEquals("0", owner("stop"));
    }

    @Test
    void aCallThatDoesNotEndInItsTimeEndsWhateverItsPlaceDoes() throws IOException {
        owner("region table anyone:ra");
        owner("function spin 1 SPIN 67108864 anyone:c");
        owner("function add 1 ADD 1000 anyone:c");
        owner("serve 1");
        client("find spin");
        assertEquals("TIME", client("call-within DEVICE 0 0 1"));
        assertEquals("TIME", client("call-within HOST 0 0 1"));
        assertEquals("TIME", client("call-within CLIENT 0 0 1"));
        client("find add");
        for (String place : List.of("DEVICE", "HOST", "CLIENT", "AUTO")) {
            assertTrue(Integer.parseInt(client("call-within " + place + " 1 0 3600000")) < 4);
        }
        owner.signal("STOP");
        for (int i = 0; i < 16; i++) {
            assertEquals("1", client("post HOST 1 0 " + (i + 1)));
        }
        for (int i = 0; i < 16; i++) {
            assertEquals("TIME", client("await"));
        }
        assertEquals("4", client("call DEVICE 1 0"));
        owner.signal("CONT");
        client("call HOST 1 0");
        assertEquals("0", owner("stop"));
    }

    @Test
    void aCallerWithRightsToTheRegionsRunsFunctionsItself() throws IOException {
        owner("region table anyone:r");
        owner("function add 1 ADD 1000 anyone:c");
        owner("function read 1 READ 1000 anyone:c");
        owner("function count 1 COUNT 100000 anyone:c");
        owner("function short 1 SPIN 5000 anyone:c");
        client("find add");
        assertEquals("EACCES", client("call CLIENT 5 16"));
        client("call DEVICE 5 16");
        client("find read");
        assertEquals("8", client("call CLIENT 7 16"));
        assertEquals("5", client("answer 2"));
        client("find short");
        assertEquals("FUEL", client("call CLIENT 0 0"));
        owner("grant-region anyone:ra");
        client("find add");
        owner.signal("STOP");
        assertEquals("5", client("call CLIENT 1 16"));
        assertEquals("1005", client("call CLIENT 1 16 1000"));
        assertEquals("RANGE", client("call CLIENT 1 8192"));
        client("find count");
        assertEquals("99", client("call CLIENT 100 24"));
        for (int i = 0; i < 16; i++) {
            assertEquals("1", client("post CLIENT 10 24"));
        }
        assertEquals("0", client("post CLIENT 10 24"));
        for (int i = 0; i < 16; i++) {
            client("await");
        }
        assertEquals("260", client("call DEVICE 1 24"));
        owner.signal("CONT");
        owner("grant-region anyone:r");
        assertEquals("DENIED", client("call CLIENT 1 24"));
        owner("end-region");
        assertEquals("GONE", client("call CLIENT 1 24"));
    }

    @Test
    void callsThatMoveWithTheirStateAreNeitherLostNorRepeated() throws IOException {
        owner("region table anyone:ra");
        owner("function count 1 COUNT 10000000 anyone:c");
        owner("serve 1");
        client("find count");
        long calls = 0;
        String places;
        do {
            places = client("storm AUTO 3000 16 50");
            calls += 50;
        } while (!places.equals("3"));
        assertEquals(Long.toString(calls * 3000), owner("word 16"));
        assertEquals("0", owner("stop"));
        client("storm AUTO 3000 16 50");
        assertEquals(Long.toString((calls + 50) * 3000), owner("word 16"));
    }

    @Test
    void callsGoToTheOwnerWhileTheDeviceIsBusyWithOthersAndComeBack() throws IOException {
        owner("region table");
        owner("function add 1 ADD 1000 anyone:c");
        owner("function spin 1 SPIN 67108864 anyone:c");
        owner("serve 1");
        client("find add");
        client("until DEVICE 100");
        try (ChildJvm hog = FunctionProcess.start(driver.directory);
                ChildJvm other = FunctionProcess.start(driver.directory);
                ChildJvm third = FunctionProcess.start(driver.directory)) {
            // A call waits for one round of their turns before it runs at the device; to be forwarded, for half of one.
            for (ChildJvm each : List.of(hog, other, third)) {
                CommandedProcess.ask(each, "hog spin 14");
            }
            assertEquals("0", client("until HOST 10"));
        }
        assertEquals("0", client("until DEVICE 10"));
        assertEquals(client("made"), owner("word 0"));
    }
}
