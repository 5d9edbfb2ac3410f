// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.nio.stat.KernelReason;
import org.junit.jupiter.api.Test;

class DriverMeetingTest {
    @Test
    void everyErrorIsAReason() {
        assertEquals(KernelReason.NO_MEMORY, DriverMeeting.reasonOf(new PdException(Errno.ENOBUFS, "")));
        assertEquals(
                KernelReason.NO_DESCRIPTORS,
                DriverMeeting.reasonOf(new PdException(Errno.EMFILE, "the process already has 33 doorbells")));
        assertEquals(KernelReason.NO_DESCRIPTORS, DriverMeeting.reasonOf(new PdException(Errno.ENFILE, "")));
        assertEquals(KernelReason.DRIVER_GONE, DriverMeeting.reasonOf(new PdException(Errno.ENODEV, "")));
        assertEquals(KernelReason.HANDSHAKE_FAILED, DriverMeeting.reasonOf(new PdException(Errno.EADDRINUSE, "")));
        assertEquals(KernelReason.NO_RENDEZVOUS, DriverMeeting.reasonOf(new PdException(Errno.ECONNREFUSED, "")));
        assertEquals(KernelReason.OTHER_USER, DriverMeeting.reasonOf(new PdException(Errno.EACCES, "")));
        assertEquals(KernelReason.POLICY, DriverMeeting.reasonOf(new PdException(Errno.EPERM, "")));
    }
}
