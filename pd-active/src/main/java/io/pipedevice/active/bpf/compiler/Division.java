// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

/** Quotients and remainders as RFC 9669 defines them, for compiled code: a divisor of 0 is no error. */
final class Division {
    private Division() {}

    static long unsignedQuotient(long left, long right) {
        return right == 0 ? 0 : Long.divideUnsigned(left, right);
    }

    static long quotient(long left, long right) {
        return right == 0 ? 0 : left / right;
    }

    static long unsignedRemainder(long left, long right) {
        return right == 0 ? left : Long.remainderUnsigned(left, right);
    }

    static long remainder(long left, long right) {
        return right == 0 ? left : left % right;
    }

    static int unsignedQuotient(int left, int right) {
        return right == 0 ? 0 : Integer.divideUnsigned(left, right);
    }

    static int quotient(int left, int right) {
        return right == 0 ? 0 : left / right;
    }

    static int unsignedRemainder(int left, int right) {
        return right == 0 ? left : Integer.remainderUnsigned(left, right);
    }

    static int remainder(int left, int right) {
        return right == 0 ? left : left % right;
    }
}
