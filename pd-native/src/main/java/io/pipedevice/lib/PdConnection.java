// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A connection with the paper's calls (Table 3), of either placement. Where {@link PdStream} copies, the program writes
 * and reads in place. A program that uses only this interface runs in both placements.
 *
 * <p>To send, take a block of the send ring ({@link #malloc(int, PdBuffer) malloc}), write into it, post it
 * ({@link #send(PdBuffer, int) send}), and either {@link #free} it at once, which takes effect when it has been sent,
 * or keep it and ask {@link #bufRefresh(PdBuffer) bufRefresh} before writing into it again: until then the driver or
 * the peer may still be reading it. To receive, ask where the data lie ({@link #recv(int, PdBuffer) recv}), use them in
 * place, and give the space back with {@link #recvDone}, oldest first. Messages have no bounds, as with TCP; received
 * data are handed out in contiguous pieces.
 *
 * <p>The placements differ in one thing. With a driver a block has been sent when the device has copied it; between
 * peers nothing is copied, and a block has been sent when the receiver has released its bytes.
 *
 * <p>Copying calls and calls in place may be mixed: {@link #write} and blocks are sent in the order of the calls, and
 * {@link #read} may be called once everything that recv handed out is released. One sending thread (malloc, send,
 * write, bufRefresh) and one receiving thread (recv, recvDone, read) may be active at a time; any thread may call free.
 * Every access to the memory of a buffer throws {@link IllegalStateException} once the connection is closed.
 */
public interface PdConnection extends PdStream {
    /**
     * Takes a block of the send ring: pd_malloc. Space is reclaimed in the order in which blocks were taken: a block
     * that is kept holds up the space of all blocks that were taken after it.
     *
     * @param size in bytes, 1 to the ring's size
     * @param into becomes the block's handle; must not hold another block that is not freed
     * @return false if there is no room now
     * @throws IllegalArgumentException if the block is larger than the ring
     * @throws PdException ENODEV if the driver is gone; ENOMEM if there is no memory for the ring
     */
    boolean malloc(int size, PdBuffer into) throws PdException;

    /**
     * Takes a block of the send ring, and waits while there is no room, until sends complete or another thread frees a
     * block.
     *
     * @param size in bytes, 1 to the ring's size
     * @param into becomes the block's handle
     * @param timeoutNanos longest time
     * @return false after the timeout
     * @throws PdException "Connection reset" or "Broken pipe" if the peer is gone, EBADF if another thread closes the
     *     socket meanwhile, ENODEV if the driver is gone
     */
    boolean malloc(int size, PdBuffer into, long timeoutNanos) throws PdException;

    /**
     * Posts the beginning of a block: pd_send. Copies nothing; the block must not be written into before
     * {@link #bufRefresh(PdBuffer) bufRefresh} returns true.
     *
     * @param buffer a block of this socket
     * @param length in bytes, 1 to the block's size
     * @return {@code length}, or {@link PdSocket#WOULD_BLOCK} if too much is on its way
     * @throws PdException "Connection reset" or "Broken pipe" if the peer is gone, ENODEV if the driver is gone
     */
    default int send(PdBuffer buffer, int length) throws PdException {
        return send(buffer, 0, length);
    }

    /**
     * Posts a part of a block: pd_send.
     *
     * @param buffer a block of this socket
     * @param offset of the part in the block, in bytes
     * @param length of the part, in bytes, at least 1
     * @return {@code length}, or {@link PdSocket#WOULD_BLOCK} if too much is on its way
     * @throws PdException as {@link #send(PdBuffer, int)}
     */
    int send(PdBuffer buffer, int offset, int length) throws PdException;

    /**
     * Posts the beginning of a block, and waits while too much is on its way.
     *
     * @param buffer a block of this socket
     * @param length in bytes, 1 to the block's size
     * @param timeoutNanos longest time
     * @return {@code length}, or {@link PdSocket#WOULD_BLOCK} after the timeout
     * @throws PdException as {@link #send(PdBuffer, int)}; EBADF if another thread closes the socket meanwhile
     */
    default int send(PdBuffer buffer, int length, long timeoutNanos) throws PdException {
        return send(buffer, 0, length, timeoutNanos);
    }

    /**
     * Posts a part of a block, and waits while too much is on its way.
     *
     * @param buffer a block of this socket
     * @param offset of the part in the block, in bytes
     * @param length of the part, in bytes, at least 1
     * @param timeoutNanos longest time
     * @return {@code length}, or {@link PdSocket#WOULD_BLOCK} after the timeout
     * @throws PdException as {@link #send(PdBuffer, int)}; EBADF if another thread closes the socket meanwhile
     */
    int send(PdBuffer buffer, int offset, int length, long timeoutNanos) throws PdException;

    /**
     * Asks whether a block may be written into again: pd_buf_refresh.
     *
     * @param buffer a block of this socket
     * @return true if no send that uses it is on its way
     * @throws PdException "Connection reset" or "Broken pipe" if it is on its way and will never be sent, ENODEV if the
     *     driver is gone
     */
    boolean bufRefresh(PdBuffer buffer) throws PdException;

    /**
     * Asks which of several blocks may be written into again, and moves those to the front: pd_buf_refresh.
     *
     * @param buffers blocks of this socket; reordered
     * @param count how many of the array's first elements to look at
     * @return how many are reusable; they are the first ones of the array
     * @throws PdException as {@link #bufRefresh(PdBuffer)}
     */
    default int bufRefresh(PdBuffer[] buffers, int count) throws PdException {
        Objects.checkFromIndexSize(0, count, buffers.length);
        int reusable = 0;
        for (int i = 0; i < count; i++) {
            PdBuffer buffer = buffers[i];
            if (bufRefresh(buffer)) {
                buffers[i] = buffers[reusable];
                buffers[reusable++] = buffer;
            }
        }
        return reusable;
    }

    /**
     * Frees a block: pd_free. A block that is on its way is reclaimed when it has been sent. Any thread.
     *
     * @param buffer a block of this socket; the handle holds nothing afterwards
     * @throws IllegalStateException if it was freed before
     */
    void free(PdBuffer buffer);

    /**
     * Finds out where received data lie: pd_recv. Copies nothing. Data are returned once, also if they were not
     * released by {@link #recvDone} yet.
     *
     * @param maxLength most bytes, at least 1
     * @param into becomes the handle of the data
     * @return bytes received, at least 1; 0 if there are none now; {@link PdSocket#END_OF_STREAM}
     * @throws PdException "Connection reset" after the data that came before it, ENODEV if the driver is gone, EPROTO
     *     if the peer broke the protocol
     */
    int recv(int maxLength, PdBuffer into) throws PdException;

    /**
     * Waits for data.
     *
     * @param maxLength most bytes, at least 1
     * @param into becomes the handle of the data
     * @param timeoutNanos longest time
     * @return bytes received, at least 1; 0 after the timeout; {@link PdSocket#END_OF_STREAM}
     * @throws PdException as {@link #recv(int, PdBuffer)}; EBADF if another thread closes the socket meanwhile
     * @throws IllegalStateException with a driver, if the whole receive ring is handed out, so that nothing can arrive
     *     before recvDone. Between peers the call waits, because the ring may still grow
     */
    int recv(int maxLength, PdBuffer into, long timeoutNanos) throws PdException;

    /**
     * Gives the space of the oldest received bytes back: pd_recv_done.
     *
     * @param length in bytes, 0 to the number of bytes received and not released
     * @throws IllegalStateException if that is more than was received
     * @throws PdException if the driver is gone
     */
    void recvDone(int length) throws PdException;

    /**
     * Copies received bytes out and gives their space back: recv and recvDone in one call without a handle.
     *
     * @param target receives the bytes from its position on; of any kind. Its position moves past them
     * @return bytes copied, at least 1; 0 if there are none now or {@code target} is full;
     *     {@link PdSocket#END_OF_STREAM}
     * @throws PdException as {@link #recv(int, PdBuffer)}
     * @throws IllegalStateException if data that {@link #recv} handed out are not released
     */
    @Override
    int read(ByteBuffer target) throws PdException;
}
