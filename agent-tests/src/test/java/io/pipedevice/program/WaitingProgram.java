// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.IOException;
import java.nio.channels.Selector;

/** A program without any reference to PipeDevice. It opens a selector, prints that, and waits until its input ends. */
public final class WaitingProgram {
    private WaitingProgram() {}

    public static void main(String[] args) throws IOException {
        try (Selector selector = Selector.open()) {
            System.out.println("ready");
            System.in.transferTo(System.out);
            System.out.println("ends " + selector.isOpen());
        }
    }
}
