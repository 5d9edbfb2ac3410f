// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.test.Together;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PidFdTest {
    @Test
    void becomesReadableWhenTheProcessEnds() throws Exception {
        try (Child child = Child.start("sleep", "60");
                PidFd process = open(child.pid())) {
            Poll poll = new Poll(1);
            poll.add(process.fd(), Poll.IN);
            assertTrue(process.isAlive());
            assertEquals(0, poll.await(0));
            child.process().destroyForcibly();
            assertEquals(1, poll.await(-1));
            assertFalse(process.isAlive());
        }
    }

    @Test
    void severalThreadsAskAboutTwoProcesses() throws Exception {
        // The child must not end by itself: the JVM would reap it, and pidfd_open(2) fails for a number without a
        // process.
        try (Child child = Child.start("sleep", "60");
                PidFd ended = open(child.pid());
                PidFd self = open((int) ProcessHandle.current().pid())) {
            child.process().destroyForcibly().waitFor();
            Together.run(thread -> {
                for (int i = 0; i < 5000; i++) {
                    assertEquals(thread % 2 == 0, (thread % 2 == 0 ? self : ended).isAlive());
                }
            });
        }
    }

    @Test
    void refusesProcessesThatDoNotExist() throws LinuxException {
        open((int) ProcessHandle.current().pid()).close();
        LinuxException e = assertThrows(LinuxException.class, () -> PidFd.open((1 << 22) + 1));
        assertEquals(Errno.ESRCH, e.errno());
        assertThrows(LinuxException.class, () -> PidFd.open(-1));
    }

    @Test
    void isAliveFailsAfterClose() throws LinuxException {
        PidFd self = open((int) ProcessHandle.current().pid());
        self.close();
        assertEquals(
                Errno.EBADF, assertThrows(LinuxException.class, self::isAlive).errno());
    }

    private static PidFd open(int pid) throws LinuxException {
        try {
            return PidFd.open(pid);
        } catch (LinuxException e) {
            assumeTrue(e.errno() != Errno.ENOSYS, "neither this C library nor this kernel has pidfd_open");
            throw e;
        }
    }
}
