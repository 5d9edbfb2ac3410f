// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.CloseableIterator;

/**
 * Submits jobs of Flink to a job manager at the {@code port} of its REST interface, which has the {@code slots} of its
 * task managers. The jobs move about the {@code size} that it is given; with {@code measure} it only measures.
 */
final class FlinkShuffle {
    private static final int RECORD = 1 << 16;
    private static final String BYTES = "bytes";

    private final String host;
    private final int port;
    private final int slots;
    private final long records;

    private FlinkShuffle(Arguments arguments) {
        host = arguments.host();
        port = arguments.number("port");
        slots = arguments.number("slots");
        records = arguments.size("size") / RECORD;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        FlinkShuffle shuffle = new FlinkShuffle(arguments);
        if (arguments.has("measure")) {
            checks.run("measure shuffles", shuffle::measureShuffles);
            checks.run("measure jobs", shuffle::measureJobs);
        } else {
            checks.run("records that flow between the tasks", () -> shuffle.shuffle(RuntimeExecutionMode.STREAMING));
            checks.run("one stage after the other", () -> shuffle.shuffle(RuntimeExecutionMode.BATCH));
        }
        checks.end();
    }

    private StreamExecutionEnvironment environment(RuntimeExecutionMode mode) {
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.createRemoteEnvironment(host, port, slots);
        flink.setRuntimeMode(mode);
        return flink;
    }

    /** One task makes every record, and the task of the record's key makes its digest. */
    @SuppressWarnings("try") // nothing interrupts the thread of a check that does not hang
    private void shuffle(RuntimeExecutionMode mode) throws Exception {
        DataStream<Tuple2<Long, String>> results = environment(mode)
                .fromSequence(0, records - 1)
                .map(new Source())
                .keyBy(record -> record.f0)
                .map(new Digest());
        Map<Long, String> digests = new HashMap<>();
        try (CloseableIterator<Tuple2<Long, String>> all = results.executeAndCollect()) {
            while (all.hasNext()) {
                Tuple2<Long, String> one = all.next();
                Checks.same(true, digests.put(one.f0, one.f1) == null);
            }
        }
        Checks.same(records, (long) digests.size());
        for (Map.Entry<Long, String> one : digests.entrySet()) {
            Checks.same(Noise.digest(one.getKey(), RECORD), one.getValue());
        }
    }

    private static final class Source implements MapFunction<Long, Tuple2<Long, byte[]>> {
        private static final long serialVersionUID = 1;

        @Override
        public Tuple2<Long, byte[]> map(Long number) {
            return Tuple2.of(number, Noise.bytes(number, RECORD));
        }
    }

    private static final class Digest implements MapFunction<Tuple2<Long, byte[]>, Tuple2<Long, String>> {
        private static final long serialVersionUID = 1;

        @Override
        public Tuple2<Long, String> map(Tuple2<Long, byte[]> record) {
            return Tuple2.of(record.f0, Noise.digest(record.f1));
        }
    }

    private void measureShuffles() throws Exception {
        Figures.warmUpLarge(() -> move(records));
        Figures bulk = new Figures();
        bulk.printBytes(bulk.repeatLong(() -> move(records)) * records * RECORD);
    }

    /** Waits for one small job after the other. */
    private void measureJobs() throws Exception {
        Figures.warmUpLarge(() -> move(slots));
        Figures alone = new Figures();
        alone.repeatOften(() -> move(slots));
        alone.printDelay();
    }

    private void move(long count) throws Exception {
        StreamExecutionEnvironment flink = environment(RuntimeExecutionMode.STREAMING);
        flink.fromSequence(0, count - 1)
                .map(new RepeatedSource())
                .rebalance()
                .map(new Counter())
                .sinkTo(new DiscardingSink<>());
        Checks.same(count * RECORD, flink.execute().getAccumulatorResult(BYTES));
    }

    private static final class RepeatedSource implements MapFunction<Long, byte[]> {
        private static final long serialVersionUID = 1;
        private static final byte[] BLOCK = Noise.bytes(Noise.REPEATED, RECORD);

        @Override
        public byte[] map(Long number) {
            return BLOCK;
        }
    }

    private static final class Counter extends RichMapFunction<byte[], Integer> {
        private static final long serialVersionUID = 1;
        private final LongCounter bytes = new LongCounter();

        @Override
        public void open(OpenContext context) {
            getRuntimeContext().addAccumulator(BYTES, bytes);
        }

        @Override
        public Integer map(byte[] record) {
            bytes.add(record.length);
            return record.length;
        }
    }
}
