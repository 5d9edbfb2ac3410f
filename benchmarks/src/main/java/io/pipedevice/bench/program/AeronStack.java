// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * Aeron's IPC: messages in shared memory, without sockets, and both ends poll. The media driver runs in the server's
 * process; it only opens and closes streams, and moves their windows.
 */
final class AeronStack implements Stack {
    /** Longer messages are fragmented; this is the largest MTU that Aeron allows. */
    private static final int MTU = 65504;

    private static final long DRIVER_SLEEP_NS = 50_000;

    private final MediaDriver driver;
    private final Aeron aeron;
    private int nextStream = 1;

    AeronStack(Path directory, boolean server) {
        driver = server ? launch(directory) : null;
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory.toString()));
    }

    private static MediaDriver launch(Path directory) {
        return MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingIdleStrategy(DRIVER_SLEEP_NS))
                .ipcMtuLength(MTU)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
    }

    /** A stream of Aeron has one direction, so a ping-pong has two consecutive streams. */
    @Override
    public Job.Server server(Kind kind, int size) {
        int stream = nextStream;
        nextStream += 2;
        return kind == Kind.PING_PONG ? new AeronEcho(aeron, stream, size) : new AeronReceiver(aeron, stream, size);
    }

    @Override
    public Job client(Kind kind, int size, String address, int connections, int busy) {
        int stream = Integer.parseInt(address);
        return kind == Kind.PING_PONG
                ? new AeronPingPong(aeron, stream, size)
                : new AeronSender(aeron, stream, size, Pace.of(kind));
    }

    @Override
    public void close() {
        aeron.close();
        if (driver != null) {
            driver.close();
        }
    }
}
