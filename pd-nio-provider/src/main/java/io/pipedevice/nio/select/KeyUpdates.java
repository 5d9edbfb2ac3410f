// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import java.io.IOException;

/**
 * The keys whose interest set or transport has changed since the selecting thread last updated what it watches. Any
 * thread adds to them; the updates belong to the selecting thread.
 */
final class KeyUpdates implements KeyListener {
    private final KeyQueue interestChanges = new KeyQueue();
    private final KeyQueue transportChanges;
    private final WakeUp wakeUp;
    private final CompositePoller poller;
    private final KeyWatches watches;

    /** Whether there are keys whose rings cannot be watched at present, for lack of descriptors or memory. */
    private boolean unwatched;

    /**
     * Creates it.
     *
     * @param transportChanges keeps the poller from sleeping while it is not empty
     */
    KeyUpdates(KeyQueue transportChanges, WakeUp wakeUp, CompositePoller poller, KeyWatches watches) {
        this.transportChanges = transportChanges;
        this.wakeUp = wakeUp;
        this.poller = poller;
        this.watches = watches;
    }

    @Override
    public void interestChanged(PdSelectionKey key) {
        interestChanges.add(key.interestLink);
    }

    @Override
    public void transportChanged(PdSelectionKey key) {
        if (transportChanges.add(key.transportLink, wakeUp)) {
            poller.signal();
        }
    }

    /**
     * Whether there are keys whose rings could not be watched at the last update, for lack of descriptors or memory.
     */
    boolean hasUnwatched() {
        return unwatched;
    }

    /**
     * Updates the keys whose interest set has changed, and those that could not be watched before; whether there were
     * any.
     */
    boolean updateInterests() throws IOException {
        unwatched = false;
        return update(interestChanges);
    }

    /** Updates the keys whose transport has changed; whether there were any. */
    boolean updateTransports() throws IOException {
        return update(transportChanges);
    }

    private boolean update(KeyQueue changes) throws IOException {
        KeyQueue.Link link = changes.takeAll();
        boolean any = link != null;
        while (link != null) {
            KeyQueue.Link taken = link;
            link = KeyQueue.next(taken);
            if (taken.key.isValid()) {
                update(taken, link, changes);
            }
        }
        return any;
    }

    /** A key that cannot be watched now is queued again, and does not keep the others from being watched. */
    private void update(KeyQueue.Link taken, KeyQueue.Link following, KeyQueue changes) throws IOException {
        boolean done = false;
        try {
            if (!watches.update(taken.key)) {
                unwatched = true;
                interestChanges.add(taken.key.interestLink);
            }
            done = true;
        } finally {
            if (!done) {
                changes.giveBack(taken, following);
            }
        }
    }
}
