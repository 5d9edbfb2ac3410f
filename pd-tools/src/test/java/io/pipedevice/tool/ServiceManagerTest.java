// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.linux.DatagramReceiver;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The socket of a service manager is a datagram socket at a path or at an abstract name. */
@Timeout(60)
class ServiceManagerTest {
    @TempDir
    private Path directory;

    private static String told(UnixAddress address, String variable) throws LinuxException {
        try (DatagramReceiver manager = DatagramReceiver.bind(address)) {
            new ServiceManager(variable).report(ServiceManager.READY);
            return manager.receive();
        }
    }

    @Test
    void isNotifiedAtItsPath() throws LinuxException {
        Path socket = directory.resolve("notify");
        assertEquals("READY=1", told(UnixAddress.path(socket), socket.toString()));
    }

    @Test
    void isNotifiedAtItsAbstractName() throws LinuxException {
        String name = "pipedevice-test-" + ProcessHandle.current().pid();
        assertEquals("READY=1", told(UnixAddress.abstractName(name), "@" + name));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "/nowhere/at/all", "@"})
    void aMissingServiceManagerIsNoFailure(String variable) {
        assertDoesNotThrow(() -> new ServiceManager(variable).report(ServiceManager.STOPPING));
    }
}
