// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A self-signed certificate, and its key. */
final class Keystore {
    private static final long LIMIT_S = 60;

    private Keystore() {}

    /** Creates a key store for servers of this host, and returns the argument that names it to a program. */
    static String make(Path directory) throws IOException, InterruptedException {
        return make(directory, Network.LOOPBACK.address(0));
    }

    /** Creates a key store for a server at an address. */
    static String make(Path directory, String address) throws IOException, InterruptedException {
        Path file = directory.resolve("keys.p12");
        Path log = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:" + address,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "password")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(keytool.waitFor(LIMIT_S, TimeUnit.SECONDS), "keytool hangs");
            assertEquals(0, keytool.exitValue(), Files.readString(log));
        } finally {
            keytool.destroyForcibly();
        }
        return "keystore=" + file;
    }
}
