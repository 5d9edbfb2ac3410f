// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.jdk.Literals;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The log's line about a connection that a driver refuses has the driver's reason. */
@Timeout(60)
class DriverRefusalLogTest {
    @TempDir
    private Path directory;

    @RegisterExtension
    private final KernelLines kernel = new KernelLines();

    private final List<String> lines = kernel.lines();

    @Test
    void theLineHasTheReasonOfTheDriver() throws IOException {
        try (PipeDeviceDriver driver =
                PipeDeviceDriver.launch(new DriverContext().directory(directory).path(DataPath.DEVICE))) {
            assertNotNull(driver);
            Acceleration rings = Rings.ofDriver(directory);
            try (ServerSocketChannel server = rings.openServerSocketChannel(null);
                    SocketChannel first = rings.openSocketChannel(null);
                    SocketChannel second = rings.openSocketChannel(null)) {
                server.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0), 1);
                InetSocketAddress at = (InetSocketAddress) server.getLocalAddress();
                first.connect(at);
                assertEquals(List.of(), lines, "it is on rings");
                second.connect(at);
                assertEquals(
                        List.of("a connection to " + at + " stays on the kernel: backlog full"
                                + " (Connection refused: the listener's backlog is full)"),
                        lines);
            }
        }
    }
}
