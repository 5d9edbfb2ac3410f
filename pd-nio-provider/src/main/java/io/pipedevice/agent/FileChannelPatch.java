// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Adds a beginning to {@code transferTo} of the JDK's file channel: if the target is an
 * {@link java.lang.reflect.InvocationHandler}, as PipeDevice's channels are, and its {@code invoke} returns a number,
 * that is the result. Otherwise the method does what it did.
 */
final class FileChannelPatch extends MethodPatch {
    /** The length of the beginning: a multiple of 4, so that what follows needs no other padding. */
    private static final int ADDED = 56;

    private static final int STACK = 8;
    private static final int LOCALS = 7;

    private int handler;
    private int invoke;
    private int object;
    private int number;
    private int valueOf;
    private int longValue;

    private FileChannelPatch(byte[] old) {
        super(old, "transferTo", "(JJLjava/nio/channels/WritableByteChannel;)J");
    }

    /**
     * Patches the class.
     *
     * @param old the class file of the JDK's file channel
     * @return the new class file; null if it has no such method
     */
    static byte[] apply(byte[] old) {
        return new FileChannelPatch(old).apply();
    }

    @Override
    boolean isExpected(int attribute) {
        return true;
    }

    @Override
    void addConstants() throws IOException {
        handler = type("java/lang/reflect/InvocationHandler");
        invoke = method(
                INTERFACE_METHOD,
                handler,
                "invoke",
                "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;");
        object = type("java/lang/Object");
        number = type("java/lang/Long");
        valueOf = method(METHOD_REFERENCE, number, "valueOf", "(J)Ljava/lang/Long;");
        longValue = method(METHOD_REFERENCE, number, "longValue", "()J");
    }

    @Override
    void writeCode(DataOutputStream out, int begin, int end) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(end - begin + 2 * ADDED);
        DataOutputStream code = new DataOutputStream(bytes);
        int length = old.getInt(begin + BODY - 4);
        int tables = begin + BODY + length;
        code.writeShort(Math.max(u2(begin + 6), STACK));
        code.writeShort(Math.max(u2(begin + 8), LOCALS));
        code.writeInt(ADDED + length);
        writeBeginning(code);
        code.write(old.array(), begin + BODY, length);
        int attributes = writeHandlers(code, tables);
        writeAttributes(code, attributes, end);
        out.writeShort(old.getShort(begin));
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    /**
     * Writes the beginning.
     *
     * <pre>{@code
     *  0 nop, nop
     *  2 aload target, instanceof InvocationHandler, ifeq 56
     * 10 aload target, checkcast InvocationHandler
     * 15 aload this, aconst_null, new Object[] {position, count}, invoke
     * 40 astore 6, aload 6, ifnull 56
     * 47 aload 6, checkcast Long, longValue, lreturn
     * 56 the old body
     * }</pre>
     */
    private void writeBeginning(DataOutputStream code) throws IOException {
        code.write(new byte[] {0, 0});
        loadTarget(code);
        instruction(code, 0xc1, handler);
        branch(code, 0x99, 7);
        loadTarget(code);
        instruction(code, 0xc0, handler);
        code.write(new byte[] {0x2a, 0x01, 0x05});
        instruction(code, 0xbd, object);
        code.write(new byte[] {0x59, 0x03, 0x1f});
        instruction(code, 0xb8, valueOf);
        code.write(new byte[] {0x53, 0x59, 0x04, 0x21});
        instruction(code, 0xb8, valueOf);
        code.writeByte(0x53);
        instruction(code, 0xb9, invoke);
        // The number of arguments, and a byte that is always 0.
        code.write(new byte[] {4, 0});
        code.write(new byte[] {0x3a, 6, 0x19, 6});
        branch(code, 0xc6, 44);
        code.write(new byte[] {0x19, 6});
        instruction(code, 0xc0, number);
        instruction(code, 0xb6, longValue);
        code.writeByte(0xad);
    }

    private static void loadTarget(DataOutputStream code) throws IOException {
        code.write(new byte[] {0x19, 5});
    }

    /** A branch to the old body, from an offset. */
    private static void branch(DataOutputStream code, int instruction, int from) throws IOException {
        instruction(code, instruction, ADDED - from);
    }

    /** Writes the table of exception handlers; returns where the attributes begin. */
    private int writeHandlers(DataOutputStream code, int table) throws IOException {
        int handlers = u2(table);
        code.writeShort(handlers);
        int at = table + 2;
        for (int i = 0; i < handlers; i++, at += 8) {
            code.writeShort(u2(at) + ADDED);
            code.writeShort(u2(at + 2) + ADDED);
            code.writeShort(u2(at + 4) + ADDED);
            code.writeShort(u2(at + 6));
        }
        return at;
    }

    private void writeAttributes(DataOutputStream code, int begin, int end) throws IOException {
        int attributes = u2(begin);
        code.writeShort(attributes);
        int at = begin + 2;
        boolean framed = false;
        for (int i = 0; i < attributes; i++) {
            code.writeShort(u2(at));
            int length = old.getInt(at + 2);
            if (isText(u2(at), "LineNumberTable")) {
                code.writeInt(length);
                writeOffsets(code, at + 6, 4);
            } else if (isText(u2(at), "LocalVariableTable") || isText(u2(at), "LocalVariableTypeTable")) {
                code.writeInt(length);
                writeOffsets(code, at + 6, 10);
            } else if (isText(u2(at), "StackMapTable")) {
                // One frame more, of one byte.
                code.writeInt(length + 1);
                writeFrames(code, at + 6, length);
                framed = true;
            } else {
                throw new IllegalArgumentException("an attribute with offsets that are not understood");
            }
            at += 6 + length;
        }
        if (!framed || at != end) {
            throw new IllegalArgumentException("a method without branches");
        }
    }

    /** Writes a table for debuggers, whose entries begin with an offset. */
    private void writeOffsets(DataOutputStream code, int table, int entry) throws IOException {
        int entries = u2(table);
        code.writeShort(entries);
        for (int i = 0, at = table + 2; i < entries; i++, at += entry) {
            code.writeShort(u2(at) + ADDED);
            code.write(old.array(), at + 2, entry - 2);
        }
    }

    /**
     * Adds a frame at the old body's beginning, with the same locals and no stack. Each frame counts from the one
     * before.
     */
    private void writeFrames(DataOutputStream code, int table, int length) throws IOException {
        code.writeShort(u2(table) + 1);
        code.writeByte(ADDED);
        int type = Byte.toUnsignedInt(old.get(table + 2));
        int sameEnd = 64;
        int oneEnd = 128;
        int rest = table + 3;
        if (type == 0 || type == sameEnd) {
            throw new IllegalArgumentException("a loop that begins with the method");
        }
        if (type < oneEnd) {
            code.writeByte(type - 1);
        } else {
            code.writeByte(type);
            code.writeShort(u2(table + 3) - 1);
            rest += 2;
        }
        code.write(old.array(), rest, table + length - rest);
    }
}
