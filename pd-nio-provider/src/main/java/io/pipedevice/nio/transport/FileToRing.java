// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;

/**
 * Writes bytes of files to a connection on rings, and ends as a transfer of the JDK does to a connection on the kernel. Belongs to
 * the writing thread.
 */
final class FileToRing {
    private static final int PIECE = 64 * 1024;

    private final BlockingContext context;
    private final RingWriter writer;

    FileToRing(BlockingContext context, RingWriter writer) {
        this.context = context;
        this.writer = writer;
    }

    long transfer(FileChannel file, long position, long count) throws IOException {
        try {
            long size = file.size();
            if (position > size || size == 0) {
                return 0;
            }
            writer.requireOutputForFile();
            return copy(file, position, Math.min(Math.min(count, size - position), Integer.MAX_VALUE));
        } catch (ClosedByInterruptException e) {
            // The interrupt has closed the file or the channel, and closes the other one, too, in any mode.
            file.close();
            if (context.isOpen()) {
                context.enter();
                context.exit(false);
            }
            throw e;
        }
    }

    private long copy(FileChannel file, long position, long all) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(all, PIECE));
        long done = 0;
        try {
            do {
                piece.clear().limit((int) Math.min(piece.capacity(), all - done));
                // Fails if the thread is interrupted, also if there are no bytes to read.
                int length = file.read(piece, position + done);
                if (length <= 0) {
                    break;
                }
                done += write(file, piece.flip());
            } while (done < all && !piece.hasRemaining());
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            if (done == 0) {
                throw e;
            }
            // The bytes that were written count, and the failure is reported by that, as with sendfile(2).
        }
        return done;
    }

    /** Writes a piece: all of it if the thread waits, unless the file is closed meanwhile. */
    private int write(FileChannel file, ByteBuffer piece) throws IOException {
        int count = 0;
        boolean goesOn = context.isBlocking() && !Thread.currentThread().isVirtual();
        do {
            int taken = writer.write(piece, file);
            count += taken;
            if (taken == 0 && !file.isOpen()) {
                throw new AsynchronousCloseException();
            }
        } while (goesOn && piece.hasRemaining());
        return count;
    }
}
