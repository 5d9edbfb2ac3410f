// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The contract tests with a driver rely on this: they set the property only while they create the provider. */
@Isolated("it sets system properties")
@Timeout(60)
class ProviderSettingsTest {
    private static SelectorProvider withDriver(Path directory) {
        System.setProperty(Settings.DRIVER_PROPERTY, directory.toString());
        try {
            return new PipeDeviceSelectorProvider();
        } finally {
            System.clearProperty(Settings.DRIVER_PROPERTY);
        }
    }

    @Test
    void aProviderKeepsTheDriverThatItWasMadeWith(@TempDir Path directory) throws IOException {
        SelectorProvider provider = withDriver(directory);
        try (ServerSocketChannel server = provider.openServerSocketChannel();
                SocketChannel client = provider.openSocketChannel()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.connect(server.getLocalAddress());
            assertTrue(client.toString().contains("kernel (driver gone)"), client::toString);
        }
    }
}
