// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.operation.CallFlags;
import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * The calls of a process that have to end in some time, about a hundred at most. docs/decisions/time-limits.md says why
 * this is no timer wheel. Belongs to the driver's thread.
 */
final class TimeLimits {
    /** The others have the next duty cycle. */
    private static final int MOST_TAKEN = 64;

    private final ArrayList<Call> calls = new ArrayList<>();

    /** No call has to end before. */
    private final Soonest soonest = new Soonest();

    /** Takes a call that begins, if it has a limit. */
    void add(Call call) {
        long limitNs = CallFlags.limitNs(call.flags);
        if (limitNs != 0) {
            call.endNs = call.postedNs + limitNs;
            call.limitIndex = calls.size();
            calls.add(call);
            soonest.add(call.endNs);
        }
    }

    /** Forgets a call that has ended. */
    void remove(Call call) {
        if (call.limitIndex >= 0) {
            Call last = calls.removeLast();
            if (last != call) {
                calls.set(call.limitIndex, last);
                last.limitIndex = call.limitIndex;
            }
            call.limitIndex = -1;
            if (calls.isEmpty()) {
                soonest.clear();
            }
        }
    }

    /** Whether {@link #takeOverdue} may find a call. */
    boolean areDue(long nowNs) {
        return soonest.isOver(nowNs);
    }

    /** Removes some of the calls that have not ended in their time. */
    void takeOverdue(long nowNs, Consumer<Call> taker) {
        soonest.clear();
        int taken = 0;
        for (int i = calls.size() - 1; i >= 0; i--) {
            Call call = calls.get(i);
            if (nowNs - call.endNs > 0 && taken < MOST_TAKEN) {
                remove(call);
                taker.accept(call);
                taken++;
            } else {
                soonest.add(call.endNs);
            }
        }
    }

    /** The time until a call may be overdue; {@link Long#MAX_VALUE} if there is none. */
    long leftNs(long nowNs) {
        return soonest.leftNs(nowNs);
    }
}
