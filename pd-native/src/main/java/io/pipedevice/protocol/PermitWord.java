// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The words by which a participant and its driver agree on which of them uses a socket. To read a socket's numbers, the
 * driver changes the socket for some microseconds; a program that uses it meanwhile would lose bytes. Neither side
 * writes a word of the other ({@link PermitPageDescriptor}).
 *
 * <pre>{@literal
 *   participant                            driver
 *   PERMIT = request
 *   question ---------------------------->
 *                                          READING = request, fence
 *                                          reads the socket if PERMIT == request
 *   PERMIT = 0, fence                      READING = 0
 *   uses the socket if READING != request
 * }</pre>
 *
 * <p>Of a driver that begins and a participant that withdraws at the same time, at least one sees the other's word. The
 * driver never waits. The participant waits until READING is another value, which takes some microseconds if the driver
 * runs. The driver reads one socket of a participant at a time.
 */
public final class PermitWord {
    /** The request of no question. */
    public static final int NONE = 0;

    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN));

    private PermitWord() {}

    /**
     * Permits the driver to read the socket of a question. Before the question is sent.
     *
     * @param own memory of the participant
     * @param slot of the question
     * @param request of the question, not {@link #NONE}
     */
    public static void grant(MemorySegment own, int slot, int request) {
        WORD.setRelease(own, PermitPageDescriptor.permit(slot), request);
    }

    /**
     * Withdraws a permit. The driver does not begin to read the socket afterwards.
     *
     * @param own memory of the participant
     * @param slot of the question
     */
    public static void withdraw(MemorySegment own, int slot) {
        WORD.setRelease(own, PermitPageDescriptor.permit(slot), NONE);
        VarHandle.fullFence();
    }

    /**
     * Whether the driver reads the socket of a question whose permit was withdrawn.
     *
     * @param driver its memory
     * @param request of the question
     * @return false if the socket belongs to the participant alone from now on
     */
    public static boolean isRead(MemorySegment driver, int request) {
        return (int) WORD.getAcquire(driver, (long) PermitPageDescriptor.READING_OFFSET) == request;
    }

    /**
     * Begins to read the socket of a question. The driver calls {@link #end} afterwards, whatever the result.
     *
     * @param own memory of the driver for the participant
     * @param participant its memory
     * @param slot of the question
     * @param request of the question
     * @return false if the permit was withdrawn, so that the socket must not be changed
     */
    public static boolean begin(MemorySegment own, MemorySegment participant, int slot, int request) {
        WORD.setRelease(own, (long) PermitPageDescriptor.READING_OFFSET, request);
        VarHandle.fullFence();
        return isGranted(participant, slot, request);
    }

    /**
     * Whether a participant has not withdrawn the permit of a question. It may do so at any time.
     *
     * @param participant its memory
     * @param slot of the question
     * @param request of the question
     * @return false if it does not await the answer
     */
    public static boolean isGranted(MemorySegment participant, int slot, int request) {
        return request != NONE && (int) WORD.getAcquire(participant, PermitPageDescriptor.permit(slot)) == request;
    }

    /**
     * The socket is not being read any more.
     *
     * @param own memory of the driver for the participant
     */
    public static void end(MemorySegment own) {
        WORD.setRelease(own, (long) PermitPageDescriptor.READING_OFFSET, NONE);
    }
}
