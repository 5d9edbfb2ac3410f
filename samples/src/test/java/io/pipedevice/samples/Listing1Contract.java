// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The listing in three processes, driver, server and client, or in two, without a driver. */
@Timeout(60)
abstract class Listing1Contract {
    private final boolean withDriver;

    @TempDir
    private Path directory;

    private Program driver;
    private Program server;
    private String port;

    Listing1Contract(boolean withDriver) {
        this.withDriver = withDriver;
    }

    @BeforeEach
    void startDriverAndServer() throws Exception {
        if (withDriver) {
            driver = Program.start("driver", "--dir", directory.toString());
            driver.await("ready");
        }
        server = start("server", "0");
        port = server.await("port ");
    }

    @AfterEach
    void endThem() {
        if (server != null) {
            server.close();
        }
        if (driver != null) {
            driver.close();
        }
    }

    private Program start(String end, String port, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("sample", "listing1", end, "--port", port));
        if (withDriver) {
            args.addAll(List.of("--dir", directory.toString()));
        }
        args.addAll(List.of(options));
        return Program.start(args.toArray(String[]::new));
    }

    private Program client(String... options) throws Exception {
        return start("client", port, options);
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
        try (PdNetwork network = Transfer.network(withDriver ? directory : null)) {
            PdConnection socket = connect(network);
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
        try (PdNetwork network = Transfer.network(withDriver ? directory : null)) {
            PdConnection socket = connect(network);
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

    private PdConnection connect(PdNetwork network) throws Exception {
        return network.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)), 0);
    }

    private static String checksum(Program program) {
        String printed = program.printed();
        return printed.substring(printed.indexOf("CRC32C ")).lines().findFirst().orElseThrow();
    }
}
