// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import java.lang.classfile.CodeBuilder;
import java.util.HashSet;
import java.util.Set;

/**
 * Loads constants. The pool of a class has 65,535 entries, and a program can have more constants: those beyond a number
 * are computed. Used by one compilation.
 */
final class ConstantLoader {
    /** The most constants in the pool, of at most two entries each: there is room for the names of all methods. */
    private static final int MAX_POOLED = 15_000;

    /** The bytes of a constant from the pool. */
    private static final int POOLED_LENGTH = 3;

    private final Set<Long> pooled = new HashSet<>();

    private boolean isPooled(long value) {
        return pooled.contains(value) || (pooled.size() < MAX_POOLED && pooled.add(value));
    }

    /** How many bytes of code load a constant as a long, at most. Also decides whether it is in the pool. */
    int lengthOf(long value) {
        if (isShort(value)) {
            return 4;
        }
        if (isPooled(value)) {
            return POOLED_LENGTH + 1;
        }
        return value == (int) value ? 11 : 32;
    }

    void loadLong(CodeBuilder code, long value) {
        if (value == (int) value) {
            if (value == 0 || value == 1) {
                code.loadConstant(value);
            } else {
                loadInt(code, (int) value);
                code.i2l();
            }
        } else if (isPooled(value)) {
            code.loadConstant(value);
        } else {
            loadInt(code, (int) (value >>> Integer.SIZE));
            code.i2l().bipush(Integer.SIZE).lshl();
            loadInt(code, (int) value);
            code.i2l().loadConstant(Registers.LOW_32).land().lor();
        }
    }

    void loadInt(CodeBuilder code, int value) {
        if (isShort(value) || isPooled(value)) {
            code.loadConstant(value);
        } else {
            short low = (short) value;
            // the difference is a multiple of 65,536, modulo 2^32
            code.sipush((short) ((value - low) >> Short.SIZE))
                    .bipush(Short.SIZE)
                    .ishl();
            code.sipush(low).iadd();
        }
    }

    private static boolean isShort(long value) {
        return value == (short) value;
    }
}
