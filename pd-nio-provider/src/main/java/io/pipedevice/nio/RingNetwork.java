// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.lib.DriverDirectory;
import io.pipedevice.lib.DriverEndpoint;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where this JVM's rings come from: the driver process that the program names, or else a driver inside the JVM, which is
 * started when a connection goes to a listener in the same JVM. Thread safe.
 */
final class RingNetwork {
    private static final System.Logger LOGGER = System.getLogger("io.pipedevice");
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_SOCKETS = 16384;

    /** With so many sockets rings get smaller, so that thousands of connections find memory. */
    private static final int FEW_SOCKETS = 32;

    private static final int MANY_SOCKETS = 256;

    /** Of a driver process; null for a driver inside this JVM. */
    private final Path directory;

    private final Set<RingListener> listeners = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    /** Null while there is none; changed under {@link #lock}. */
    private volatile RingAttachment current;

    /** Guarded by {@link #lock}. */
    private PipeDeviceDriver embedded;

    private long retryAtNs = System.nanoTime();

    RingNetwork(Path directory) {
        this.directory = directory;
    }

    /** Says that a server listens on the kernel; it is published at once if there is a driver process. */
    void add(RingListener listener) {
        listeners.add(listener);
        refresh(listener);
    }

    void remove(RingListener listener) {
        listeners.remove(listener);
        listener.close();
    }

    /** Publishes a listener that is not, or whose driver died, if there is a driver process now. */
    void refresh(RingListener listener) {
        if (directory != null) {
            RingAttachment attachment = attach();
            if (attachment != null) {
                listener.publish(attachment);
            }
        }
    }

    /** Whether somebody might listen at an address: not known when there is a driver process. */
    boolean mayMeet(InetSocketAddress to) {
        return directory != null || listenerFor(to) != null;
    }

    /** What to connect with; null if there is no driver. */
    RingAttachment meet(InetSocketAddress to) {
        RingAttachment attachment = attach();
        RingListener here = directory == null && attachment != null ? listenerFor(to) : null;
        if (here != null) {
            here.publish(attachment);
        }
        return attachment;
    }

    private RingListener listenerFor(InetSocketAddress to) {
        for (RingListener each : listeners) {
            if (each.covers(to)) {
                return each;
            }
        }
        return null;
    }

    /** The best size of a new ring, in bytes. */
    int ringSize() {
        RingAttachment attachment = current;
        int sockets = attachment == null ? 0 : attachment.sockets();
        if (sockets < FEW_SOCKETS) {
            return RingBuffer.DEFAULT_SIZE;
        }
        return sockets < MANY_SOCKETS ? RingBuffer.DEFAULT_SIZE >> 2 : RingBuffer.DEFAULT_SIZE >> 4;
    }

    /** A call of an attachment failed: if its driver is gone, another is looked for from now on. */
    void failed(RingAttachment attachment, Exception why) {
        if (!(why instanceof PdException e) || !isGone(e.errno())) {
            return;
        }
        lock.lock();
        try {
            if (current == attachment) {
                current = null;
            }
        } finally {
            lock.unlock();
        }
        attachment.retire();
    }

    private static boolean isGone(int errno) {
        return errno == Errno.ENODEV || errno == Errno.EPROTO || errno == Errno.ETIMEDOUT;
    }

    /** The attachment, made at first need and again after its driver died; null if there is no driver. */
    private RingAttachment attach() {
        RingAttachment attachment = current;
        if (attachment != null) {
            return attachment;
        }
        lock.lock();
        try {
            if (current == null && System.nanoTime() - retryAtNs >= 0) {
                retryAtNs = System.nanoTime() + RETRY_NS;
                current = new RingAttachment(PipeDevice.init(endpoint(), options()));
            }
            return current;
        } catch (IOException | IllegalArgumentException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "no driver: " + e.getMessage());
            return null;
        } finally {
            lock.unlock();
        }
    }

    private static PdOptions options() {
        PdOptions options = new PdOptions();
        return System.getProperty(PdOptions.MAX_SOCKETS_PROPERTY) == null ? options.maxSockets(MAX_SOCKETS) : options;
    }

    private DriverEndpoint endpoint() throws IOException {
        if (directory != null) {
            return DriverDirectory.at(directory);
        }
        if (embedded == null) {
            embedded = launch();
        }
        return embedded;
    }

    /** Starts a driver in a daemon thread, so that its own threads are daemons and the program can end. */
    private static PipeDeviceDriver launch() throws IOException {
        PipeDeviceDriver[] driver = new PipeDeviceDriver[1];
        IOException[] failure = new IOException[1];
        Thread starter = new Thread(
                () -> {
                    try {
                        driver[0] = PipeDeviceDriver.launch(new DriverContext());
                    } catch (IOException e) {
                        failure[0] = e;
                    }
                },
                "pd-start");
        starter.setDaemon(true);
        starter.start();
        boolean interrupted = false;
        while (true) {
            try {
                starter.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (driver[0] == null) {
            throw failure[0] != null ? failure[0] : new IOException("the driver did not start");
        }
        return driver[0];
    }
}
