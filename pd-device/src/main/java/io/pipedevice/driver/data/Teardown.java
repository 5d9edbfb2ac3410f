// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;

/**
 * Ends connections as TCP does: half-close, close, reset, and the death of a process. A socket's rings are released
 * when its data are delivered and the device no longer has a command of it. Belongs to the driver's thread.
 */
public final class Teardown implements CopyScheduler.Faults {
    /** Receives the sockets that are released, to give back the resources that it keeps for them. */
    @FunctionalInterface
    public interface Release {
        /**
         * A socket is being released. Called by the driver's thread.
         *
         * @param endpoint the socket, which no thread uses any more
         */
        void released(Endpoint endpoint);
    }

    private static final System.Logger LOG = new LazyLogger(Teardown.class).get();

    private static final String ENDING = "the end of a socket";

    private final CopyScheduler copies;
    private final ConnectionTable connections;
    private final Release released;
    private final Notifier notifier;
    private final FaultyProcesses faulty;
    private final DriverCounters counters;
    private final Chores chores;

    /** Whether a chore is looking for sockets that have lingered for too long. */
    private boolean expiring;

    /** Closed sockets that were not released at once, in the order of their last check. */
    private final LinkedHashSet<Endpoint> lingering = new LinkedHashSet<>();

    /**
     * Closes sockets.
     *
     * @param copies delivers the posted data
     * @param connections from which released connections are removed
     * @param released is informed of released sockets
     * @param notifier is informed of the sockets that change
     * @param faulty is informed of processes whose sockets cannot be ended
     * @param counters of the driver
     * @param chores does long work in steps
     */
    public Teardown(
            CopyScheduler copies,
            ConnectionTable connections,
            Release released,
            Notifier notifier,
            FaultyProcesses faulty,
            DriverCounters counters,
            Chores chores) {
        this.copies = copies;
        this.connections = connections;
        this.released = released;
        this.notifier = notifier;
        this.faulty = faulty;
        this.counters = counters;
        this.chores = chores;
    }

    /** Ends the output of a socket; its peer gets end-of-file after the posted data. */
    void shutOutput(Endpoint endpoint) {
        if (endpoint.state == Endpoint.State.CONNECTED && !endpoint.outputShut) {
            endpoint.outputShut = true;
            if (endpoint.sends.isEmpty()) {
                drained(endpoint);
            }
        }
    }

    @Override
    public void failed(Connection connection, int errno, String reason) {
        LOG.log(Level.DEBUG, "connection {0} is reset: {1}", connection.id, reason);
        reset(connection, errno);
    }

    @Override
    public void quiesced(Endpoint endpoint) {
        releaseGuarded(endpoint);
        releaseGuarded(endpoint.peer);
    }

    /** As {@link #guarded}, without an allocation: most messages end with this. */
    private void releaseGuarded(Endpoint endpoint) {
        try {
            release(endpoint);
        } catch (RuntimeException | Error e) {
            faulty.failed(endpoint.process, ENDING, e);
        }
    }

    /**
     * Does work for a socket. If that hits a defect of the driver, or a lack of memory, only the socket's process is
     * detached: the work for others, and for the other end of a connection, continues.
     */
    private void guarded(Endpoint endpoint, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            faulty.failed(endpoint.process, ENDING, e);
        }
    }

    @Override
    public void drained(Endpoint endpoint) {
        Endpoint peer = endpoint.peer;
        if (peer.state == Endpoint.State.CONNECTED && !peer.endOfFile && !peer.reset) {
            peer.endOfFile = true;
            peer.publishState();
            notifier.touch(peer, Notifier.STATE);
        }
        if (endpoint.closing && !endpoint.reset && leavesUnread(endpoint)) {
            reset(endpoint.connection, Errno.ECONNRESET);
        }
        release(endpoint);
    }

    private boolean leavesUnread(Endpoint endpoint) {
        boolean unread =
                copies.room().readConsumed(endpoint) && endpoint.received.produced() != endpoint.received.consumed();
        return unread || endpoint.received.inFlight() > 0;
    }

    /**
     * Closes a socket: delivers the posted data and then end-of-file, or resets the peer if the socket leaves data
     * unread or {@code abort} is set. As with TCP, data and an end of the output that came before such a reset are
     * delivered.
     *
     * @param endpoint any
     * @param abort whether to drop the data in transit and reset the peer
     * @param nowNs the time
     */
    public void close(Endpoint endpoint, boolean abort, long nowNs) {
        if (endpoint.closing || endpoint.state == Endpoint.State.RELEASED) {
            return;
        }
        endpoint.closing = true;
        if (endpoint.state == Endpoint.State.LISTENING) {
            resetAll(endpoint.backlog().abandoned());
        } else if (endpoint.state == Endpoint.State.CONNECTED && !endpoint.reset) {
            boolean isEnding = endpoint.outputShut && !endpoint.sends.isEmpty();
            if (abort || (leavesUnread(endpoint) && !isEnding)) {
                reset(endpoint.connection, Errno.ECONNRESET);
            } else {
                shutOutput(endpoint);
                // A peer that waits for room in this socket's ring is in no round. Schedule it: its turn will find the
                // socket closed.
                copies.schedule(endpoint.peer);
            }
        }
        release(endpoint);
        if (endpoint.state != Endpoint.State.RELEASED) {
            linger(endpoint, nowNs);
        }
    }

    /** Resets the connections in a closed listener's backlog, in steps, because there may be thousands. */
    private void resetAll(ArrayDeque<Endpoint> backlog) {
        if (!backlog.isEmpty()) {
            chores.add(now -> {
                Endpoint each = backlog.poll();
                guarded(each, () -> close(each, true, now));
                return !backlog.isEmpty();
            });
        }
    }

    private void linger(Endpoint endpoint, long nowNs) {
        endpoint.lingerAtNs = nowNs;
        endpoint.lingerConsumed = endpoint.peer.received.consumed();
        lingering.add(endpoint);
    }

    /**
     * Resets closed sockets whose data wait for room while their peer has consumed nothing for the whole time. A socket
     * that only waits for the device, or for its process's rate, has no timeout.
     *
     * @param nowNs the time
     * @param lingerNs the longest time without progress
     */
    public void expire(long nowNs, long lingerNs) {
        if (!expiring && isExpired(nowNs, lingerNs)) {
            expiring = true;
            chores.add(now -> {
                if (isExpired(nowNs, lingerNs)) {
                    expireOldest(nowNs);
                }
                expiring = isExpired(nowNs, lingerNs);
                return expiring;
            });
        }
    }

    private boolean isExpired(long nowNs, long lingerNs) {
        return !lingering.isEmpty() && nowNs - lingering.getFirst().lingerAtNs > lingerNs;
    }

    private void expireOldest(long nowNs) {
        Endpoint oldest = lingering.removeFirst();
        if (!oldest.reset) {
            guarded(oldest, () -> expire(oldest, nowNs));
        }
    }

    private void expire(Endpoint oldest, long nowNs) {
        if (waitsInVain(oldest)) {
            LOG.log(Level.DEBUG, "{0} is reset: its peer has not read for too long", oldest);
            reset(oldest.connection, Errno.ECONNRESET);
        } else {
            linger(oldest, nowNs);
        }
    }

    private boolean waitsInVain(Endpoint endpoint) {
        Endpoint peer = endpoint.peer;
        return peer.spaceWanted
                && peer.state == Endpoint.State.CONNECTED
                && endpoint.sends.hasUnsubmitted()
                && copies.room().readConsumed(peer)
                && peer.received.consumed() == endpoint.lingerConsumed;
    }

    /**
     * Whether {@link #expire} must be called after a while.
     *
     * @return whether a closed socket waits for its peer to read
     */
    public boolean isLingering() {
        return !lingering.isEmpty();
    }

    /** Notifies a socket's owner of a change of state. */
    void publishState(Endpoint endpoint) {
        notifier.touch(endpoint, Notifier.STATE);
    }

    /** Resets a connection: drops the data that either side has not sent yet, and notifies both. */
    void reset(Connection connection, int errno) {
        guarded(connection.client, () -> resetSide(connection.client, errno));
        guarded(connection.server, () -> resetSide(connection.server, errno));
        counters.resets.add(1);
    }

    private void resetSide(Endpoint endpoint, int errno) {
        if (endpoint.state != Endpoint.State.CONNECTED || endpoint.reset) {
            return;
        }
        endpoint.reset = true;
        endpoint.sends.dropUnsubmitted();
        // As in the kernel's tcp_reset, after the peer's end-of-file a reset can only concern written data.
        endpoint.slot.error(endpoint.endOfFile && errno == Errno.ECONNRESET ? Errno.EPIPE : errno);
        endpoint.publishState();
        notifier.touch(endpoint, Notifier.STATE);
        release(endpoint);
    }

    /** Releases a closed socket's rings, id and port, once neither data nor commands of it are left. */
    void release(Endpoint endpoint) {
        if (!endpoint.closing || endpoint.state == Endpoint.State.RELEASED || !isQuiet(endpoint)) {
            return;
        }
        boolean connected = endpoint.state == Endpoint.State.CONNECTED;
        endpoint.state = Endpoint.State.RELEASED;
        lingering.remove(endpoint);
        released.released(endpoint);
        if (connected) {
            endpoint.process.counters.disconnected();
            endpoint.process.memory.receivePool.give(endpoint.receiveRing);
            if (endpoint.sendRegion != null) {
                endpoint.sendRegion.release();
            }
            if (endpoint.peer.state == Endpoint.State.RELEASED) {
                connections.remove(endpoint.connection);
                counters.connections(connections.size());
            }
        }
        endpoint.process.sockets.remove(endpoint);
        endpoint.publishState();
        notifier.touch(endpoint, Notifier.STATE);
    }

    private static boolean isQuiet(Endpoint endpoint) {
        if (endpoint.state != Endpoint.State.CONNECTED) {
            return true;
        }
        boolean sent = endpoint.reset || endpoint.sends.isEmpty();
        return sent && endpoint.inFlight == 0 && endpoint.peer.inFlight == 0;
    }
}
