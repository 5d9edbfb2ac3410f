// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;

/**
 * Writes bytes of files to a connection on rings, and ends as a transfer of the JDK does to a connection on the kernel.
 * Belongs to the writing thread.
 */
final class FileToRing {
    private static final int PIECE = 64 * 1024;

    /** How often a thread that waits looks whether the file is still open: nothing announces its close. */
    private static final long FILE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final BlockingContext context;
    private final RingWriter writer;
    private final ConnectionRecord record;

    FileToRing(BlockingContext context, RingWriter writer, ConnectionRecord record) {
        this.context = context;
        this.writer = writer;
        this.record = record;
    }

    /** Transfers as {@link Transport#transfer}. */
    long transfer(FileChannel file, long position, long count) throws IOException {
        try {
            long size = file.size();
            if (size == 0 || position > size) {
                // Perhaps a kernel file, which does not report its size.
                return Transport.UNSUPPORTED;
            }
            long all = Math.min(Math.min(count, size - position), Integer.MAX_VALUE);
            if (all == 0 || !writer.hasOutput()) {
                requireReadable(file);
                writer.requireOutputForFile();
                return 0;
            }
            return copy(file, position, all);
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

    /** Fails if the file cannot be read, as an attempt to read it does. */
    private static void requireReadable(FileChannel file) throws IOException {
        file.read(ByteBuffer.allocate(0), 0);
    }

    private long copy(FileChannel file, long position, long all) throws IOException {
        FilePiece piece = new FilePiece(file, position);
        boolean goesOn = context.isBlocking() && !Thread.currentThread().isVirtual() && context.mayWait();
        long done = 0;
        long wanted;
        long taken;
        try {
            do {
                wanted = Math.min(PIECE, all - done);
                taken = write(piece, done, wanted, file);
                done += taken;
                piece.requireRead();
                if (taken == 0 && !file.isOpen()) {
                    throw new AsynchronousCloseException();
                }
            } while (done < all && !piece.hasEnded() && (goesOn || taken == wanted));
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

    /** Writes some bytes: at least one if the thread may wait, unless the channel or the file is closed meanwhile. */
    private long write(FilePiece piece, long from, long most, FileChannel file) throws IOException {
        if (context.mayTry()) {
            long taken = writer.put(piece, from, most);
            if (!context.isBlocking() && !piece.hasEnded()) {
                return insist(piece, from, taken, most);
            }
            if (taken > 0 || piece.hasEnded()) {
                return taken;
            }
        }
        return context.mayWait() ? waitAndWrite(piece, from, most, file) : 0;
    }

    /** Writes more if the stream makes room, which it does for a program that does not wait. */
    private long insist(FilePiece piece, long from, long before, long most) throws IOException {
        long taken = before;
        while (taken < most && !piece.hasEnded() && writer.makesRoom()) {
            taken += writer.put(piece, from + taken, most - taken);
        }
        if (taken < most && !piece.hasEnded()) {
            record.writeIsCutShort();
        }
        return taken;
    }

    /**
     * Waits until there is room, and writes. Each wait is one of the channel's; a read of the file is one of the
     * file's: an interrupt ends whichever the thread is in.
     */
    private long waitAndWrite(FilePiece piece, long from, long most, FileChannel file) throws IOException {
        record.writeWaits();
        long taken = 0;
        while (taken == 0 && !piece.hasEnded() && file.isOpen()) {
            context.enter();
            try {
                writer.awaitRoom(FILE_NS);
            } finally {
                context.exit(false);
            }
            taken = writer.put(piece, from, most);
        }
        return taken;
    }
}
