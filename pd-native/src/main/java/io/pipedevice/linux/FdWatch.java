// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * A descriptor that this JVM's watching thread waits on for threads that must not block in the kernel, such as virtual
 * threads, which would pin their carrier. There is one watching thread. It starts with the first watch, sleeps in
 * epoll_wait(2) while nothing happens, and never ends.
 *
 * <p>Thread safe. The owner of a watch closes it before the descriptor.
 */
public final class FdWatch implements AutoCloseable {
    private static final LimitedLog NOT_WAITING = LimitedLog.error(FdWatch.class, "cannot wait for descriptors");
    private static final LimitedLog HANDLER_FAILED =
            LimitedLog.error(FdWatch.class, "a handler of a descriptor failed");
    private static final int MOST_EVENTS = 64;
    private static final ConcurrentHashMap<Long, FdWatch> WATCHES = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** The set that the thread waits on; null before it runs. Changed under the class's monitor. */
    private static volatile Epoll watched;

    private final Fd fd;
    private final IntConsumer handler;
    private final long number = NUMBERS.incrementAndGet();

    private FdWatch(Fd fd, IntConsumer handler) {
        this.fd = fd;
        this.handler = handler;
    }

    /**
     * Begins to watch a descriptor.
     *
     * @param fd the descriptor; the caller keeps ownership
     * @param events {@link Epoll#IN}, {@link Epoll#OUT}, {@link Epoll#RDHUP}, {@link Epoll#ONESHOT}, or-ed
     * @param handler gets the events, on the watching thread, which it must not block; called for each event, or once
     *     with ONESHOT
     * @return the watch, for the caller to close
     * @throws LinuxException EMFILE, ENOSPC, ENOMEM; EEXIST if the descriptor is watched already
     */
    public static FdWatch open(Fd fd, int events, IntConsumer handler) throws LinuxException {
        FdWatch watch = new FdWatch(fd, handler);
        Epoll set = start();
        WATCHES.put(watch.number, watch);
        try {
            set.add(fd, events, watch.number);
        } catch (LinuxException e) {
            WATCHES.remove(watch.number);
            throw e;
        }
        return watch;
    }

    /**
     * Changes the events, or arms a ONESHOT watch again.
     *
     * @param events as for {@link #open}
     * @throws LinuxException ENOENT after close, EBADF if the descriptor is closed
     */
    public void modify(int events) throws LinuxException {
        watched.modify(fd, events, number);
    }

    /** Ends the watch. A handler that is running on the watching thread may return after this call. */
    @Override
    public void close() {
        if (WATCHES.remove(number) != null) {
            try {
                watched.remove(fd);
            } catch (LinuxException e) {
                // The descriptor was closed before, and has left the set.
                return;
            }
        }
    }

    private static Epoll start() throws LinuxException {
        Epoll set = watched;
        return set == null ? startThread() : set;
    }

    private static synchronized Epoll startThread() throws LinuxException {
        if (watched == null) {
            Epoll set = Epoll.open();
            Thread thread = Thread.ofPlatform()
                    .name("pd-watch")
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .unstarted(() -> run(set));
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            try {
                thread.start();
                watched = set;
            } finally {
                if (watched == null) {
                    set.close();
                }
            }
        }
        return watched;
    }

    private static void run(Epoll set) {
        Epoll.Events events = new Epoll.Events(MOST_EVENTS);
        while (true) {
            try {
                int count = set.await(events, -1);
                for (int i = 0; i < count; i++) {
                    deliver(events.data(i), events.events(i));
                }
            } catch (LinuxException | RuntimeException | Error e) {
                NOT_WAITING.log(e);
            }
        }
    }

    /**
     * Calls the handler of one watch. A failure must not keep the others from their events, which may be reported only
     * once.
     */
    private static void deliver(long number, int events) {
        FdWatch watch = WATCHES.get(number);
        try {
            if (watch != null) {
                watch.handler.accept(events);
            }
        } catch (RuntimeException | Error e) {
            HANDLER_FAILED.log(e);
        }
    }
}
