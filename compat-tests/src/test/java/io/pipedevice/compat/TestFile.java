// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/** A file of random bytes that a server sends, with the digest and size by which a client checks it. */
record TestFile(Path path, String sha256, long size) {
    /** Not a multiple of any buffer size. */
    private static final int SIZE = 10_000_019;

    static TestFile make(Path directory) throws IOException {
        byte[] bytes = new byte[SIZE];
        new Random(SIZE).nextBytes(bytes);
        Path path = directory.resolve("file.bin");
        Files.write(path, bytes);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return new TestFile(path, "sha256=" + HexFormat.of().formatHex(digest), SIZE);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    String filesize() {
        return "filesize=" + size;
    }
}
