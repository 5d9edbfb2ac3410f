// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.identity;

import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LocalAddresses;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.Set;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The addresses of the attached processes' network namespaces. They are read once for each namespace, in steps
 * ({@link Chores}) and up to a limit ({@link LocalAddresses#MAX_BYTES}), because the owner of a namespace decides how
 * many addresses it has. Belongs to the driver's thread.
 */
public final class AddressBook {
    private static final System.Logger LOG = new LazyLogger(AddressBook.class).get();

    /** Reading a namespace again takes at most one part in this many of the time. */
    private static final int REFRESH_SHARE = 20;

    /** The addresses of a namespace at the last reading. */
    static final class Addresses {
        private final long namespace;
        private Set<InetAddress> known = Set.of();
        private int users;
        private boolean reading;
        private long readAgainAtNs;

        Addresses(long namespace) {
            this.namespace = namespace;
        }

        static Addresses of(long namespace, Set<InetAddress> known) {
            Addresses addresses = new Addresses(namespace);
            addresses.known = known;
            return addresses;
        }

        Set<InetAddress> known() {
            return known;
        }

        private void read(LocalAddresses read, long tookNs) {
            known = read.addresses();
            reading = false;
            readAgainAtNs = System.nanoTime() + tookNs * REFRESH_SHARE;
        }
    }

    /** Reads a namespace in steps. */
    public static final class Reading implements AutoCloseable {
        private final Identity identity;
        private final LocalAddresses file;
        private long tookNs;

        /**
         * Opens the files that list the addresses of a namespace.
         *
         * @param identity a process in the namespace
         * @throws IOException if the process is gone
         */
        public Reading(Identity identity) throws IOException {
            this.identity = identity;
            this.file = new LocalAddresses(identity.pid());
        }

        /**
         * Reads a part.
         *
         * @return false if that was the last one
         * @throws IOException if the process is gone
         */
        public boolean step() throws IOException {
            long start = System.nanoTime();
            boolean more = file.step();
            tookNs += System.nanoTime() - start;
            if (!more) {
                identity.checkUnchanged();
            }
            return more;
        }

        @Override
        public void close() {
            try {
                file.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "cannot close a file of /proc: {0}", e.getMessage());
            }
        }
    }

    private final Long2ObjectHashMap<Addresses> namespaces = new Long2ObjectHashMap<>();
    private final Chores chores;
    private final DriverCounters counters;

    /**
     * Creates a book that knows no namespace.
     *
     * @param chores reads addresses in steps
     * @param counters of the driver
     */
    public AddressBook(Chores chores, DriverCounters counters) {
        this.chores = chores;
        this.counters = counters;
    }

    /**
     * Gives a process the known addresses of its namespace.
     *
     * @param identity the process's
     * @return false if they have to be read first
     */
    public boolean lend(Identity identity) {
        Addresses addresses = namespaces.get(identity.networkNamespace());
        if (addresses == null) {
            return false;
        }
        addresses.users++;
        identity.addresses(addresses);
        return true;
    }

    /**
     * Enters the addresses that were read for a process, if its namespace is not known yet.
     *
     * @param identity the process's
     * @param reading complete
     */
    public void enter(Identity identity, Reading reading) {
        if (!lend(identity)) {
            Addresses addresses = new Addresses(identity.networkNamespace());
            namespaces.put(addresses.namespace, addresses);
            lend(identity);
            take(addresses, reading);
            // Allow an immediate second reading when the first unknown address is used.
            addresses.readAgainAtNs = System.nanoTime();
        }
    }

    private void take(Addresses addresses, Reading reading) {
        addresses.read(reading.file, reading.tookNs);
        if (!reading.file.isComplete()) {
            counters.addressesLeftOut.add(1);
            LOG.log(
                    Level.DEBUG,
                    "the network namespace of process {0} has too many addresses or routes: {1} addresses are known",
                    reading.identity.pid(),
                    addresses.known.size());
        }
    }

    /**
     * Releases the addresses of a process that is gone.
     *
     * @param identity the process's
     */
    public void giveBack(Identity identity) {
        Addresses addresses = identity.addresses();
        if (addresses != null && --addresses.users == 0) {
            namespaces.remove(addresses.namespace);
        }
    }

    /**
     * Reads the addresses of a process's namespace again, unless they were read recently.
     *
     * @param identity the process's
     * @param afterwards called after the reading; not called if this returns false
     * @return whether a reading has begun
     */
    public boolean refresh(Identity identity, Runnable afterwards) {
        Addresses addresses = identity.addresses();
        if (addresses.reading || System.nanoTime() - addresses.readAgainAtNs < 0) {
            return false;
        }
        Reading reading;
        try {
            reading = new Reading(identity);
        } catch (IOException e) {
            LOG.log(
                    Level.DEBUG,
                    "addresses of process {0} are not known any more: {1}",
                    identity.pid(),
                    e.getMessage());
            return false;
        }
        addresses.reading = true;
        chores.add(now -> {
            try {
                if (reading.step()) {
                    return true;
                }
                take(addresses, reading);
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.DEBUG, "addresses of process {0}: {1}", identity.pid(), e.getMessage());
                addresses.reading = false;
                addresses.readAgainAtNs = System.nanoTime() + reading.tookNs * REFRESH_SHARE;
            }
            reading.close();
            afterwards.run();
            return false;
        });
        return true;
    }
}
