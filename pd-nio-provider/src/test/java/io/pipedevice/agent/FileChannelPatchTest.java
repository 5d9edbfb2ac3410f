// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.net.SocketImpl;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FileChannelPatchTest {
    private static final String METHOD = "transferTo";
    private static final String DESCRIPTOR = "(JJLjava/nio/channels/WritableByteChannel;)J";
    private static final int ADDED = 29;

    private static byte[] code(String name) throws IOException {
        try (InputStream in = Object.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static List<String> instructions(MethodModel method) {
        return method.code()
                .orElseThrow()
                .elementStream()
                .filter(Instruction.class::isInstance)
                .map(CodeElement::toString)
                .toList();
    }

    @Test
    void theMethodCallsItsTargetFirstAndNothingElseChanges() throws IOException {
        byte[] old = code("/sun/nio/ch/FileChannelImpl.class");
        byte[] patched = FileChannelPatch.apply(old);
        assertNotNull(patched);
        assertEquals(List.of(), ClassFile.of().verify(patched));
        ClassModel before = ClassFile.of().parse(old);
        ClassModel after = ClassFile.of().parse(patched);
        assertEquals(before.methods().size(), after.methods().size());
        for (int i = 0; i < before.methods().size(); i++) {
            MethodModel each = before.methods().get(i);
            if (each.code().isPresent()) {
                List<String> now = instructions(after.methods().get(i));
                boolean changed = each.methodName().equalsString(METHOD)
                        && each.methodType().equalsString(DESCRIPTOR);
                int added = changed ? ADDED : 0;
                assertEquals(instructions(each).size() + added, now.size());
                assertEquals(
                        kinds(instructions(each)),
                        kinds(now.subList(added, now.size())),
                        each.methodName()::stringValue);
            }
        }
        assertEquals(before.fields().size(), after.fields().size());
        assertEquals(before.attributes().size(), after.attributes().size());
    }

    /** The instructions without the names of the places that branches lead to. */
    private static List<String> kinds(List<String> instructions) {
        return instructions.stream()
                .map(each -> each.replaceAll("[\\[@].*", ""))
                .toList();
    }

    @Test
    void aClassThatIsNotAsExpectedStaysAsItIs() throws IOException {
        assertNull(FileChannelPatch.apply(new byte[0]));
        try (InputStream in = SocketImpl.class.getResourceAsStream("SocketImpl.class")) {
            assertNull(FileChannelPatch.apply(in.readAllBytes()));
        }
        byte[] old = code("/sun/nio/ch/FileChannelImpl.class");
        byte[] before = old.clone();
        for (int length = 0; length < old.length; length += 97) {
            FileChannelPatch.apply(Arrays.copyOf(old, length));
        }
        for (int i = 0; i < old.length; i += 13) {
            byte[] wrong = old.clone();
            wrong[i] ^= (byte) 0x81;
            FileChannelPatch.apply(wrong);
        }
        assertArrayEquals(before, old);
    }
}
