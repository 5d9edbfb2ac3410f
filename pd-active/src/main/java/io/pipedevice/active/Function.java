// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.code.FunctionCode;
import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.LimitedLog;

/**
 * A function that this process has registered: others that find it call it, as far as they have the right. Thread safe.
 * It ends with {@link #close}, with one of its regions, and with the attachment.
 */
public final class Function implements AutoCloseable {
    private static final LimitedLog REFUSED =
            LimitedLog.warning(Function.class, "{0}, which the driver accepted, is refused here: {1}");

    private final FunctionExchange exchange;
    private final FunctionDefinition definition;
    private final int handle;
    private final int stateLength;
    private boolean closed;

    /** Null before the first call in this process, or if it cannot be made. */
    private MessageFunction code;

    private boolean coded;

    Function(FunctionExchange exchange, FunctionDefinition definition, int handle, int stateLength) {
        this.stateLength = stateLength;
        this.exchange = exchange;
        this.definition = definition;
        this.handle = handle;
    }

    /**
     * The definition of which it was made.
     *
     * @return as it was registered
     */
    public FunctionDefinition definition() {
        return definition;
    }

    int stateLength() {
        return stateLength;
    }

    int handle() {
        return handle;
    }

    /** The code, made at the first call in this process; null if that fails. */
    synchronized MessageFunction code() {
        if (!coded) {
            coded = true;
            try {
                code = FunctionCode.of(
                                definition.program(),
                                definition.symbol(),
                                definition.messageLength(),
                                definition.regions().size(),
                                definition.fuel())
                        .function();
            } catch (InvalidProgramException | UnsafeProgramException e) {
                REFUSED.log(this, e.getMessage());
            }
        }
        return code;
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
            exchange.close(this);
        }
    }

    @Override
    public String toString() {
        return "function " + definition.name() + " of version " + definition.version();
    }
}
