// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of some messages in the page cache, without a name, so that nothing is left when the process ends. */
final class ScratchFile {
    static final int MESSAGES = 64;

    private ScratchFile() {}

    static FileChannel open() throws IOException {
        Path path = Files.createTempFile("pipedevice-regret-", ".bin");
        try {
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            for (int i = 0; i < MESSAGES; i++) {
                ByteBuffer message = ByteBuffer.allocateDirect(Messages.SIZE);
                while (message.hasRemaining()) {
                    file.write(message);
                }
            }
            return file;
        } finally {
            Files.delete(path);
        }
    }
}
