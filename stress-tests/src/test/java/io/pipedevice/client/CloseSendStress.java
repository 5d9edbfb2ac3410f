// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdBufferOwner;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.stress.Rendezvous;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;

/**
 * A socket is closed while another thread takes blocks, writes into them, and sends them. Data that are written after
 * close has returned are a bug: by then the memory belongs to another socket. Another bug is any exception that does
 * not report that the socket is closed.
 *
 * <p>Seen to fail when {@link SocketCore#closeMemory} does not wait for the socket's arena, when the memory is not in
 * it ({@link PdBufferOwner#scoped}), and without the checks of {@link SocketCore#misuse}.
 */
@JCStressTest
@Outcome(id = "SENT, true", expect = Expect.ACCEPTABLE, desc = "The close came too late.")
@Outcome(
        id = {"MALLOC_CLOSED, true", "COPY_CLOSED, true", "SEND_CLOSED, true"},
        expect = Expect.ACCEPTABLE,
        desc = "The call reports that the socket is closed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A late write, or another exception.")
@State
public class CloseSendStress {
    /** So small that filling the ring takes about as long as a close. */
    private static final int BLOCK = 8;

    private static final byte[] DATA = new byte[BLOCK];
    private static final byte NEXT = 9;

    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final PdBuffer buffer = new PdBuffer();

    /** The sending thread: fills the ring. */
    @Actor
    public void sender(LZ_Result result) {
        start.meet();
        PdSocket sending = socket.socket;
        String call = "MALLOC";
        try {
            while (sending.malloc(BLOCK, buffer)) {
                call = "COPY";
                buffer.copyFrom(0, DATA, 0, BLOCK);
                call = "SEND";
                sending.send(buffer, BLOCK);
                sending.free(buffer);
                call = "MALLOC";
            }
            result.r1 = "SENT";
        } catch (Throwable e) {
            result.r1 = call + "_" + (call.equals("COPY") ? Closed.saidByMemory(e) : Closed.saidByCall(e));
        }
        socket.takeRequests();
    }

    /** The thread that closes. The ring then belongs to it. */
    @Actor
    public void closer() {
        start.meet();
        socket.socket.close();
        socket.sendRing.fill(NEXT);
    }

    /** Checks that the memory was not changed afterwards. */
    @Arbiter
    public void rest(LZ_Result result) {
        boolean same = true;
        for (int i = 0; i < PlayedSockets.RING_SIZE; i++) {
            same &= socket.sendRing.get(ValueLayout.JAVA_BYTE, i) == NEXT;
        }
        result.r2 = same;
    }
}
