// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.collections.Int2ObjectHashMap;
import sun.nio.ch.SelChImpl;

/** Makes a {@link CompositePoller} watch the operations that keys ask for. Belongs to the selecting thread. */
final class KeyWatches {
    private static final LimitedLog UNWATCHED =
            LimitedLog.warning("io.pipedevice", "a selector cannot watch {0} yet, and perhaps not others: {1}");
    private static final int EVERYTHING = PdEpoll.IN | PdEpoll.OUT | PdEpoll.ERR | PdEpoll.HUP;

    private final CompositePoller poller;
    private final Int2ObjectHashMap<PdSelectionKey> byDescriptor = new Int2ObjectHashMap<>();

    /** Keys whose driver was gone before they could be watched: all operations are ready, and throw an exception. */
    private final List<PdSelectionKey> broken = new ArrayList<>(0);

    /** Whether it was logged that there are keys that cannot be watched at present. */
    private boolean saidUnwatched;

    KeyWatches(CompositePoller poller) {
        this.poller = poller;
    }

    /** The key of a kernel descriptor; null if it is no longer watched. */
    PdSelectionKey of(int descriptor) {
        return byDescriptor.get(descriptor);
    }

    /**
     * Watches the operations that a key asks for now; false if its rings cannot be watched at present, for lack of
     * descriptors or memory.
     */
    boolean update(PdSelectionKey key) throws LinuxException {
        int ops = key.wanted();
        updateKernel(key, ops);
        return updateRings(key, ops);
    }

    /** Stops watching a key. */
    void drop(PdSelectionKey key) {
        dropKernel(key);
        dropRing(key, key.first);
        if (key.second != null) {
            dropRing(key, key.second);
        }
    }

    private void updateKernel(PdSelectionKey key, int ops) throws LinuxException {
        SelChImpl kernel = ops == 0 ? null : key.kernelChannel();
        if (kernel == null || !kernel.isOpen()) {
            dropKernel(key);
            return;
        }
        int events = kernel.translateInterestOps(ops);
        boolean watched = kernel.equals(key.descriptorOf);
        if (watched && key.descriptorEvents == events) {
            return;
        }
        try {
            if (watched) {
                poller.modifyKernel(kernel.getFDVal(), events);
            } else {
                dropKernel(key);
                addKernel(key, kernel, events);
            }
            key.descriptorEvents = events;
        } catch (LinuxException e) {
            if (e.errno() != Errno.EBADF && kernel.isOpen()) {
                throw e;
            }
            // Closed meanwhile, and its number may be another file's by now: its key is being cancelled.
            dropKernel(key);
        }
    }

    private void addKernel(PdSelectionKey key, SelChImpl kernel, int events) throws LinuxException {
        poller.addKernel(kernel.getFDVal(), events);
        if (kernel.isOpen()) {
            own(kernel, key);
        } else {
            // Closed while it was added: its number may now belong to another file, which is in the set although no key
            // asks for it.
            poller.removeKernel(kernel.getFDVal());
        }
    }

    /**
     * Makes a key the owner of a descriptor's number. A channel that closed itself, as after a refused connect, has
     * left its number to this one.
     */
    private void own(SelChImpl kernel, PdSelectionKey key) {
        PdSelectionKey former = byDescriptor.put(kernel.getFDVal(), key);
        if (former != null) {
            former.notWatchedByDescriptor();
            poller.kernelIsGone();
        }
        key.watchedByDescriptor(kernel);
    }

    private void dropKernel(PdSelectionKey key) {
        if (key.isWatchedByDescriptor()) {
            int descriptor = key.descriptorOf.getFDVal();
            if (key.hasLostDescriptor()) {
                // Its number may be that of another descriptor in the set, such as the receiving end of a doorbell.
                poller.kernelIsGone();
            } else {
                poller.removeKernel(descriptor);
            }
            byDescriptor.remove(descriptor);
            key.notWatchedByDescriptor();
        }
    }

    private boolean updateRings(PdSelectionKey key, int ops) {
        boolean done = updateRing(key, key.first, ops == 0 ? null : key.ringSocket(), ops);
        PdSource other = ops == 0 ? null : key.secondRingSocket();
        if (other != null && key.second == null) {
            key.second = new RingWatch();
        }
        return (key.second == null || updateRing(key, key.second, other, ops)) && done;
    }

    private boolean updateRing(PdSelectionKey key, RingWatch watch, PdSource ring, int ops) {
        int events = PdSelectionKey.ringEvents(ops);
        if (Objects.equals(watch.ring, ring) && watch.events == events) {
            return true;
        }
        try {
            if (ring != null && ring.equals(watch.ring) && watch.poller != null) {
                watch.poller.modify(ring, events);
                watch.events = events;
                return true;
            }
            dropRing(key, watch);
            return ring == null || addRing(key, watch, ring, events);
        } catch (IllegalStateException e) {
            // Closed meanwhile: its key is being cancelled, or its channel gets another socket.
            return true;
        }
    }

    private boolean addRing(PdSelectionKey key, RingWatch watch, PdSource ring, int events) {
        try {
            RingPoller rings = poller.pollerOf(ring);
            rings.add(ring, events, key);
            watch.poller = rings;
        } catch (PdException e) {
            if (Errno.isExhausted(e.errno())) {
                sayUnwatched(key, e);
                return false;
            }
            broken.add(key);
        }
        watch.ring = ring;
        watch.events = events;
        return true;
    }

    private void sayUnwatched(PdSelectionKey key, Exception why) {
        if (!saidUnwatched) {
            saidUnwatched = true;
            UNWATCHED.log(key.channel(), why.getMessage());
        }
    }

    private void dropRing(PdSelectionKey key, RingWatch watch) {
        if (watch.ring != null) {
            if (watch.poller == null) {
                broken.remove(key);
            } else {
                watch.poller.remove(watch.ring);
            }
            watch.poller = null;
            watch.ring = null;
        }
    }

    /** Reports the keys whose driver is gone; how many. */
    int reportBroken(CompositePoller.Sink sink) {
        for (int i = 0; i < broken.size(); i++) {
            sink.ring(broken.get(i), EVERYTHING);
        }
        return broken.size();
    }
}
