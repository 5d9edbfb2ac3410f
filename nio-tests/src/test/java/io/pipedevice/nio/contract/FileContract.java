// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The base of the contract tests of transfers between files and channels: it has the file. */
abstract class FileContract extends Contract {
    static final int SIZE = 1 << 20;
    static final int MUCH = Flood.MORE_THAN_A_CONNECTION_TAKES;

    @TempDir
    private Path dir;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = dir.resolve("file");
    }

    final Path file() {
        return file;
    }

    /** A file of zeros that takes no space. */
    final FileChannel openLarge() throws IOException {
        FileChannel channel = openEmpty();
        channel.write(ByteBuffer.allocate(1), MUCH - 1);
        return channel;
    }

    final FileChannel openEmpty() throws IOException {
        return closeLater(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    final FileChannel open(byte[] content) throws IOException {
        Files.write(file, content);
        return closeLater(FileChannel.open(file, StandardOpenOption.READ));
    }

    final FileChannel openToWrite() throws IOException {
        return closeLater(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    final byte[] content() throws IOException {
        return Files.readAllBytes(file);
    }
}
