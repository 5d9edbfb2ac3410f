// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.LinuxException;
import java.io.UncheckedIOException;

/** Wakes those who have no bell of their own. */
final class Dispatcher {
    private static final Bell BELL = open();

    private Dispatcher() {}

    private static Bell open() {
        try {
            return new Bell();
        } catch (LinuxException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Bell bell() {
        return BELL;
    }
}
