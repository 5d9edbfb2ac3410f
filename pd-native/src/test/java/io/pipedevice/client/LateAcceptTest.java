// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver permits descriptors, since Linux 6.16, only on connections that it has accepted. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LateAcceptTest {
    /** More than a step of a timeout, less than the patience of a process that attaches. */
    private static final long LATE_MS = 500;

    @Test
    void aDriverThatNeverAcceptsHasNotAnswered() throws Exception {
        UnixAddress address = UnixAddress.abstractName(
                "pd-never-accepts-" + ProcessHandle.current().pid());
        try (UnixSocket listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 1, false)) {
            PdException e = assertThrows(
                    PdException.class,
                    () -> AttachedDevice.attachTo(
                            () -> UnixSocket.connect(UnixSocket.Type.SEQPACKET, address), new PdOptions()));
            assertEquals(Errno.ETIMEDOUT, e.errno(), e::getMessage);
            assertTrue(listener.fd().isOpen());
        }
    }

    @Test
    void aDriverThatAcceptsLateReceivesTheRequestWithItsDescriptor() throws Exception {
        UnixAddress address = UnixAddress.abstractName(
                "pd-late-accept-" + ProcessHandle.current().pid());
        try (UnixSocket listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 1, false)) {
            FutureTask<Attachment> attaching = new FutureTask<>(() -> AttachedDevice.attachTo(
                    () -> UnixSocket.connect(UnixSocket.Type.SEQPACKET, address), new PdOptions()));
            Thread.ofPlatform().daemon().start(attaching);
            Thread.sleep(LATE_MS);
            try (UnixSocket accepted = listener.accept()) {
                accepted.passRights(true);
                ControlMessage request = new ControlMessage();
                ReceivedFds descriptors = new ReceivedFds();
                assertEquals(
                        ControlMessage.LENGTH,
                        accepted.receive(request.memory(), 0, ControlMessage.LENGTH, descriptors, true));
                assertEquals(ControlMessage.ATTACH, request.type());
                assertEquals(1, descriptors.count());
                descriptors.closeAll();
            }
            ExecutionException end = assertThrows(ExecutionException.class, attaching::get);
            assertInstanceOf(PdException.class, end.getCause());
        }
    }
}
