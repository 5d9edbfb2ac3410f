// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.DriverDirectory;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The listing in three processes: driver, server and client. */
@Timeout(60)
class Listing1Test {
    @TempDir
    private Path directory;

    private Program driver;
    private Program server;
    private String port;

    @BeforeEach
    void startDriverAndServer() throws Exception {
        driver = Program.start("driver", "--dir", directory.toString());
        driver.await("ready");
        server = Program.start("sample", "listing1", "server", "--dir", directory.toString(), "--port", "0");
        port = server.await("port ");
    }

    @AfterEach
    void endThem() {
        if (server != null) {
            server.close();
        }
        driver.close();
    }

    private Program client(String... options) throws Exception {
        String[] args = new String[7 + options.length];
        System.arraycopy(
                new String[] {"sample", "listing1", "client", "--dir", directory.toString(), "--port", port},
                0,
                args,
                0,
                7);
        System.arraycopy(options, 0, args, 7, options.length);
        return Program.start(args);
    }

    @Test
    void checksumOfServerIsThatOfClient() throws Exception {
        try (Program client = client("--bytes", "32m")) {
            assertEquals(0, client.exitCode(), client::printed);
            assertEquals(0, server.exitCode(), server::printed);
            assertTrue(server.printed().contains("the checksum is the client's"), server::printed);
            assertEquals(checksum(client), checksum(server));
            assertTrue(server.printed().contains("33554432 bytes"), server::printed);
        }
    }

    @Test
    void messagesOfOddLengthAndLargestRingsArriveToo() throws Exception {
        try (Program client = client("--bytes", "3000001", "--message", "999999", "--seed", "7")) {
            assertEquals(0, client.exitCode(), client::printed);
            assertEquals(0, server.exitCode(), server::printed);
            assertEquals(checksum(client), checksum(server));
            assertTrue(client.printed().contains("seed 7"), client::printed);
        }
    }

    @Test
    void nothingAtAllArrivesAsNothing() throws Exception {
        try (Program client = client("--bytes", "0")) {
            assertEquals(0, client.exitCode(), client::printed);
            assertEquals(0, server.exitCode(), server::printed);
        }
    }

    @Test
    void serverFailsWhenChecksumDiffers() throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory))) {
            PdSocket socket = device.socket();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
            PdBuffer buffer = new PdBuffer();
            Transfer.sendNumber(socket, buffer, Transfer.NUMBER_LENGTH);
            Transfer.sendNumber(socket, buffer, 0x1234_5678);
            Transfer.sendNumber(socket, buffer, 0xBAD);
            socket.close();
            assertEquals(1, server.exitCode(), server::printed);
            assertTrue(server.printed().contains("checksum differs: the client's is 00000bad"), server::printed);
        }
    }

    @Test
    void serverFailsWhenClientEndsTooEarly() throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory))) {
            PdSocket socket = device.socket();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
            Transfer.sendNumber(socket, new PdBuffer(), 100);
            socket.close();
            assertEquals(1, server.exitCode(), server::printed);
            assertTrue(server.printed().contains("before it had sent everything"), server::printed);
        }
    }

    @Test
    void clientWithoutServerIsRefused() throws Exception {
        server.close();
        try (Program client = client()) {
            assertNotEquals(0, client.exitCode());
            assertTrue(client.printed().contains("Connection refused"), client::printed);
        }
    }

    private static String checksum(Program program) {
        String printed = program.printed();
        return printed.substring(printed.indexOf("CRC32C ")).lines().findFirst().orElseThrow();
    }
}
