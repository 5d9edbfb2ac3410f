// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Replaces the body of one method of {@link java.net.SocketImpl}: the one that creates the JDK's implementation of a socket. The
 * new body asks the JVM's SelectorProvider, if that is an {@link java.util.function.IntFunction}, as PipeDevice's is. Otherwise,
 * and while the provider is being created, it does what the old one did.
 *
 * <pre>
 * class file:  header | constants      | flags ... fields | methods, of one the Code   | attributes
 *                            ^ 15 more                          ^ replaced
 * </pre>
 *
 * <p>With the JDK's own API for class files the start of every JVM would be longer by 20 ms; with this it is by 2.
 */
final class SocketImplPatch {
    private static final String METHOD = "createPlatformSocketImpl";

    /** Of the expected body, {@code return new NioSocketImpl(server)}: the instructions, and -1 for an index. */
    private static final int[] EXPECTED = {0xbb, -1, -1, 0x59, 0x1a, 0xb7, -1, -1, 0xb0};

    private static final String JDK_SOCKET = "sun/nio/ch/NioSocketImpl";

    /** Where the body begins in the attribute: after name, length, the sizes of stack and locals, and its own length. */
    private static final int BODY = 14;

    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD_REFERENCE = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    /** The length of a constant of each tag, without the tag; -1 for tags that do not exist. */
    private static final int[] LENGTHS = {-1, 0, -1, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, -1, -1, 3, 2, 4, 4, 2, 2};

    /** Where the number of constants is. */
    private static final int COUNT_OFFSET = 8;

    private static final int ADDED = 15;

    private final ByteBuffer old;
    private int count;

    /** Where each constant begins, at its tag. */
    private int[] constants;

    private int constantsEnd;

    /** The attribute to replace; its end is 0 until it is found. */
    private int codeBegin;

    private int codeEnd;

    private SocketImplPatch(byte[] old) {
        this.old = ByteBuffer.wrap(old);
    }

    /**
     * Patches the class.
     *
     * @param old the class file of {@link java.net.SocketImpl}
     * @return the new class file; null if it has no such method with the expected body
     */
    static byte[] apply(byte[] old) {
        try {
            SocketImplPatch patch = new SocketImplPatch(old);
            patch.readConstants();
            patch.findCode();
            return patch.codeEnd == 0 ? null : patch.write();
        } catch (RuntimeException | IOException e) {
            // The class file is not as expected: of a later version, or changed by another agent.
            return null;
        }
    }

    private int u2() {
        return Short.toUnsignedInt(old.getShort());
    }

    private void skip(int length) {
        old.position(Math.addExact(old.position(), length));
    }

    private void readConstants() {
        old.position(COUNT_OFFSET);
        count = u2();
        constants = new int[count];
        for (int i = 1; i < count; i++) {
            constants[i] = old.position();
            int tag = old.get();
            if (LENGTHS[tag] < 0) {
                throw new IllegalArgumentException("constant " + tag);
            }
            skip(tag == UTF8 ? u2() : LENGTHS[tag]);
            if (tag == LONG || tag == DOUBLE) {
                i++;
            }
        }
        constantsEnd = old.position();
    }

    private boolean isText(int constant, String text) {
        int begin = constants[constant];
        byte[] expected = text.getBytes(StandardCharsets.ISO_8859_1);
        if (old.get(begin) != UTF8 || Short.toUnsignedInt(old.getShort(begin + 1)) != expected.length) {
            return false;
        }
        byte[] found = new byte[expected.length];
        old.get(begin + 3, found);
        return Arrays.equals(found, expected);
    }

    private void findCode() {
        skip(6);
        skip(2 * u2());
        int fields = u2();
        for (int i = 0; i < fields; i++) {
            skip(6);
            skipAttributes(false);
        }
        int methods = u2();
        for (int i = 0; i < methods; i++) {
            skip(2);
            boolean wanted = isText(u2(), METHOD);
            skip(2);
            skipAttributes(wanted);
        }
    }

    private void skipAttributes(boolean wanted) {
        int attributes = u2();
        for (int i = 0; i < attributes; i++) {
            int begin = old.position();
            boolean isCode = isText(u2(), "Code");
            skip(old.getInt());
            if (wanted && isCode && isExpected(begin)) {
                codeBegin = begin;
                codeEnd = old.position();
            }
        }
    }

    private boolean isExpected(int attribute) {
        if (old.getInt(attribute + BODY - 4) != EXPECTED.length) {
            return false;
        }
        for (int i = 0; i < EXPECTED.length; i++) {
            if (EXPECTED[i] >= 0 && Byte.toUnsignedInt(old.get(attribute + BODY + i)) != EXPECTED[i]) {
                return false;
            }
        }
        int type = Short.toUnsignedInt(old.getShort(attribute + BODY + 1));
        return isText(Short.toUnsignedInt(old.getShort(constants[type] + 1)), JDK_SOCKET);
    }

    private byte[] write() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(old.limit() + 512);
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(old.array(), 0, COUNT_OFFSET);
        out.writeShort(count + ADDED);
        out.write(old.array(), COUNT_OFFSET + 2, constantsEnd - COUNT_OFFSET - 2);
        writeConstants(out);
        out.write(old.array(), constantsEnd, codeBegin - constantsEnd);
        writeCode(out);
        out.write(old.array(), codeEnd, old.limit() - codeEnd);
        return bytes.toByteArray();
    }

    /** Writes {@link #ADDED} constants, of which the first has the number {@link #count}. */
    private void writeConstants(DataOutputStream out) throws IOException {
        text(out, "java/nio/channels/spi/SelectorProvider");
        reference(out, CLASS, 0);
        text(out, "provider");
        text(out, "()Ljava/nio/channels/spi/SelectorProvider;");
        reference(out, NAME_AND_TYPE, 2, 3);
        reference(out, METHOD_REFERENCE, 1, 4);
        text(out, "java/util/function/IntFunction");
        reference(out, CLASS, 6);
        text(out, "apply");
        text(out, "(I)Ljava/lang/Object;");
        reference(out, NAME_AND_TYPE, 8, 9);
        reference(out, INTERFACE_METHOD, 7, 10);
        text(out, "java/net/SocketImpl");
        reference(out, CLASS, 12);
        text(out, "StackMapTable");
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        out.writeByte(UTF8);
        out.writeUTF(text);
    }

    /** Writes a constant that refers to other new ones. */
    private void reference(DataOutputStream out, int tag, int... added) throws IOException {
        out.writeByte(tag);
        for (int each : added) {
            out.writeShort(count + each);
        }
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
    private void writeCode(DataOutputStream out) throws IOException {
        int other = 23;
        int length = other + 1 + EXPECTED.length;
        int map = 6;
        out.writeShort(old.getShort(codeBegin));
        out.writeInt(BODY - 6 + length + 4 + 6 + map);
        // The sizes of stack and locals.
        out.writeShort(3);
        out.writeShort(1);
        out.writeInt(length);
        instruction(out, 0xb8, 5);
        out.writeByte(0x59);
        instruction(out, 0xc1, 7);
        out.writeByte(0x99);
        out.writeShort(other - 7);
        instruction(out, 0xc0, 7);
        out.writeByte(0x1a);
        instruction(out, 0xb9, 11);
        // The number of arguments, and a byte that is always 0.
        out.writeByte(2);
        out.writeByte(0);
        instruction(out, 0xc0, 13);
        out.writeByte(0xb0);
        out.writeByte(0x57);
        out.write(old.array(), codeBegin + BODY, EXPECTED.length);
        // No exception table, one attribute.
        out.writeShort(0);
        out.writeShort(1);
        out.writeShort(count + 14);
        out.writeInt(map);
        // One frame: at the other branch there are the same locals, and one object on the stack, a SelectorProvider.
        out.writeShort(1);
        out.writeByte(64 + other);
        out.writeByte(7);
        out.writeShort(count + 1);
    }

    private void instruction(DataOutputStream out, int code, int added) throws IOException {
        out.writeByte(code);
        out.writeShort(count + added);
    }
}
