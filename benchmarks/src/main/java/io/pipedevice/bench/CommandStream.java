// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandQueueDescriptor;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The same stream with a submission queue and a completion queue in addition to the ring; the receiver acts as their
 * engine. As in the stream of positions, a message is published at once, and a check for a sleeping peer would follow
 * each.
 */
final class CommandStream implements StreamFormat.Ends {
    private static final int DEPTH = CommandQueueDescriptor.DEFAULT_DEPTH;

    private final CommandProducer submissions;
    private final CommandConsumer submitted;
    private final CommandProducer completions;
    private final CommandConsumer completed;
    private final ByteBuffer ring = ByteBuffer.allocateDirect(StreamFormat.RING_LENGTH);
    private final ByteBuffer message;
    private final ByteBuffer target = ByteBuffer.allocateDirect(StreamFormat.BUFFER_LENGTH);

    /** Belongs to the sender; the next field belongs to the receiver. */
    private final Command out = new Command();

    private final Command done = new Command();
    private long tail;
    private long head;
    private int onTheirWay;

    private final Command in = new Command();
    private boolean waiting;

    CommandStream(int size) {
        MemorySegment queue = queue();
        submissions = new CommandProducer(queue, DEPTH, 1);
        submitted = new CommandConsumer(queue, DEPTH, 1);
        queue = queue();
        completions = new CommandProducer(queue, DEPTH, 1);
        completed = new CommandConsumer(queue, DEPTH, 1);
        message = ByteBuffer.allocateDirect(size);
    }

    private static MemorySegment queue() {
        return Arena.ofAuto().allocate(CommandQueueDescriptor.requiredLength(DEPTH), 4096);
    }

    @Override
    public boolean send() {
        int size = message.capacity();
        while (completed.poll(done)) {
            head += done.length();
            onTheirWay--;
        }
        if (StreamFormat.RING_LENGTH - (tail - head) < size || onTheirWay == DEPTH) {
            return false;
        }
        int offset = (int) tail & StreamFormat.RING_LENGTH - 1;
        ring.put(offset, message, 0, size);
        if (!submissions.offer(out.set(CommandType.SEND, offset, 0, size, 1, 1, 0, (int) tail, 0))) {
            return false;
        }
        tail += size;
        onTheirWay++;
        VarHandle.fullFence();
        return true;
    }

    @Override
    public int receive() {
        int count = 0;
        while (waiting || submitted.poll(in)) {
            waiting = in.length() > StreamFormat.BUFFER_LENGTH - count;
            if (waiting) {
                break;
            }
            target.put(count, ring, (int) in.source(), in.length());
            count += in.length();
            // The number of messages in flight never exceeds the queue's depth.
            completions.offer(in.complete(CommandType.STATUS_OK));
        }
        VarHandle.fullFence();
        return count;
    }

    @Override
    public void close() {}
}
