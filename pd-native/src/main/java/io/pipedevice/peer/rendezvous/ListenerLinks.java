// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.peer.link.LinkListener;
import io.pipedevice.peer.link.ServerLink;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.BellLink;
import io.pipedevice.peer.wait.PeerSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The links of a listener, and the arming of their accept rings. Thread safe. Closed by the listener. */
final class ListenerLinks implements LinkListener {
    /** The most links at the same time. */
    private static final int MAX_LINKS = 4096;

    /** The most links with one client process. It needs one, and a few more while earlier ones end. */
    static final int MAX_LINKS_OF_ONE = 16;

    /** The most links whose processors are compared: with more, the comparison is not worth its cost. */
    private static final int MOST_ASKED = 16;

    private final PeerSource listener;
    private final int backlog;

    /**
     * Guards the list of links and the arming of their accept rings. Its holder does not wait for the lock of a link.
     */
    private final ReentrantLock lock = new ReentrantLock();

    /** Replaced when it changes, under the lock; any thread reads it. */
    private volatile ServerLink[] links = {};

    /** The index of the link that is checked first: the one after the link served last. Any thread; a hint. */
    private volatile int next;

    /** The bell that the accept rings are armed with; null if they are not. Guarded by the lock, like the next two. */
    private Bell armedBell;

    private long armedGeneration;
    private int armedCookie;

    /** Set under the lock; any thread reads it. */
    private volatile boolean closed;

    /**
     * @param listener whose waiting threads are woken when a link comes
     * @param backlog the most connections of one link that may wait
     */
    ListenerLinks(PeerSource listener, int backlog) {
        this.listener = listener;
        this.backlog = backlog;
    }

    @Override
    public int backlog() {
        return backlog;
    }

    boolean isOpen() {
        return !closed;
    }

    /** The links at the moment of the call. */
    List<ServerLink> all() {
        return Collections.unmodifiableList(Arrays.asList(links));
    }

    /**
     * Takes the next connection that waits. Client processes are served in turn.
     *
     * @param patienceNanos how long to wait for the lock of a link that has a connection
     * @return null if none waits, or another thread holds the lock of its link
     */
    PeerSocket take(long patienceNanos) throws PdException {
        if (closed) {
            throw new PdException(Errno.EBADF, "the listener is closed");
        }
        IOException failure = null;
        ServerLink[] all = links;
        int first = next;
        for (int i = 0; i < all.length; i++) {
            int index = (first + i) % all.length;
            ServerLink link = all[index];
            try {
                PeerSocket socket = link.isWaiting() ? link.accept(patienceNanos) : null;
                if (socket != null) {
                    next = index + 1;
                    return socket;
                }
                if (link.isBroken() && !link.isWaiting()) {
                    drop(link);
                }
            } catch (IOException e) {
                // The other links are served nevertheless.
                failure = e;
            }
        }
        throwIfAny(failure);
        return null;
    }

    private static void throwIfAny(IOException failure) throws PdException {
        if (failure instanceof PdException why) {
            throw why;
        }
        if (failure != null) {
            int errno = failure instanceof LinuxException why ? why.errno() : Errno.EIO;
            throw new PdException(errno, failure.getMessage());
        }
    }

    /** Whether a connection waits to be accepted. */
    boolean isWaiting() {
        for (ServerLink link : links) {
            if (link.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds the link of a new client, and sends the welcome before another thread can announce a bell on the link. False
     * if there is no room for it.
     */
    boolean add(ServerLink link, ServerHandshake.Welcome welcome) throws IOException {
        lock.lock();
        try {
            ServerLink[] all = links;
            if (closed
                    || !link.isAffordable()
                    || all.length >= MAX_LINKS
                    || linksWith(link.pid()) >= MAX_LINKS_OF_ONE) {
                return false;
            }
            ServerLink[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = link;
            // Before the client knows of the link, because a thread that accepts its connection takes no lock. A thread
            // that arms takes this one.
            links = more;
            // Early: at the client's first connect each watching thread is already awake and checks this link, or waits
            // here to arm it.
            listener.wakeWatchers();
            boolean sent = false;
            try {
                welcome.send();
                sent = true;
            } finally {
                links = sent ? more : all;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The number of links with a process; 0 for processes in other PID namespaces, which cannot be distinguished. */
    private long linksWith(int pid) {
        return pid == 0
                ? 0
                : Arrays.stream(links).filter(link -> link.pid() == pid).count();
    }

    /** The welcome was sent to a client. */
    void linked(ServerLink link) {
        lock.lock();
        try {
            if (armedBell != null && !closed) {
                link.arm(armedBell, armedGeneration, armedCookie);
            }
        } finally {
            lock.unlock();
        }
        // The client may have connected before its accept ring was armed, and a failed arming has to be repeated.
        listener.wakeWatchers();
    }

    @Override
    public void lost(ServerLink link) {
        if (!link.isWaiting()) {
            drop(link);
        }
    }

    private void drop(ServerLink link) {
        if (remove(link)) {
            link.stopListening();
        }
    }

    /** Removes a link from the list. False if it is not there. */
    private boolean remove(ServerLink link) {
        lock.lock();
        try {
            List<ServerLink> kept = new ArrayList<>(Arrays.asList(links));
            boolean was = kept.remove(link);
            if (was) {
                links = kept.toArray(ServerLink[]::new);
            }
            return was;
        } finally {
            lock.unlock();
        }
    }

    /** Arms the accept rings, and those of links to come, as {@link PeerSource#arm}. */
    boolean arm(Bell bell, long generation, int cookie) {
        lock.lock();
        try {
            armedBell = bell;
            armedGeneration = generation;
            armedCookie = cookie;
            boolean all = true;
            for (ServerLink link : links) {
                all &= link.isBroken() || link.arm(bell, generation, cookie);
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    void disarm() {
        lock.lock();
        try {
            armedBell = null;
            for (ServerLink link : links) {
                link.disarm();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether all clients last connected from a processor; false if that is not known, or there are many clients. */
    boolean wereAllPostedFrom(int processor) {
        ServerLink[] asked = links;
        boolean all = processor >= 0 && asked.length > 0 && asked.length <= MOST_ASKED;
        for (int i = 0; all && i < asked.length; i++) {
            all = asked[i].wasPostedFrom(processor);
        }
        return all;
    }

    /** As {@link #all}, without an object for each call. */
    void forEach(Consumer<BellLink> visitor) {
        for (ServerLink link : links) {
            visitor.accept(link);
        }
    }

    /** Resets the connections that wait, and refuses others. */
    void refuseConnections() {
        for (ServerLink link : links) {
            link.refuseConnections();
        }
    }

    /** Lets no more links in. False if that was so before. */
    boolean beginClose() {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Stops listening on all links, after {@link #beginClose}. */
    void close() {
        for (ServerLink link : takeAll()) {
            link.stopListening();
        }
    }

    private ServerLink[] takeAll() {
        lock.lock();
        try {
            ServerLink[] all = links;
            links = new ServerLink[0];
            return all;
        } finally {
            lock.unlock();
        }
    }
}
