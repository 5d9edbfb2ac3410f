// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.Share;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Takes the requests that processes post in their rings, checks every field, and executes them. Belongs to the
 * driver's thread.
 *
 * <p>A request is ignored if its socket no longer exists, or if it concerns an earlier socket of the same id (the entry
 * sequence holds the id's generation): it may have crossed an event of the driver. A request that no honest PD Lib
 * makes detaches its process.
 */
public final class RequestReader {
    private static final System.Logger LOG = new LazyLogger(RequestReader.class).get();

    private final LimitedLog notHandled = LimitedLog.error(RequestReader.class, "error while handling {0}");
    private static final int TURN_REQUESTS = 256;

    private final CopyScheduler copies;
    private final Teardown teardown;
    private final FaultyProcesses faulty;
    private final DriverCounters counters;
    private final Command request = new Command();

    /**
     * Reads requests of all processes.
     *
     * @param copies gets the sends
     * @param teardown closes sockets
     * @param faulty is informed of processes that broke a rule
     * @param counters of the driver
     */
    public RequestReader(CopyScheduler copies, Teardown teardown, FaultyProcesses faulty, DriverCounters counters) {
        this.copies = copies;
        this.teardown = teardown;
        this.faulty = faulty;
        this.counters = counters;
    }

    /**
     * Begins a duty cycle: gives all processes credit if a round is over, and takes a bounded number of requests from
     * each that has credit ({@link Share}).
     *
     * @param attached the processes that may have requests
     * @param leaving the processes whose data are still delivered
     * @param nowNs the time
     * @return how many requests were taken
     */
    public int takeTurns(List<AttachedProcess> attached, List<AttachedProcess> leaving, long nowNs) {
        boolean newRound = copies.round().begin();
        int taken = 0;
        for (int i = 0; i < attached.size(); i++) {
            AttachedProcess process = attached.get(i);
            if (newRound) {
                process.share.refill(process.use.turnNs());
            }
            taken += turn(process, nowNs);
        }
        for (int i = 0; newRound && i < leaving.size(); i++) {
            leaving.get(i).share.refill(leaving.get(i).use.turnNs());
        }
        return taken;
    }

    private int turn(AttachedProcess process, long nowNs) {
        if (!process.share.hasCredit()) {
            return 0;
        }
        int count = take(process, TURN_REQUESTS, nowNs);
        if (count == TURN_REQUESTS) {
            copies.round().requestsLeft(process);
        }
        return count;
    }

    /**
     * Takes some of the requests that a process posted before its message or its end, even if it has no credit.
     *
     * @param process any
     * @param nowNs the time
     * @return how many were taken; 0 if there are none left
     */
    public int drain(AttachedProcess process, long nowNs) {
        return take(process, TURN_REQUESTS, nowNs);
    }

    private int take(AttachedProcess process, int limit, long nowNs) {
        int count = 0;
        try {
            while (count < limit && process.requests.poll(request)) {
                count++;
                if (!act(process, nowNs)) {
                    break;
                }
            }
        } catch (RuntimeException | Error e) {
            // If a request triggers a defect of the driver, only the process that posted it is detached. The
            // process cannot continue: a send that was taken and then lost, because memory ran out, would leave a
            // hole in the stream.
            faulty.add(process, "request that the driver cannot handle: " + e);
            notHandled.log(e, request);
        }
        if (count > 0) {
            process.requests.flush();
            process.share.requests(count);
            counters.requests.add(count);
        }
        return count;
    }

    private boolean act(AttachedProcess process, long nowNs) {
        Endpoint endpoint = process.sockets.get(request.connectionId());
        if (endpoint == null
                || !endpoint.known
                || (endpoint.generation & CommandDescriptor.MAX_ID) != request.entrySequence()) {
            return true;
        }
        switch (request.type()) {
            case CommandType.SEND -> {
                return send(endpoint);
            }
            case CommandType.RECV_DONE -> copies.spaceFreed(endpoint);
            case CommandType.SHUTDOWN -> teardown.shutOutput(endpoint);
            case CommandType.SHUTDOWN_INPUT -> endpoint.inputShut = true;
            case CommandType.CLOSE -> teardown.close(endpoint, request.tableId() == 1, nowNs);
            case CommandType.OPENED -> open(endpoint);
            case CommandType.SEND_RING_GREW -> {
                return grow(endpoint);
            }
            default -> {
                faulty.add(process, "request of unknown type " + request.type());
                return false;
            }
        }
        return true;
    }

    private boolean send(Endpoint endpoint) {
        boolean connected = endpoint.state == Endpoint.State.CONNECTED;
        if (!connected || endpoint.reset || endpoint.closing || endpoint.outputShut) {
            // Another thread of the process posted this while the socket was being shut down.
            return true;
        }
        long offset = request.source();
        int length = request.length();
        if (endpoint.sendRegion == null) {
            faulty.add(endpoint.process, "send on socket " + endpoint.sid + ", which cannot send");
            return false;
        }
        if (length <= 0 || offset < 0 || offset > endpoint.sendSize - (long) length) {
            faulty.add(
                    endpoint.process,
                    "send of " + length + " bytes at " + offset + " is outside the ring of socket " + endpoint.sid);
            return false;
        }
        if (endpoint.peer.inputShut && endpoint.peer.outputShut) {
            // As with TCP, the send is accepted, and the reset follows.
            teardown.reset(endpoint.connection, Errno.ECONNRESET);
            return true;
        }
        if (!endpoint.sends.post((int) offset, length)) {
            faulty.add(endpoint.process, "too many sends outstanding on socket " + endpoint.sid);
            return false;
        }
        endpoint.process.counters.message();
        copies.schedule(endpoint);
        return true;
    }

    private boolean grow(Endpoint endpoint) {
        int size = request.length();
        if (endpoint.sendRegion == null
                || size <= endpoint.sendSize
                || size > endpoint.sendRingSize
                || Integer.bitCount(size) != 1) {
            faulty.add(endpoint.process, "send ring of socket " + endpoint.sid + " grew to " + size + " bytes");
            return false;
        }
        if (endpoint.state != Endpoint.State.CONNECTED || endpoint.reset || endpoint.closing) {
            return true;
        }
        try {
            endpoint.sendRegion.address(endpoint.sendOffset + endpoint.sendSize, size - endpoint.sendSize);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the send ring of {0} cannot grow: {1}", endpoint, e.getMessage());
            teardown.reset(endpoint.connection, Errno.ENOMEM);
            return true;
        }
        endpoint.process.share.allocated(size - endpoint.sendSize);
        endpoint.sendSize = size;
        endpoint.sends.ringSize(size);
        // One process does not make a cycle long by many of these.
        return endpoint.process.share.hasCredit();
    }

    /** Begins to read the process's words, and notifies the process of earlier changes. */
    private void open(Endpoint endpoint) {
        endpoint.opened = true;
        teardown.publishState(endpoint);
    }
}
