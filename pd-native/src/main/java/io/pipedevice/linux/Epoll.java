// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Waits for any of many descriptors, epoll(7).
 *
 * <p>Any thread may change the set at any time, even while others wait. Closing does not wake a waiting thread; to wake
 * it, add an {@link EventFd} to the set and raise that. A descriptor leaves the set by itself only when the last
 * process that has the same open file closes it. So {@linkplain #remove remove} a descriptor that was passed to another
 * process before closing it. The owner closes this.
 */
public final class Epoll implements AutoCloseable {
    /** EPOLLIN: readable, or end of file. */
    public static final int IN = 0x1;

    /** EPOLLOUT: writable. */
    public static final int OUT = 0x4;

    /** EPOLLERR: an error is pending; always reported. */
    public static final int ERR = 0x8;

    /** EPOLLHUP: both directions are closed; always reported. */
    public static final int HUP = 0x10;

    /** EPOLLRDHUP: the peer has closed, or closed its sending side. */
    public static final int RDHUP = 0x2000;

    /** EPOLLONESHOT: report once, then nothing until {@link #modify}. */
    public static final int ONESHOT = 1 << 30;

    /** EPOLLET: edge-triggered, report only new events. */
    public static final int ET = 1 << 31;

    /** struct epoll_event is packed on x86-64, and only there. */
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");

    private static final long EVENT_SIZE = PACKED ? 12 : 16;
    private static final long DATA_OFFSET = PACKED ? 4 : 8;
    private static final ValueLayout.OfLong DATA = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt EVENTS = ValueLayout.JAVA_INT_UNALIGNED;

    private final Fd epoll;

    private Epoll(Fd epoll) {
        this.epoll = epoll;
    }

    /**
     * Opens an empty set, epoll_create1(2), close-on-exec.
     *
     * @return the set, for the caller to close
     * @throws LinuxException EMFILE, ENFILE, ENOMEM
     */
    public static Epoll open() throws LinuxException {
        int fd = WaitCalls.epollCreate(WaitCalls.EPOLL_CLOEXEC);
        return new Epoll(Fd.own(LinuxException.check("epoll_create1", fd)));
    }

    /**
     * Adds a descriptor, epoll_ctl(2).
     *
     * @param fd     the descriptor to watch
     * @param events IN, OUT, RDHUP, ET, ONESHOT, or-ed
     * @param data   reported with each event
     * @throws LinuxException EEXIST when it is in the set, EPERM for a plain file, ENOSPC, ENOMEM, EBADF after close
     */
    public void add(Fd fd, int events, long data) throws LinuxException {
        control(WaitCalls.EPOLL_CTL_ADD, fd, events, data);
    }

    /**
     * Changes the events and the data of a descriptor; also arms a ONESHOT or ET descriptor again.
     *
     * @param fd     a descriptor of the set
     * @param events as for {@link #add}
     * @param data   reported with each event
     * @throws LinuxException ENOENT when it is not in the set, EBADF after close
     */
    public void modify(Fd fd, int events, long data) throws LinuxException {
        control(WaitCalls.EPOLL_CTL_MOD, fd, events, data);
    }

    /**
     * Removes a descriptor from the set. Another thread may still handle an event that it has already received.
     *
     * @param fd a descriptor of the set
     * @throws LinuxException ENOENT when it is not in the set, EBADF after close
     */
    public void remove(Fd fd) throws LinuxException {
        control(WaitCalls.EPOLL_CTL_DEL, fd, 0, 0);
    }

    /**
     * Adds a descriptor that another object owns, epoll_ctl(2).
     *
     * @param descriptor its number; its owner keeps it open while it is in the set
     * @param events as for {@link #add(Fd, int, long)}
     * @param data reported with each event
     * @throws LinuxException as {@link #add(Fd, int, long)}; EBADF also when the descriptor is closed
     */
    public void add(int descriptor, int events, long data) throws LinuxException {
        control(WaitCalls.EPOLL_CTL_ADD, descriptor, events, data);
    }

    /**
     * Changes the events and the data of a descriptor that another object owns.
     *
     * @param descriptor its number
     * @param events as for {@link #add(Fd, int, long)}
     * @param data reported with each event
     * @throws LinuxException ENOENT when it is not in the set, EBADF when it or the set is closed
     */
    public void modify(int descriptor, int events, long data) throws LinuxException {
        control(WaitCalls.EPOLL_CTL_MOD, descriptor, events, data);
    }

    /**
     * Removes a descriptor that another object owns from the set.
     *
     * @param descriptor its number
     * @throws LinuxException ENOENT when it is not in the set, EBADF when it or the set is closed
     */
    public void remove(int descriptor) throws LinuxException {
        control(WaitCalls.EPOLL_CTL_DEL, descriptor, 0, 0);
    }

    private void control(int operation, Fd fd, int events, long data) throws LinuxException {
        int number = fd.acquire();
        try {
            control(operation, number, events, data);
        } finally {
            fd.release();
        }
    }

    private void control(int operation, int number, int events, long data) throws LinuxException {
        int set = epoll.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment event = scratch.buffer();
            event.set(EVENTS, 0, events);
            event.set(DATA, DATA_OFFSET, data);
            LinuxException.check("epoll_ctl", WaitCalls.epollCtl(set, operation, number, event));
        } finally {
            epoll.release();
        }
    }

    /**
     * Waits until something happens, epoll_wait(2). Allocates nothing.
     *
     * @param events where to report; used by one thread at a time
     * @param timeoutMillis 0 does not wait, -1 waits for ever, more than 24 days are cut to that
     * @return the number of events, 0 after the timeout or a signal
     * @throws LinuxException EBADF after close
     */
    public int await(Events events, long timeoutMillis) throws LinuxException {
        int set = epoll.acquire();
        try {
            int result = WaitCalls.epollWait(set, events.memory, events.capacity, WaitCalls.timeout(timeoutMillis));
            events.count = Math.max(result, 0);
            return result == -Errno.EINTR ? 0 : LinuxException.check("epoll_wait", result);
        } finally {
            epoll.release();
        }
    }

    /**
     * The descriptor of the set itself, readable when an event is waiting.
     *
     * @return the descriptor, which belongs to this object
     */
    public Fd fd() {
        return epoll;
    }

    @Override
    public void close() {
        epoll.close();
    }

    /** Room for the events that one wait reports. Not safe for use by several threads at once. */
    public static final class Events {
        private final int capacity;
        private final MemorySegment memory;
        private int count;

        /**
         * Allocates the room; the garbage collector frees it.
         *
         * @param capacity the most events that one wait can report, at least 1; the next wait reports the others
         */
        public Events(int capacity) {
            if (capacity < 1) {
                throw new IllegalArgumentException("capacity " + capacity);
            }
            this.capacity = capacity;
            memory = Arena.ofAuto().allocate(capacity * EVENT_SIZE, Long.BYTES);
        }

        /**
         * The events of one descriptor.
         *
         * @param index from 0 to the last wait's result, exclusive
         * @return IN, OUT, ERR, HUP, RDHUP, or-ed
         */
        public int events(int index) {
            return memory.get(EVENTS, Objects.checkIndex(index, count) * EVENT_SIZE);
        }

        /**
         * The data of one descriptor.
         *
         * @param index from 0 to the last wait's result, exclusive
         * @return the data that was given to {@link Epoll#add} or {@link Epoll#modify}
         */
        public long data(int index) {
            return memory.get(DATA, Objects.checkIndex(index, count) * EVENT_SIZE + DATA_OFFSET);
        }
    }
}
