// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The directory of a driver process: the lock that keeps a second one out, and the socket that containers attach to. The
 * kernel drops the lock when its process dies, so that the next driver takes over what a killed one left.
 */
final class DriverDirectory implements AutoCloseable {
    /** Name of the socket. */
    static final String SOCKET = "driver.sock";

    private static final String LOCK = "driver.lock";
    private static final int BACKLOG = 128;

    private final FileChannel lockFile;
    private final Path socketPath;
    private final UnixSocket socket;

    private DriverDirectory(FileChannel lockFile, Path socketPath, UnixSocket socket) {
        this.lockFile = lockFile;
        this.socketPath = socketPath;
        this.socket = socket;
    }

    /**
     * Takes a directory.
     *
     * @throws IOException if it cannot be written or another driver has it; the message says which
     */
    static DriverDirectory take(Path directory) throws IOException {
        Path socketPath = directory.resolve(SOCKET).toAbsolutePath();
        FileChannel lockFile = openLock(directory);
        try {
            lock(lockFile, directory);
            Files.deleteIfExists(socketPath);
            UnixSocket socket = UnixSocket.listen(UnixSocket.Type.SEQPACKET, UnixAddress.path(socketPath), BACKLOG);
            return new DriverDirectory(lockFile, socketPath, socket);
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static FileChannel openLock(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
            return FileChannel.open(
                    directory.resolve(LOCK),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException("the driver's directory " + directory + " cannot be written: " + e, e);
        }
    }

    private static void lock(FileChannel lockFile, Path directory) throws IOException {
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            ByteBuffer owner = ByteBuffer.allocate(32);
            lockFile.read(owner, 0);
            String pid = new String(owner.array(), 0, owner.position(), StandardCharsets.US_ASCII).strip();
            throw new IOException("another driver runs on " + directory + ": pid " + pid);
        }
        lockFile.truncate(0);
        byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
        lockFile.write(ByteBuffer.wrap(pid), 0);
    }

    /** The listening socket; whoever uses it closes it. */
    UnixSocket socket() {
        return socket;
    }

    /** Removes the socket's name and drops the lock. The lock's file stays: removing it would let two drivers in. */
    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(socketPath);
        } finally {
            lockFile.close();
        }
    }
}
