// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.lib.PdException;
import io.pipedevice.protocol.FunctionMessage;

/**
 * A function that this process has registered: others that find it call it, as far as they have the right. Thread safe. It
 * ends with {@link #close}, with one of its regions, and with the attachment.
 */
public final class Function implements AutoCloseable {
    private final FunctionExchange exchange;
    private final FunctionDefinition definition;
    private final int handle;
    private boolean closed;

    Function(FunctionExchange exchange, FunctionDefinition definition, int handle) {
        this.exchange = exchange;
        this.definition = definition;
        this.handle = handle;
    }

    /**
     * What it was made of.
     *
     * @return as it was registered
     */
    public FunctionDefinition definition() {
        return definition;
    }

    int handle() {
        return handle;
    }

    /**
     * Gives rights, in place of those that the same subject had. Calls that have begun are not ended.
     *
     * @param grant {@link Right#CALL}, or none, which withdraws it
     * @throws PdException if the driver refuses it or is gone
     */
    public void grant(Grant grant) throws PdException {
        exchange.grant(handle, grant);
    }

    /** Ends the function: calls that are under way end with {@link Status#GONE}. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            exchange.forget(this);
            exchange.tell(FunctionMessage.CLOSE_FUNCTION, handle);
        }
    }

    @Override
    public String toString() {
        return "function " + definition.name() + " of version " + definition.version();
    }
}
