// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the resources that this process holds for links, within the kernel's limits for a process: mappings,
 * descriptors of rings that are not mapped, and descriptors of clients' ports. Without a bound a peer could use up the
 * mappings that the JVM needs, and the JVM might abort.
 *
 * <p>Each peer process has a share, for all links with it. The share may hold as much as remains free, so that one peer
 * gets half of the budget, two get a third each, and there is always room for another. All processes of other PID
 * namespaces, which cannot be distinguished, have one share. Thread safe; its lock is a leaf lock.
 */
public final class PeerBudget {
    /** The part of vm.max_map_count, as a divisor, for the memory of peers; half as much more is for own rings. */
    private static final int SHARE_OF_MAPPINGS = 2;

    private static final int DEFAULT_MAX_MAP_COUNT = 65_530;

    /** The part of this process's descriptor limit, as a divisor, up to {@link #MOST_DESCRIPTORS}. */
    private static final int SHARE_OF_DESCRIPTORS = 8;

    private static final int MOST_DESCRIPTORS = 1024;

    /** The budget of this process. */
    public static final PeerBudget PROCESS = new PeerBudget(mostMappings(), mostDescriptors());

    private final int mostMappings;
    private final int mostDescriptors;

    /** The shares of peers with links, by process. Guarded by this object's monitor, like the fields that follow. */
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
            // Not readString: it first reads one byte, and the next read of such a file finds its end.
            String line =
                    Files.readAllLines(Path.of("/proc/sys/vm/max_map_count")).getFirst();
            most = Integer.parseInt(line.strip());
        } catch (IOException | RuntimeException e) {
            // Nearly every host has the kernel's default.
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

    /** The resources of the links with one peer process. */
    public final class Share {
        private final int pid;

        /** This and the next two fields are guarded by the budget's monitor. */
        private int links;

        private int mapped;
        private int held;

        private Share(int pid) {
            this.pid = pid;
        }

        /**
         * Counts mappings of the peer's memory.
         *
         * @param count how many more
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
         * Counts mappings that were removed.
         *
         * @param count how many fewer
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
         * @param count how many more
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

        void release() {
            release(1);
        }

        /**
         * Counts descriptors that were closed.
         *
         * @param count how many fewer
         */
        public void release(int count) {
            synchronized (PeerBudget.this) {
                held -= count;
                descriptors -= count;
            }
        }

        /** Counts a ring of the peer that was refused. */
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

        /** Releases the share of a link that has ended and has given back its resources. */
        public void close() {
            synchronized (PeerBudget.this) {
                if (--links == 0) {
                    shares.remove(pid);
                }
            }
        }
    }

    /**
     * The share of a link's peer. The link closes it when it ends.
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
     * @param next gets the changes
     */
    public synchronized void monitor(PeerMonitor next) {
        monitor = next;
    }

    /** The number of mappings of peers' memory. */
    synchronized int mappings() {
        return mappings;
    }
}
