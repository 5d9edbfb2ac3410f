// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that causes lines in a driver's log, of each kind that it can, as often as it can. Arguments: the driver's
 * directory, and how often. Prints DONE at the end.
 */
final class NoisyProcess {
    private static final byte[] GARBAGE = {1, 2, 3};

    /** More connections than a driver admits of one process. */
    private static final int CONNECTIONS = 20;

    private NoisyProcess() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        int times = Integer.parseInt(arguments[1]);
        crowd(directory);
        int done = 0;
        while (done < times) {
            try {
                disturb(directory);
                done++;
            } catch (IOException e) {
                // The driver has not yet noticed that earlier connections are closed, and admits no further one.
                Thread.onSpinWait();
            }
        }
        System.out.println("DONE");
    }

    private static void disturb(Path directory) throws IOException {
        try (RawControl control = new RawControl(TestDriver.endpoint(directory).connect())) {
            control.send(GARBAGE);
            control.awaitEnd(30_000);
        }
        try (RawClient client = RawClient.attach(TestDriver.endpoint(directory))) {
            client.control.send(GARBAGE);
            client.control.awaitEnd(30_000);
        }
        RawClient.attach(TestDriver.endpoint(directory)).close();
    }

    private static void crowd(Path directory) throws IOException {
        List<RawControl> connections = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(new RawControl(TestDriver.endpoint(directory).connect()));
        }
        connections.getLast().awaitEnd(30_000);
        connections.forEach(RawControl::close);
    }
}
