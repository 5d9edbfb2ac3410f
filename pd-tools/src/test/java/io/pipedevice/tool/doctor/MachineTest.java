// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineTest {
    @ParameterizedTest
    @CsvSource({"4.19.0-26, true", "5.10.0, true", "5.14.0, false", "6.18.44-fc, false", "unknown, false"})
    void linuxThatCannotFillPagesAtOnceIsTooOld(String release, boolean older) {
        assertEquals(older, Machine.isOlder(release, new int[] {5, 14}));
    }

    @ParameterizedTest
    @CsvSource({"'rw', false", "'rw,hidepid=0', false", "'rw,hidepid=2,gid=9', true", "'rw,hidepid=invisible', true"})
    void hiddenProcessesAreRecognisedByTheMountOptions(String options, boolean hides) {
        assertEquals(
                hides, Machine.procHides(List.of("sysfs /sys sysfs rw 0 0", "proc /proc proc " + options + " 0 0")));
    }

    /** Whatever this machine is like: a driver's rings use huge pages, and nothing else depends on a driver. */
    @Test
    void hugePagesAreMentionedOnlyWithADriver() {
        List<Finding> more = new ArrayList<>(Machine.findings(true));
        more.removeAll(Machine.findings(false));
        assertTrue(more.stream().allMatch(finding -> finding.code().equals("huge-pages")), more.toString());
        assertTrue(more.stream().noneMatch(Finding::isProblem), more.toString());
    }
}
