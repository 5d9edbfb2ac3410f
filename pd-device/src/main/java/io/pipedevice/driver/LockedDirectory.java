// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory of a driver process. It contains the lock that excludes a second driver, and the socket to which
 * processes connect. The kernel releases the lock when the process dies, so another driver can take over the directory
 * of a killed one.
 */
final class LockedDirectory implements AutoCloseable {
    /** Name of the socket. */
    static final String SOCKET = "driver.sock";

    private static final String LOCK = "driver.lock";
    private static final int BACKLOG = 128;

    /** S_IWGRP and S_IWOTH, and S_ISVTX, with which only the owner removes a file. */
    private static final int WRITE_OF_OTHERS = 0022;

    private static final int STICKY = 01000;

    /**
     * The directories that this process has locked. A process loses its lock when it closes any descriptor of the file
     * (fcntl(2)), so a second attempt within the process must not even open the file.
     */
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Path taken;
    private final Path socketPath;
    private final UnixSocket socket;

    /** The driver's thread writes this and the next two after the start; {@link #close} reads them after its end. */
    private FileChannel lockFile;

    private Object lockKey;
    private Object socketKey;

    private LockedDirectory(Path directory, Path taken, FileChannel lockFile, UnixSocket socket) {
        this.directory = directory;
        this.taken = taken;
        this.lockFile = lockFile;
        this.lockKey = key(directory.resolve(LOCK));
        this.socketPath = directory.resolve(SOCKET);
        this.socketKey = key(socketPath);
        this.socket = socket;
    }

    /**
     * Takes a directory.
     *
     * @throws IOException if it cannot be written or another driver has it; the message gives the reason
     */
    static LockedDirectory take(Path directory) throws IOException {
        Path taken = create(directory);
        requireOwn(directory);
        warnIfShared(directory);
        if (!TAKEN.add(taken)) {
            throw another(directory, Long.toString(ProcessHandle.current().pid()));
        }
        try {
            return take(directory, taken);
        } catch (IOException | RuntimeException e) {
            TAKEN.remove(taken);
            throw e;
        }
    }

    private static LockedDirectory take(Path directory, Path taken) throws IOException {
        Path absolute = directory.toAbsolutePath();
        FileChannel lockFile = openLock(directory, StandardOpenOption.CREATE);
        try {
            lock(lockFile, directory);
            writeOwner(lockFile);
            return new LockedDirectory(absolute, taken, lockFile, listen(absolute.resolve(SOCKET)));
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    /** Removes what is at the path, and listens there. */
    private static UnixSocket listen(Path path) throws IOException {
        Files.deleteIfExists(path);
        return UnixSocket.listen(UnixSocket.Type.SEQPACKET, UnixAddress.path(path), BACKLOG, false);
    }

    /**
     * Returns a key that no other file has, nor a later one as long as this process has the file open or listens there.
     * Null if the file does not exist, or cannot be seen.
     */
    private static Object key(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (IOException e) {
            return null;
        }
    }

    private static Path create(Path directory) throws IOException {
        try {
            return Files.createDirectories(directory).toRealPath();
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    /**
     * Refuses a directory of another user: its owner decides which driver a program finds there, and to which files the
     * names in it refer.
     */
    private static void requireOwn(Path directory) throws IOException {
        int owner = (int) Files.getAttribute(directory, "unix:uid");
        if (owner != 0 && owner != ProcessFacts.effectiveUid()) {
            throw new IOException("the driver's directory " + directory + " belongs to user " + owner
                    + ", which could replace the driver; it must belong to this user or to root");
        }
    }

    /** Warns of a directory in which another user could remove the driver's socket, or put one of its own there. */
    private static void warnIfShared(Path directory) throws IOException {
        int mode = (int) Files.getAttribute(directory, "unix:mode");
        if ((mode & WRITE_OF_OTHERS) != 0 && (mode & STICKY) == 0) {
            new LazyLogger(LockedDirectory.class)
                    .get()
                    .log(
                            System.Logger.Level.WARNING,
                            "others may write the driver''s directory {0}, and so remove its socket or put their own"
                                    + " there: take that right from them (chmod g-w,o-w); they need it for the socket alone",
                            directory);
        }
    }

    private static FileChannel openLock(Path directory, StandardOpenOption how) throws IOException {
        try {
            return FileChannel.open(
                    directory.resolve(LOCK),
                    how,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    private static IOException unwritable(Path directory, IOException e) {
        return new IOException("the driver's directory " + directory + " cannot be written: " + reason(e), e);
    }

    /** The reason of an exception in words, because the messages of these exceptions are paths. */
    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "it is not a directory";
        }
        if (e instanceof NoSuchFileException) {
            return "it cannot be created";
        }
        return e.getMessage();
    }

    private static IOException another(Path directory, String pid) {
        return new IOException("another driver runs on " + directory + ": pid " + pid);
    }

    private static void lock(FileChannel lockFile, Path directory) throws IOException {
        if (lockFile.tryLock() == null) {
            ByteBuffer owner = ByteBuffer.allocate(32);
            lockFile.read(owner, 0);
            String pid = new String(owner.array(), 0, owner.position(), StandardCharsets.US_ASCII).strip();
            throw another(directory, pid);
        }
    }

    private static void writeOwner(FileChannel lockFile) throws IOException {
        lockFile.truncate(0);
        byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
        lockFile.write(ByteBuffer.wrap(pid), 0);
    }

    /** The directory's absolute path. */
    Path path() {
        return directory;
    }

    /** Whether the socket's name still leads to the socket at which this driver listens. Costs one stat(2). */
    boolean isInPlace() {
        return socketKey != null && socketKey.equals(key(socketPath));
    }

    /**
     * Listens anew, if the socket's name does not lead to this driver any more.
     *
     * @return a listening socket, which the caller closes instead of the one before
     * @throws IOException if another driver has the directory, another process listens at the name, or the directory
     *     cannot be written or belongs to another user
     */
    UnixSocket listenAgain() throws IOException {
        requireOwn(directory);
        lockAgain();
        requireUnused();
        UnixSocket renewed = listen(socketPath);
        socketKey = key(socketPath);
        return renewed;
    }

    /**
     * Locks the lock's file, if it is not the one that this driver has locked. What others have put there is not
     * written, because it may be a link to another file.
     */
    private void lockAgain() throws IOException {
        Object found = key(directory.resolve(LOCK));
        if (found != null && found.equals(lockKey)) {
            return;
        }
        FileChannel file = openLock(directory, found == null ? StandardOpenOption.CREATE_NEW : StandardOpenOption.READ);
        try {
            lock(file, directory);
            if (found == null) {
                writeOwner(file);
            }
        } catch (IOException | OverlappingFileLockException e) {
            file.close();
            throw e instanceof IOException failure ? failure : another(directory, "unknown");
        }
        lockFile.close();
        lockFile = file;
        lockKey = key(directory.resolve(LOCK));
    }

    /** Refuses to replace a socket at which another process listens. */
    private void requireUnused() throws IOException {
        if (key(socketPath) == null) {
            return;
        }
        try (UnixSocket other = UnixSocket.connect(UnixSocket.Type.SEQPACKET, UnixAddress.path(socketPath), 0)) {
            throw new IOException("process " + other.peerCredentials().pid() + " listens there");
        } catch (LinuxException e) {
            if (e.errno() != Errno.ECONNREFUSED && e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    /** The first listening socket, which the caller closes. */
    UnixSocket socket() {
        return socket;
    }

    /**
     * Removes the socket's name, if it is this driver's, and releases the lock. The lock's file stays. Otherwise
     * another driver that has already opened it could get the lock of a deleted file, while a third driver locks a new
     * file.
     */
    @Override
    public void close() throws IOException {
        try {
            if (isInPlace()) {
                Files.delete(socketPath);
            }
        } finally {
            lockFile.close();
            TAKEN.remove(taken);
        }
    }
}
