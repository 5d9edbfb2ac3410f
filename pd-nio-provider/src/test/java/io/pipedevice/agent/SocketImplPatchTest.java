// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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

final class SocketImplPatchTest {
    private static byte[] code(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return in.readAllBytes();
        }
    }

    private static List<String> instructions(ClassModel type, String method) {
        MethodModel found = type.methods().stream()
                .filter(each -> each.methodName().equalsString(method))
                .findFirst()
                .orElseThrow();
        return found.code()
                .orElseThrow()
                .elementStream()
                .filter(Instruction.class::isInstance)
                .map(CodeElement::toString)
                .toList();
    }

    @Test
    void theMethodCallsTheProviderAndNothingElseChanges() throws IOException {
        byte[] old = code(SocketImpl.class);
        byte[] patched = SocketImplPatch.apply(old);
        assertEquals(List.of(), ClassFile.of().verify(patched));
        ClassModel before = ClassFile.of().parse(old);
        ClassModel after = ClassFile.of().parse(patched);
        assertEquals(15, instructions(after, "createPlatformSocketImpl").size());
        for (MethodModel each : before.methods()) {
            String name = each.methodName().stringValue();
            if (!name.equals("createPlatformSocketImpl") && each.code().isPresent()) {
                assertEquals(instructions(before, name), instructions(after, name), name);
            }
        }
        assertEquals(before.methods().size(), after.methods().size());
        assertEquals(before.fields().size(), after.fields().size());
        assertEquals(before.attributes().size(), after.attributes().size());
    }

    @Test
    void aClassThatIsNotAsExpectedStaysAsItIs() throws IOException {
        assertNull(SocketImplPatch.apply(code(java.net.Socket.class)));
        assertNull(SocketImplPatch.apply(new byte[0]));
        byte[] old = code(SocketImpl.class);
        assertNull(SocketImplPatch.apply(SocketImplPatch.apply(old)), "patched by an agent that is named twice");
        byte[] before = old.clone();
        for (int length = 0; length < old.length; length += 7) {
            SocketImplPatch.apply(Arrays.copyOf(old, length));
        }
        for (int i = 0; i < old.length; i++) {
            byte[] wrong = old.clone();
            wrong[i] ^= (byte) 0x81;
            SocketImplPatch.apply(wrong);
        }
        assertArrayEquals(before, old);
    }
}
