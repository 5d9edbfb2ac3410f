// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Fd;
import io.pipedevice.protocol.ControlMessage;
import java.util.function.Consumer;

/**
 * An attachment to a driver for an API beside PD Lib: its requests, the wake-up of the driver, and doorbells on which
 * threads sleep. It is an attachment as PD Lib's are, with the same limits, and without sockets. Thread safe.
 */
public final class DriverLink implements AutoCloseable {
    private static final int FEW_REQUESTS = 64;

    private final Attachment attachment;

    private DriverLink(Attachment attachment) {
        this.attachment = attachment;
    }

    /**
     * Reads an answer.
     *
     * @param <T> what is made of it
     */
    @FunctionalInterface
    public interface Answer<T> {
        /**
         * Reads the answer to a request.
         *
         * @param answer whose status is 0
         * @param descriptor that came along, for this to close, or null
         * @return what was read
         * @throws PdException if the answer is not one
         */
        T read(ControlMessage answer, Fd descriptor) throws PdException;
    }

    /**
     * Attaches this process to a driver.
     *
     * @param endpoint where the driver is
     * @return the attachment, for the caller to close
     * @throws PdException as {@link io.pipedevice.lib.PipeDevice#init}
     */
    public static DriverLink attach(ControlEndpoint endpoint) throws PdException {
        PdOptions options = new PdOptions().maxSockets(1).requestDepth(FEW_REQUESTS);
        return new DriverLink(AttachedDevice.attachTo(endpoint, options));
    }

    /**
     * Sends a request, and waits for its answer. An answer with another status than 0 is an exception.
     *
     * @param <T> what is made of the answer
     * @param type of the request
     * @param fill writes the request
     * @param answer reads the answer
     * @param along descriptors that go with the request; the caller keeps them
     * @return what was made of the answer
     * @throws PdException with the driver's reason
     */
    public <T> T call(int type, Consumer<ControlMessage> fill, Answer<T> answer, Fd... along) throws PdException {
        ControlChannel control = attachment.session().control();
        control.lock();
        try {
            fill.accept(control.request(type));
            ControlMessage received = control.call(along);
            return answer.read(received, control.descriptor(0));
        } finally {
            control.unlock();
        }
    }

    /**
     * Wakes the driver if it sleeps, after the caller has published something for it.
     *
     * @throws PdException if the driver is gone
     */
    public void wakeDriver() throws PdException {
        attachment.session().requests().wake();
    }

    /**
     * Prepares to wait for a ring that the driver fills.
     *
     * @param ring what becomes ready
     * @return a wait for one thread at a time
     */
    public RingWait newWait(RingWait.Ring ring) {
        return new RingWait(attachment.session(), ring);
    }

    /**
     * Fails if the driver is gone, by one system call.
     *
     * @throws PdException with the reason
     */
    public void checkDriver() throws PdException {
        attachment.session().checkDriver();
    }

    /**
     * The exception for an answer or a word that no driver writes; the attachment ends.
     *
     * @param what was wrong
     * @return for the caller to throw
     */
    public PdException broken(String what) {
        return attachment.session().link().nonsense(what);
    }

    /**
     * Whether the driver serves this process.
     *
     * @return false once it is gone
     */
    public boolean isServed() {
        return !attachment.session().link().isBroken();
    }

    /**
     * The number by which the driver knows the attachment.
     *
     * @return as in the driver's log and counters
     */
    public int containerId() {
        return attachment.cid();
    }

    /** Detaches. No thread waits, or calls this, any more. */
    @Override
    public void close() {
        attachment.close();
    }
}
