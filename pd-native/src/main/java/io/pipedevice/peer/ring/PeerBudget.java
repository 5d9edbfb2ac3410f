// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What this process holds on account of links, within what the kernel allows a process: mappings, and descriptors of rings
 * that are not mapped and of clients' ports. Without a bound a peer could use up the mappings that the JVM needs for itself, and a JVM without them
 * may abort.
 *
 * <p>Each peer process has a share, for all links with it: it may hold as many as are free. So one peer gets half of the
 * budget, two a third each, and there is always room for another. Processes of other PID namespaces, which cannot be told
 * apart, have one share. Thread safe; no other lock is taken meanwhile.
 */
public final class PeerBudget {
    /** Part of vm.max_map_count for the memory of peers, and of this process's own rings another half of that. */
    private static final int SHARE_OF_MAPPINGS = 2;

    private static final int DEFAULT_MAX_MAP_COUNT = 65_530;

    /** Part of the descriptors that this process may have, and most of them. */
    private static final int SHARE_OF_DESCRIPTORS = 8;

    private static final int MOST_DESCRIPTORS = 1024;

    /** That of this process. */
    public static final PeerBudget PROCESS = new PeerBudget(mostMappings(), mostDescriptors());

    private final int mostMappings;
    private final int mostDescriptors;

    /** Of peers that there are links with. Guarded by this object's monitor, as all that follows. */
    private final Map<Integer, Share> shares = new HashMap<>();

    private int mappings;
    private int descriptors;
    private int ownMappings;
    private PeerMonitor monitor = PeerMonitor.NONE;

    PeerBudget(int mostMappings, int mostDescriptors) {
        this.mostMappings = mostMappings;
        this.mostDescriptors = mostDescriptors;
    }

    private static int mostMappings() {
        int most = DEFAULT_MAX_MAP_COUNT;
        try {
            // Not readString, whose first read is of one byte: a second read of such a file finds its end.
            String line =
                    Files.readAllLines(Path.of("/proc/sys/vm/max_map_count")).getFirst();
            most = Integer.parseInt(line.strip());
        } catch (IOException | RuntimeException e) {
            // The kernel's default is right nearly everywhere.
            return most / SHARE_OF_MAPPINGS;
        }
        return most / SHARE_OF_MAPPINGS;
    }

    private static int mostDescriptors() {
        try {
            return (int) Math.min(ProcessFacts.openFilesLimit(0) / SHARE_OF_DESCRIPTORS, MOST_DESCRIPTORS);
        } catch (IOException e) {
            return 0;
        }
    }

    /** What the links with one peer process hold. */
    public final class Share {
        private final int pid;

        /** Guarded by the budget's monitor, as the next two. */
        private int links;

        private int mapped;
        private int held;

        private Share(int pid) {
            this.pid = pid;
        }

        /**
         * Counts mappings of the peer's memory.
         *
         * @param count in addition
         * @return false if there is no room for them
         */
        public boolean map(int count) {
            synchronized (PeerBudget.this) {
                if (mapped + count > mostMappings - mappings) {
                    return false;
                }
                mapped += count;
                mappings += count;
                monitor.mapped(count);
                return true;
            }
        }

        /**
         * Counts mappings that are gone.
         *
         * @param count how many
         */
        public void unmap(int count) {
            synchronized (PeerBudget.this) {
                mapped -= count;
                mappings -= count;
                monitor.mapped(-count);
            }
        }

        /** Counts the descriptor of a ring that is not mapped. False if there is no room for it. */
        boolean hold() {
            return hold(1);
        }

        /**
         * Counts descriptors that this process keeps for the peer.
         *
         * @param count in addition
         * @return false if there is no room for all of them
         */
        public boolean hold(int count) {
            synchronized (PeerBudget.this) {
                if (held + count > mostDescriptors - descriptors) {
                    return false;
                }
                held += count;
                descriptors += count;
                return true;
            }
        }

        void letGo() {
            letGo(1);
        }

        /**
         * Counts descriptors that are closed.
         *
         * @param count how many
         */
        public void letGo(int count) {
            synchronized (PeerBudget.this) {
                held -= count;
                descriptors -= count;
            }
        }

        /** A ring of the peer's was refused. */
        void refuse() {
            synchronized (PeerBudget.this) {
                monitor.ringRefused();
            }
        }

        /** Counts a ring of this process, which it maps for the peer. False if there is no room for it. */
        boolean mapOwn() {
            synchronized (PeerBudget.this) {
                if (ownMappings >= mostMappings / 2) {
                    return false;
                }
                ownMappings++;
                return true;
            }
        }

        void unmapOwn(int count) {
            synchronized (PeerBudget.this) {
                ownMappings -= count;
            }
        }

        /** A link has ended, which has given back what it held. */
        public void close() {
            synchronized (PeerBudget.this) {
                if (--links == 0) {
                    shares.remove(pid);
                }
            }
        }
    }

    /**
     * The share of the peer of a link, which closes it when it ends.
     *
     * @param pid the peer's process, 0 if it is not known
     * @return the share
     */
    public synchronized Share share(int pid) {
        Share share = shares.computeIfAbsent(pid, Share::new);
        share.links++;
        return share;
    }

    /**
     * Reports changes from now on.
     *
     * @param told gets the changes
     */
    public synchronized void monitor(PeerMonitor told) {
        monitor = told;
    }

    /** How many mappings of peers' memory there are. */
    synchronized int mappings() {
        return mappings;
    }
}
