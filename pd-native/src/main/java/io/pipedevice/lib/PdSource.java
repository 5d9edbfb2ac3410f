// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

/** A connection or listening socket of either placement, which can become ready. Thread safe. */
public interface PdSource {
    /**
     * Whether it is open.
     *
     * @return false from the beginning of close on
     */
    boolean isOpen();
}
