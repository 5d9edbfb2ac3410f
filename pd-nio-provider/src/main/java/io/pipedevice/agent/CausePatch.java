// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Makes {@code unavailabilityCause()} of a class of Netty return an exception that names PipeDevice, if the transport
 * has no other reason to be unavailable: some programs ask for the cause alone.
 */
final class CausePatch extends MethodPatch {
    private static final int STRING = 8;
    private static final int GETSTATIC = 0xb2;
    private static final int ARETURN = 0xb0;

    /** {@code return UNAVAILABILITY_CAUSE}: a field's value. */
    private static final int EXPECTED_LENGTH = 4;

    private static final String EXCEPTION = "java/lang/UnsupportedOperationException";
    private static final String TEXT = "PipeDevice accelerates java.nio; -Dpipedevice.netty=off makes this available";

    private int exception;
    private int create;
    private int text;
    private int throwable;
    private int stackMapTable;

    private CausePatch(byte[] old) {
        super(old, "unavailabilityCause", "()Ljava/lang/Throwable;");
    }

    /**
     * Patches the class.
     *
     * @param old the class file of Netty's class
     * @return the new class file; null if it has no such method with the expected body
     */
    static byte[] apply(byte[] old) {
        return new CausePatch(old).apply();
    }

    @Override
    boolean isExpected(int attribute) {
        return old.getInt(attribute + BODY - 4) == EXPECTED_LENGTH
                && Byte.toUnsignedInt(old.get(attribute + BODY)) == GETSTATIC
                && Byte.toUnsignedInt(old.get(attribute + BODY + 3)) == ARETURN;
    }

    @Override
    void addConstants() throws IOException {
        exception = type(EXCEPTION);
        create = method(METHOD_REFERENCE, exception, "<init>", "(Ljava/lang/String;)V");
        text = reference(STRING, text(TEXT));
        throwable = type("java/lang/Throwable");
        stackMapTable = text("StackMapTable");
    }

    /**
     * Writes the method's new code.
     *
     * <pre>{@code
     *  0 the old field, dup, ifnonnull 18
     *  7 pop, new UnsupportedOperationException(text)
     * 18 areturn
     * }</pre>
     */
    @Override
    void writeCode(DataOutputStream out, int begin, int end) throws IOException {
        int known = 18;
        int length = known + 1;
        int map = 6;
        out.writeShort(old.getShort(begin));
        out.writeInt(BODY - 6 + length + 4 + 6 + map);
        // The sizes of stack and locals.
        out.writeShort(3);
        out.writeShort(0);
        out.writeInt(length);
        instruction(out, GETSTATIC, u2(begin + BODY + 1));
        out.writeByte(0x59);
        instruction(out, 0xc7, known - 4);
        out.writeByte(0x57);
        instruction(out, 0xbb, exception);
        out.writeByte(0x59);
        instruction(out, 0x13, text);
        instruction(out, 0xb7, create);
        out.writeByte(ARETURN);
        // No exception table, one attribute.
        out.writeShort(0);
        out.writeShort(1);
        out.writeShort(stackMapTable);
        out.writeInt(map);
        // One frame: at the end there is one object on the stack.
        out.writeShort(1);
        out.writeByte(64 + known);
        out.writeByte(7);
        out.writeShort(throwable);
    }
}
