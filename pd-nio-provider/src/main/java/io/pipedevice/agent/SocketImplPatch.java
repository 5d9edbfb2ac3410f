// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Replaces the body of one method of {@link java.net.SocketImpl}: the one that creates the JDK's implementation of a
 * socket. The new body asks the JVM's SelectorProvider, if that is an {@link java.util.function.IntFunction}, as
 * PipeDevice's is. Otherwise, and while the provider is being created, it does what the old one did.
 */
final class SocketImplPatch extends MethodPatch {
    /** Of the expected body, {@code return new NioSocketImpl(server)}: the instructions, and -1 for an index. */
    private static final int[] EXPECTED = {0xbb, -1, -1, 0x59, 0x1a, 0xb7, -1, -1, 0xb0};

    private static final String JDK_SOCKET = "sun/nio/ch/NioSocketImpl";

    private int provider;
    private int getProvider;
    private int function;
    private int apply;
    private int socketImpl;
    private int stackMapTable;

    private SocketImplPatch(byte[] old) {
        super(old, "createPlatformSocketImpl", "(Z)Ljava/net/SocketImpl;");
    }

    /**
     * Patches the class.
     *
     * @param old the class file of {@link java.net.SocketImpl}
     * @return the new class file; null if it has no such method with the expected body
     */
    static byte[] apply(byte[] old) {
        return new SocketImplPatch(old).apply();
    }

    @Override
    boolean isExpected(int attribute) {
        if (old.getInt(attribute + BODY - 4) != EXPECTED.length) {
            return false;
        }
        for (int i = 0; i < EXPECTED.length; i++) {
            if (EXPECTED[i] >= 0 && Byte.toUnsignedInt(old.get(attribute + BODY + i)) != EXPECTED[i]) {
                return false;
            }
        }
        return isClass(u2(attribute + BODY + 1), JDK_SOCKET);
    }

    @Override
    void addConstants() throws IOException {
        provider = type("java/nio/channels/spi/SelectorProvider");
        getProvider = method(METHOD_REFERENCE, provider, "provider", "()Ljava/nio/channels/spi/SelectorProvider;");
        function = type("java/util/function/IntFunction");
        apply = method(INTERFACE_METHOD, function, "apply", "(I)Ljava/lang/Object;");
        socketImpl = type("java/net/SocketImpl");
        stackMapTable = text("StackMapTable");
    }

    /**
     * Writes the method's new code.
     *
     * <pre>{@code
     *  0 SelectorProvider.provider()
     *  3 dup, instanceof IntFunction, ifeq 23
     * 10 checkcast IntFunction, iload_0, apply, checkcast SocketImpl, areturn
     * 23 pop, and the old body
     * }</pre>
     */
    @Override
    void writeCode(DataOutputStream out, int begin, int end) throws IOException {
        int other = 23;
        int length = other + 1 + EXPECTED.length;
        int map = 6;
        out.writeShort(old.getShort(begin));
        out.writeInt(BODY - 6 + length + 4 + 6 + map);
        // The sizes of stack and locals.
        out.writeShort(3);
        out.writeShort(1);
        out.writeInt(length);
        instruction(out, 0xb8, getProvider);
        out.writeByte(0x59);
        instruction(out, 0xc1, function);
        out.writeByte(0x99);
        out.writeShort(other - 7);
        instruction(out, 0xc0, function);
        out.writeByte(0x1a);
        instruction(out, 0xb9, apply);
        // The number of arguments, and a byte that is always 0.
        out.writeByte(2);
        out.writeByte(0);
        instruction(out, 0xc0, socketImpl);
        out.writeByte(0xb0);
        out.writeByte(0x57);
        out.write(old.array(), begin + BODY, EXPECTED.length);
        // No exception table, one attribute.
        out.writeShort(0);
        out.writeShort(1);
        out.writeShort(stackMapTable);
        out.writeInt(map);
        // One frame: at the other branch there are the same locals, and one object on the stack, a SelectorProvider.
        out.writeShort(1);
        out.writeByte(64 + other);
        out.writeByte(7);
        out.writeShort(provider);
    }
}
