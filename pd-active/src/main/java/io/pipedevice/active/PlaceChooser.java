// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;

/** Chooses the places of calls for which the caller has chosen none. Used by one thread at a time. */
final class PlaceChooser {
    private static final LazyLogger LOG = new LazyLogger(PlaceChooser.class);

    /** All that may be outstanding. */
    private final OutstandingCall[] calls;

    private final ClientPlace client;

    PlaceChooser(OutstandingCall[] calls, ClientPlace client) {
        this.calls = calls;
        this.client = client;
    }

    /** The place of the next call of a function. */
    Place choose(CalledFunction called, long nowNs) {
        Steering steering = called.steering;
        if (steering == null) {
            steering = new Steering(nowNs);
            called.steering = steering;
        }
        if (steering.isOver(nowNs)) {
            for (OutstandingCall call : calls) {
                boolean counts = call.place != null && call.steered && call.called == called;
                if (counts && nowNs - call.postedNs > Steering.WINDOW_NS) {
                    steering.waited(call.place, nowNs - call.postedNs);
                }
            }
            steering.endWindow(nowNs);
        }
        Place place = steering.choose();
        return place == Place.CLIENT && !canRun(called) ? Place.DEVICE : place;
    }

    private boolean canRun(CalledFunction called) {
        try {
            if (client.prepareSoon(called.function)) {
                return true;
            }
            called.steering.putProbeOff(Place.CLIENT);
        } catch (PdException e) {
            LOG.get().log(Level.DEBUG, "{0} does not run here: {1}", called.function, e.getMessage());
            called.steering.refused(Place.CLIENT);
        }
        return false;
    }
}
