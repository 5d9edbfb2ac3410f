// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * Messages per second through a stream of the peer placement, in two formats: positions alone, as PipeDevice has them,
 * and a command and a completion for each message, as the device of the driver placement has them. Of the two threads,
 * only the sender's figure matters. Both receivers copy directly into the program's buffer.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StreamFormatBenchmark {
    /** Creates the benchmark; JMH does. */
    public StreamFormatBenchmark() {}

    /** A stream and a message. */
    @State(Scope.Group)
    public static class Connection {
        /** How the receiver learns of a message. */
        @Param({"POSITIONS", "COMMANDS"})
        public String format;

        /** Size of a message, in bytes. */
        @Param({"64", "1024", "16384", "65536"})
        public int size;

        private StreamFormat.Ends ends;

        /** Creates the state; JMH does. */
        public Connection() {}

        /**
         * Connects.
         *
         * @throws Exception if that fails
         */
        @Setup(Level.Iteration)
        public void open() throws Exception {
            ends = StreamFormat.valueOf(format).open(size);
        }

        /** Closes the connection. */
        @TearDown(Level.Iteration)
        public void close() {
            ends.close();
        }
    }

    /**
     * Sends a message.
     *
     * @param connection the stream
     * @param control tells when to stop waiting for room
     * @throws Exception if the stream is broken
     */
    @Benchmark
    @Group("stream")
    public void send(Connection connection, Control control) throws Exception {
        while (!connection.ends.send() && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }

    /**
     * Receives the available data.
     *
     * @param connection the stream
     * @return the number of bytes
     * @throws Exception if the stream is broken
     */
    @Benchmark
    @Group("stream")
    public int receive(Connection connection) throws Exception {
        int length = connection.ends.receive();
        if (length == 0) {
            Thread.onSpinWait();
        }
        return length;
    }
}
