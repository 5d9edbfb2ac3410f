// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.nio.channels.spi.AbstractSelectionKey;

/** A channel's registration with a selector. */
abstract class PdSelectionKey extends AbstractSelectionKey {
    /** What the selector has to watch is another socket now. Any thread. */
    abstract void transportChanged();
}
