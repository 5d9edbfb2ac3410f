// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests of a driver, a process that owns something, and one that uses it. They end with the test, and leave nothing in
 * the driver.
 */
abstract class OwnerAndClient {
    TestDriver driver;
    ChildJvm owner;
    ChildJvm client;

    @AfterEach
    final void nothingIsLeft() throws IOException {
        for (ChildJvm child : new ChildJvm[] {owner, client}) {
            if (child != null) {
                child.close();
            }
        }
        if (driver != null) {
            try {
                driver.awaitNothingLeft();
            } finally {
                driver.close();
            }
        }
    }

    final String owner(String command) throws IOException {
        return CommandedProcess.ask(owner, command);
    }

    final String client(String command) throws IOException {
        return CommandedProcess.ask(client, command);
    }
}
