// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * An account at one time. Immutable.
 *
 * @param container the owner of the account
 * @param pod the Kubernetes pod; empty if there is none
 * @param since when it was opened, in seconds since 1970
 * @param last when it was used last, likewise
 * @param processes of the container that use the driver now
 * @param open connections of theirs through the device now
 * @param totals only rise
 */
public record Statement(
        String container, String pod, long since, long last, int processes, int open, Map<Tally, Long> totals) {
    /** Copies the totals; those that are missing are 0. */
    public Statement {
        Map<Tally, Long> all = new EnumMap<>(Tally.class);
        for (Tally each : Tally.values()) {
            all.put(each, totals.getOrDefault(each, 0L));
        }
        totals = Collections.unmodifiableMap(all);
    }

    /**
     * One of the totals.
     *
     * @param tally which
     * @return 0 or more
     */
    public long total(Tally tally) {
        return totals.get(tally);
    }
}
