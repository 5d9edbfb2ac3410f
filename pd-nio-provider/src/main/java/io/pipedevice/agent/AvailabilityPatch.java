// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Makes {@code isAvailable()} of a class of Netty answer false. {@code ensureAvailability()} stays, which lets programs
 * pass that insist on the transport.
 */
final class AvailabilityPatch extends MethodPatch {
    /** {@code return false}. */
    private static final byte[] ANSWER = {0x03, (byte) 0xac};

    private AvailabilityPatch(byte[] old) {
        super(old, "isAvailable", "()Z");
    }

    /**
     * Patches the class.
     *
     * @param old the class file of Netty's class
     * @return the new class file; null if it has no such method, or that already answers so
     */
    static byte[] apply(byte[] old) {
        return new AvailabilityPatch(old).apply();
    }

    @Override
    boolean isExpected(int attribute) {
        return old.getInt(attribute + BODY - 4) != ANSWER.length;
    }

    @Override
    void addConstants() {
        // The answer needs none.
    }

    @Override
    void writeCode(DataOutputStream out, int begin, int end) throws IOException {
        out.writeShort(old.getShort(begin));
        out.writeInt(BODY - 6 + ANSWER.length + 4);
        // One place on the stack; an argument in the locals if the method is not static.
        out.writeShort(1);
        out.writeShort(1);
        out.writeInt(ANSWER.length);
        out.write(ANSWER);
        // No exception table, no attribute.
        out.writeInt(0);
    }
}
