// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls that last until their callers cancel them, or until all was sent; and actions that wait for the end of all of
 * them.
 */
final class GrpcOpenCalls {
    private int open;
    private final List<Runnable> waiting = new ArrayList<>();

    /** Adds a call, until it ends in any way. */
    ServerCallStreamObserver<byte[]> opened(StreamObserver<byte[]> answers) {
        ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) answers;
        synchronized (this) {
            open++;
        }
        call.setOnCancelHandler(this::ended);
        call.setOnCloseHandler(this::ended);
        return call;
    }

    private synchronized void ended() {
        open--;
        if (open == 0) {
            waiting.forEach(Runnable::run);
            waiting.clear();
        }
    }

    /** Runs an action as soon as no call is open. */
    synchronized void whenNone(Runnable then) {
        if (open == 0) {
            then.run();
        } else {
            waiting.add(then);
        }
    }
}
