// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.active.operation.CompletionPageDescriptor;
import io.pipedevice.active.operation.OperationConsumer;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.operation.OperationProducer;
import java.lang.foreign.MemorySegment;

/** Both ends of a queue pair of depth 2; each is used by one thread at a time. */
public final class PlayedQueue {
    /** Depth of the queue pair. */
    public static final int DEPTH = 2;

    /** The process's page. */
    public final MemorySegment page =
            MemorySegment.ofArray(new long[(int) OperationPageDescriptor.length(DEPTH, 1) / 8]);

    private final MemorySegment completions =
            MemorySegment.ofArray(new long[(int) CompletionPageDescriptor.length(DEPTH, 1) / 8]);

    /** The process's end. */
    public final OperationProducer process = new OperationProducer(page, completions, DEPTH, 0);

    /** The driver's end. */
    public final OperationConsumer driver = new OperationConsumer(page, completions, DEPTH, 0);

    /** Creates a queue pair that was not used. */
    public PlayedQueue() {}
}
