// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A change of the code of one method in a class file.
 *
 * <pre>
 * class file:  header | constants      | flags ... fields | methods, of one the Code   | attributes
 *                            ^ some more                        ^ replaced
 * </pre>
 *
 * <p>With the JDK's own API for class files the start of every JVM would be longer by 20 ms; with this it is by 2.
 */
abstract class MethodPatch {
    static final int CLASS = 7;
    static final int METHOD_REFERENCE = 10;
    static final int INTERFACE_METHOD = 11;
    static final int NAME_AND_TYPE = 12;

    /**
     * Where the body begins in the attribute: after name, length, the sizes of stack and locals, and its own length.
     */
    static final int BODY = 14;

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    /** The length of a constant of each tag, without the tag; -1 for tags that do not exist. */
    private static final int[] LENGTHS = {-1, 0, -1, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, -1, -1, 3, 2, 4, 4, 2, 2};

    /** Where the number of constants is. */
    private static final int COUNT_OFFSET = 8;

    final ByteBuffer old;
    private final String method;
    private final String descriptor;
    private int count;

    /** Where each constant begins, at its tag. */
    private int[] constants;

    private int constantsEnd;

    /** The attribute to replace; its end is 0 until it is found. */
    private int codeBegin;

    private int codeEnd;

    /** The constants that are added, and how many they are. */
    private final ByteArrayOutputStream addedBytes = new ByteArrayOutputStream(512);

    private final DataOutputStream added = new DataOutputStream(addedBytes);
    private int addedCount;

    MethodPatch(byte[] old, String method, String descriptor) {
        this.old = ByteBuffer.wrap(old);
        this.method = method;
        this.descriptor = descriptor;
    }

    /** The new class file; null if it has no such method with the expected body. */
    final byte[] apply() {
        try {
            readConstants();
            findCode();
            return codeEnd == 0 ? null : write();
        } catch (RuntimeException | IOException e) {
            // The class file is not as expected: of a later version, or changed by another agent.
            return null;
        }
    }

    /** Whether the method's code can be changed; {@code attribute} is where it begins. */
    abstract boolean isExpected(int attribute);

    /** Adds the constants that the new code needs. */
    abstract void addConstants() throws IOException;

    /** Writes the code's attribute, whose old form is in {@link #old} from {@code begin} to {@code end}. */
    abstract void writeCode(DataOutputStream out, int begin, int end) throws IOException;

    private int u2() {
        return u2(old.position(), 2);
    }

    private int u2(int at, int length) {
        old.position(at + length);
        return u2(at);
    }

    /** The number of two bytes at an offset. */
    final int u2(int at) {
        return Short.toUnsignedInt(old.getShort(at));
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

    /** Whether a constant is a text. */
    final boolean isText(int constant, String text) {
        int begin = constants[constant];
        byte[] expected = text.getBytes(StandardCharsets.ISO_8859_1);
        if (old.get(begin) != UTF8 || u2(begin + 1) != expected.length) {
            return false;
        }
        byte[] found = new byte[expected.length];
        old.get(begin + 3, found);
        return Arrays.equals(found, expected);
    }

    /** Whether a constant is a class of that name. */
    final boolean isClass(int constant, String name) {
        return isText(u2(constants[constant] + 1), name);
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
            boolean named = isText(u2(), method);
            boolean typed = isText(u2(), descriptor);
            skipAttributes(named && typed);
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

    private byte[] write() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(old.limit() + 1024);
        DataOutputStream out = new DataOutputStream(bytes);
        addConstants();
        out.write(old.array(), 0, COUNT_OFFSET);
        out.writeShort(count + addedCount);
        out.write(old.array(), COUNT_OFFSET + 2, constantsEnd - COUNT_OFFSET - 2);
        addedBytes.writeTo(out);
        out.write(old.array(), constantsEnd, codeBegin - constantsEnd);
        writeCode(out, codeBegin, codeEnd);
        out.write(old.array(), codeEnd, old.limit() - codeEnd);
        return bytes.toByteArray();
    }

    /** Adds a text; returns its number. */
    final int text(String text) throws IOException {
        added.writeByte(UTF8);
        added.writeUTF(text);
        return count + addedCount++;
    }

    /** Adds a constant that refers to others; returns its number. */
    final int reference(int tag, int... to) throws IOException {
        added.writeByte(tag);
        for (int each : to) {
            added.writeShort(each);
        }
        return count + addedCount++;
    }

    /** Adds a class; returns its number. */
    final int type(String name) throws IOException {
        return reference(CLASS, text(name));
    }

    /** Adds a method; returns its number. */
    final int method(int tag, int type, String name, String descriptor) throws IOException {
        return reference(tag, type, reference(NAME_AND_TYPE, text(name), text(descriptor)));
    }

    /** Writes an instruction with an index of a constant. */
    static void instruction(DataOutputStream out, int code, int constant) throws IOException {
        out.writeByte(code);
        out.writeShort(constant);
    }
}
