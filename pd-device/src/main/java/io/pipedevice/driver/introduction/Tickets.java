// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.linux.Errno;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Connections of the kernel's whose data may go through the device: from the ruling until the client has connected by
 * its ticket's number, or has given up. A number is of use to the client's process only. Belongs to the driver's
 * thread.
 */
final class Tickets {
    private final Long2ObjectHashMap<Ticket> open = new Long2ObjectHashMap<>();
    private long last;

    /** Issues a ticket; returns its number, which is not 0. */
    long issue(Intent intent, Acceptance acceptance, Endpoint listener) {
        open.put(++last, new Ticket(intent, acceptance, listener));
        return last;
    }

    /** The ticket of a number that a process has named. */
    Ticket of(long number, Identity client) throws Refusal {
        Ticket ticket = open.get(number);
        if (ticket == null || !ticket.intent.client.is(client.pid(), client.startTime())) {
            throw new Refusal(Errno.EACCES, "no introduction of this process has the number " + number);
        }
        return ticket;
    }

    /** The ticket of a number, if there is one, is used, or given up. */
    void remove(long number) {
        open.remove(number);
    }
}
