// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class LocalAddressesTest {
    @Test
    void findsWhatIsFoundAtOnce() throws IOException {
        try (LocalAddresses addresses = new LocalAddresses(0)) {
            int steps = 1;
            while (addresses.step()) {
                steps++;
            }
            assertTrue(steps > 1, "IPv4 and IPv6 are a step each");
            assertTrue(addresses.isComplete());
            assertEquals(ProcessFacts.localAddresses(0), addresses.addresses());
        }
    }

    @Test
    void aProcessThatDoesNotExistHasNone() {
        IOException failure = assertThrows(IOException.class, () -> new LocalAddresses(Integer.MAX_VALUE).close());
        assertTrue(failure.getMessage().contains("no such process"), failure.getMessage());
    }
}
