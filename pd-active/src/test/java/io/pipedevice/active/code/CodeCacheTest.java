// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.message.MessageFunction;
import java.lang.ref.WeakReference;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions of the same program have the same code, as long as it is in use. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CodeCacheTest {
    /** mov r0, 7; exit. */
    private static final byte[] SEVEN = HexFormat.of().parseHex("b7000000070000009500000000000000");

    private static final byte[] EIGHT = HexFormat.of().parseHex("b7000000080000009500000000000000");

    private static MessageFunction code(byte[] bytes, String symbol, int length, int regions, long fuel)
            throws Exception {
        return FunctionCode.of(bytes, symbol, length, regions, fuel).function();
    }

    @Test
    void theSameProgramWithTheSameConditionsHasOneCode() throws Exception {
        MessageFunction code = code(SEVEN, "", 8, 1, 100);
        FunctionCode again = FunctionCode.of(SEVEN.clone(), "", 8, 1, 100);
        assertSame(code, again.function());
        assertEquals(code.codeBytes(), again.function().codeBytes());
    }

    @Test
    void differentProgramsOrConditionsHaveDifferentCode() throws Exception {
        MessageFunction code = code(SEVEN, "", 8, 1, 100);
        assertNotSame(code, code(EIGHT, "", 8, 1, 100));
        assertNotSame(code, code(SEVEN, "", 16, 1, 100));
        assertNotSame(code, code(SEVEN, "", 8, 2, 100));
        assertNotSame(code, code(SEVEN, "", 8, 1, 101));
        assertSame(code, code(SEVEN, "", 8, 1, 100));
    }

    @Test
    void aProgramAndASymbolAreNotTakenForALongerProgram() {
        byte[] longer = {1, 2, 'a', 'b'};
        byte[] shorter = {1, 2};
        assertNotEquals(CodeCache.key(longer, "", 8, 1, 1), CodeCache.key(shorter, "ab", 8, 1, 1));
    }

    @Test
    void anUnsafeProgramIsRefusedEachTime() {
        byte[] unsafe = HexFormat.of().parseHex("bf100000000000009500000000000000");
        for (int i = 0; i < 2; i++) {
            assertThrows(UnsafeProgramException.class, () -> FunctionCode.of(unsafe, "", 8, 1, 100));
        }
    }

    @Test
    void codeThatNoFunctionUsesIsEvicted() throws Exception {
        CodeCache cache = new CodeCache();
        CodeCache.Key key = CodeCache.key(SEVEN, "", 8, 1, 77);
        FunctionCode used = FunctionCode.of(SEVEN, "", 8, 1, 77);
        cache.add(key, used);
        WeakReference<MessageFunction> watched = new WeakReference<>(used.function());
        System.gc();
        assertSame(used.function(), cache.find(key).function());
        used = null;
        while (watched.get() != null) {
            System.gc();
            Thread.sleep(1);
        }
        assertNull(cache.find(key));
        while (cache.size() > 1) {
            cache.add(CodeCache.key(EIGHT, "", 8, 1, 77), FunctionCode.of(EIGHT, "", 8, 1, 77));
            Thread.sleep(1);
        }
    }
}
