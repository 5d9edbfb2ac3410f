// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.CallCompletion;
import io.pipedevice.active.Calls;
import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.active.Status;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.test.ChildJvm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that ends while it waits for the end of what only it could end. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class StoppingServerTest {
    @Test
    void aProcessThatIsKilledWhileItStopsServingLeavesNothing() throws Exception {
        try (TestDriver driver = new TestDriver()) {
            try (ChildJvm server = ChildJvm.start(StoppingServer.class, driver.directory.toString())) {
                server.expect("SERVES");
                try (Regions honest = Regions.attach(driver.driver);
                        RemoteFunction function = honest.findFunction(StoppingServer.FUNCTION);
                        Calls calls = honest.calls(1)) {
                    CallCompletion completion = new CallCompletion();
                    assertTrue(calls.post(1, function, calls.message(function), Place.HOST));
                    calls.flush();
                    server.expect("STOPS");
                    server.kill();
                    assertTrue(calls.await(completion, TestDriver.PATIENCE_NS), "the call does not end");
                    assertEquals(Status.GONE, completion.status());
                    driver.awaitCounter(CounterType.PROCESSES, 1);
                }
            }
            driver.awaitNothingLeft();
        }
    }
}
