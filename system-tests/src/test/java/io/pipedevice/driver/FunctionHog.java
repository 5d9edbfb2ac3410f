// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.CallCompletion;
import io.pipedevice.active.Calls;
import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.lib.PdException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * An attachment that always has as many calls at the device as it may, until its process ends. Used by one thread at a
 * time.
 */
final class FunctionHog {
    private final CallCompletion completion = new CallCompletion();
    private final RemoteFunction function;
    private final Calls calls;
    private final MemorySegment[] messages;

    private FunctionHog(Regions regions, String name, int depth) throws IOException {
        function = regions.findFunction(name);
        calls = regions.calls(depth);
        messages = new MemorySegment[depth];
        for (int i = 0; i < depth; i++) {
            messages[i] = calls.message(function);
            post(i);
        }
        calls.flush();
    }

    /** Makes some, and a thread that posts each call again that has ended. */
    static void start(ControlEndpoint driver, String function, int count, int depth) throws IOException {
        List<FunctionHog> hogs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hogs.add(new FunctionHog(Regions.attach(driver, 1, depth), function, depth));
        }
        Thread thread = new Thread(() -> run(hogs), "hogs");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(List<FunctionHog> hogs) {
        try {
            while (true) {
                for (FunctionHog hog : hogs) {
                    hog.turn();
                }
                Thread.sleep(1);
            }
        } catch (PdException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void post(int number) throws PdException {
        boolean posted = calls.post(number, function, messages[number], Place.DEVICE);
        assert posted;
    }

    private void turn() throws PdException {
        while (calls.poll(completion)) {
            post((int) completion.id());
        }
        calls.flush();
    }
}
