// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.operation.CallFlags;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The calls that have to end in some time, by a clock of the test that overflows meanwhile. */
class TimeLimitsTest {
    private final long nowNs = Long.MAX_VALUE - 1500;

    private final TimeLimits limits = new TimeLimits();

    private long after(long ns) {
        return nowNs + ns;
    }

    private Call call(long limitNs) {
        Call call = new Call(null);
        call.flags = limitNs == 0 ? CallFlags.HOST : CallFlags.limit(limitNs);
        call.postedNs = nowNs;
        limits.add(call);
        return call;
    }

    private List<Call> overdue(long nowNs) {
        List<Call> taken = new ArrayList<>();
        limits.takeOverdue(nowNs, taken::add);
        return taken;
    }

    @Test
    void callsWithoutALimitAreNeverDue() {
        call(0);
        assertFalse(limits.areDue(after(1_000_000)));
        assertEquals(Long.MAX_VALUE, limits.leftNs(nowNs));
    }

    @Test
    void callsEndAfterTheirLimitInAnyOrder() {
        Call last = call(3000);
        Call first = call(1000);
        Call second = call(2000);
        assertEquals(1001, limits.leftNs(nowNs));
        assertFalse(limits.areDue(after(1000)));
        assertTrue(limits.areDue(after(1001)));
        assertEquals(List.of(first), overdue(after(1001)));
        assertEquals(1000, limits.leftNs(after(1001)));
        assertEquals(List.of(second), overdue(after(2001)));
        assertEquals(List.of(last), overdue(after(100_000)));
        assertFalse(limits.areDue(after(200_000)));
    }

    @Test
    void aCallThatHasEndedIsNotOverdue() {
        Call ended = call(1000);
        Call other = call(1000);
        Call third = call(5000);
        limits.remove(ended);
        limits.remove(ended);
        assertEquals(List.of(other), overdue(after(2000)));
        limits.remove(third);
        assertEquals(List.of(), overdue(after(10_000)));
        assertEquals(Long.MAX_VALUE, limits.leftNs(nowNs));
    }
}
