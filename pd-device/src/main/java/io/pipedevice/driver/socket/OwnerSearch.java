// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.socket;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.identity.AddressBook;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/**
 * Searches for a process that got a new address after its namespace was read. An IPv6 address, for example, cannot be
 * used for one or two seconds after it was set, and a server that only listens gives no other reason to read its
 * namespace again. The search proceeds in steps, and no call waits for it: the connection that started it is refused.
 * Belongs to the driver's thread.
 */
final class OwnerSearch {
    private final PortTable ports;
    private final AddressBook addresses;
    private final Chores chores;

    /** The processes with a search in progress; each may have one. */
    private final Set<AttachedProcess> searching = new HashSet<>();

    /**
     * Creates a search with no result yet.
     *
     * @param ports the listeners
     * @param addresses has addresses read again
     * @param chores does the work in steps
     */
    OwnerSearch(PortTable ports, AddressBook addresses, Chores chores) {
        this.ports = ports;
        this.addresses = addresses;
        this.chores = chores;
    }

    /** Starts a search, because no listener is known at an address to which a process connects. */
    void begin(AttachedProcess client, InetSocketAddress address) {
        if (searching.contains(client)) {
            return;
        }
        Iterator<Identity> candidates = ports.mayOwn(client, address).iterator();
        if (!candidates.hasNext()) {
            return;
        }
        searching.add(client);
        chores.add(now -> {
            addresses.refresh(candidates.next(), () -> {});
            return candidates.hasNext() || !searching.remove(client);
        });
    }
}
