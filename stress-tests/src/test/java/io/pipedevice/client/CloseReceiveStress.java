// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdBufferOwner;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.protocol.LibPageDescriptor;
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
 * A socket is closed while another thread receives, reads the data and releases them. Data that differ from the sent
 * data are a bug: by then the memory belongs to another socket. Other bugs are a word that is stored into the socket's
 * slot after close has returned, and any exception that does not report that the socket is closed.
 *
 * <p>Seen to fail when {@link SocketCore#closeMemory} does not wait for the socket's arena, when the memory is not in
 * it ({@link PdBufferOwner#scoped}), and without the checks of {@link SocketCore#misuse}.
 */
@JCStressTest
@Outcome(id = "RECEIVED, true", expect = Expect.ACCEPTABLE, desc = "The close came too late.")
@Outcome(
        id = {"RECV_CLOSED, true", "COPY_CLOSED, true", "DONE_CLOSED, true"},
        expect = Expect.ACCEPTABLE,
        desc = "The call says that the socket is closed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Wrong data, a late store, or an exception that says something else.")
@State
public class CloseReceiveStress {
    /** So small that emptying the ring takes about as long as a close. */
    private static final int PIECE = 8;

    private static final byte SENT = 5;
    private static final byte NEXT = 9;

    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final PdBuffer buffer = new PdBuffer();
    private final byte[] copy = new byte[PIECE];

    /** The ring is full. */
    public CloseReceiveStress() {
        socket.receiveRing.fill(SENT);
        socket.driver.produced(PlayedSockets.RING_SIZE);
    }

    /** The receiving thread: empties the ring. */
    @Actor
    public void receiver(LZ_Result result) {
        start.meet();
        PdSocket receiving = socket.socket;
        String call = "RECV";
        try {
            while (receiving.recv(PIECE, buffer) > 0) {
                call = "COPY";
                buffer.copyTo(0, copy, 0, PIECE);
                if (!isSent()) {
                    result.r1 = "WRONG";
                    return;
                }
                call = "DONE";
                receiving.recvDone(PIECE);
                call = "RECV";
            }
            result.r1 = "RECEIVED";
        } catch (Throwable e) {
            result.r1 = call + "_" + (call.equals("COPY") ? Closed.saidByMemory(e) : Closed.saidByCall(e));
        }
    }

    private boolean isSent() {
        boolean same = true;
        for (byte each : copy) {
            same &= each == SENT;
        }
        return same;
    }

    /** The thread that closes. Ring and slot then belong to it. */
    @Actor
    public void closer() {
        start.meet();
        socket.socket.close();
        socket.receiveRing.fill(NEXT);
        socket.words.set(ValueLayout.JAVA_LONG, LibPageDescriptor.CONSUMED_OFFSET, NEXT);
    }

    /** Checks that the slot was not changed afterwards. */
    @Arbiter
    public void rest(LZ_Result result) {
        result.r2 = socket.words.get(ValueLayout.JAVA_LONG, LibPageDescriptor.CONSUMED_OFFSET) == NEXT;
    }
}
