// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Fd;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FrameMutator.Field;
import io.pipedevice.test.FrameMutator.Frame;
import java.io.IOException;
import java.util.List;

/** Requests about regions and functions of an attachment, with an occasional error. Used by one thread. */
final class ActiveCalls {
    /** The fields of these messages. */
    static final List<Field> FIELDS = List.of(
            new Field("magic", 0, Integer.BYTES),
            new Field("version", 4, Short.BYTES),
            new Field("type", 6, Short.BYTES),
            new Field("handle", 16, Integer.BYTES),
            new Field("rights", 20, Integer.BYTES),
            new Field("subject", 24, Integer.BYTES),
            new Field("user", 28, Integer.BYTES),
            new Field("size", 32, Long.BYTES),
            new Field("queues", 44, Integer.BYTES),
            new Field("depth", 48, Integer.BYTES),
            new Field("function's version", 52, Integer.BYTES),
            new Field("message length", 56, Integer.BYTES),
            new Field("number of regions", 60, Integer.BYTES),
            new Field("fuel", 64, Long.BYTES),
            new Field("first region", 72, Integer.BYTES),
            new Field("second region", 76, Integer.BYTES),
            new Field("state length", 104, Integer.BYTES),
            new Field("symbol length", 108, Integer.BYTES),
            new Field("text length", 124, Short.BYTES),
            new Field("text", 126, Long.BYTES));

    private static final int ONE_IN = 8;
    private static final long MOMENT_MS = 30;
    private static final long PATIENCE_MS = 10_000;

    private final Attack attack;
    private final RawClient client;

    ActiveCalls(Attack attack, RawClient client) {
        this.attack = attack;
        this.client = client;
    }

    /** Whether the last request, in the client's message, was answered with success. Its answer is there then. */
    boolean call(String what, Fd... along) throws IOException {
        return call(what, attack.isWrong(ONE_IN), PATIENCE_MS, along);
    }

    /** Sends a request whose answer may never come; then the round ends. */
    void callBriefly(String what) throws IOException {
        call(what, false, MOMENT_MS);
    }

    /** Sends a request that the driver must refuse, as it is. */
    void mustBeRefused(String what, Fd... along) throws IOException {
        attack.log(what);
        if (call(what, false, PATIENCE_MS, along)) {
            throw new AssertionError(what + " is taken");
        }
    }

    private boolean call(String what, boolean wrong, long patienceMs, Fd... along) throws IOException {
        RawControl control = client.control;
        int request = control.message.requestId();
        Frame right = Frame.of(what, control.message.memory(), along);
        (wrong ? attack.frame(right, FIELDS) : right).send(control.socket);
        long patience = wrong ? MOMENT_MS : patienceMs;
        while (control.isReadable(patience)) {
            control.fds.closeAll();
            ControlMessage answer = control.receive();
            if (answer.requestId() == request) {
                attack.reached(what + (answer.status() == 0 ? "" : " refused"));
                return answer.status() == 0;
            }
        }
        if (wrong) {
            return false;
        }
        throw new IOException("no answer to " + what);
    }
}
