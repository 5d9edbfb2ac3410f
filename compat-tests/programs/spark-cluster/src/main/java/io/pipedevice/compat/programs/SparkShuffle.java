// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/**
 * An application of Spark, with a master, two workers and a driver in its own JVM, and two executors in others, whose
 * JVMs take the {@code options}. Moves about the {@code size} that it is given; with {@code measure} it only measures.
 */
final class SparkShuffle {
    private static final int RECORD = 1 << 20;
    private static final int PARTITIONS = 8;
    private static final int BROADCAST = 16 << 20;
    private static final int RESULTS = 16;

    private final JavaSparkContext spark;
    private final int records;
    private final Checks checks;

    private SparkShuffle(JavaSparkContext spark, Arguments arguments, Checks checks) {
        this.spark = spark;
        records = (int) (arguments.size("size") / RECORD);
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        JavaSparkContext spark = new JavaSparkContext(settings(arguments));
        SparkShuffle shuffle = new SparkShuffle(spark, arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure shuffles", shuffle::measureShuffles);
            checks.run("measure jobs", shuffle::measureJobs);
        } else {
            checks.run("a shuffle", shuffle::shuffle);
            checks.run("a broadcast", shuffle::broadcast);
            checks.run("large results", shuffle::results);
        }
        checks.end(spark::close);
    }

    private static SparkConf settings(Arguments arguments) {
        return new SparkConf()
                .setAppName("shuffle")
                .setMaster("local-cluster[2,1,512]")
                .set("spark.executor.memory", "512m")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.extraJavaOptions", arguments.text("options"))
                // Otherwise executors of one host read each other's files.
                .set("spark.shuffle.readHostLocalDisk", "false")
                .set("spark.shuffle.compress", "false")
                .set("spark.broadcast.compress", "false")
                // Without both executors there is nothing to exchange.
                .set("spark.cores.max", "2")
                .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
                .set("spark.scheduler.maxRegisteredResourcesWaitingTime", arguments.text("limit") + "s")
                .set("spark.ui.enabled", "false");
    }

    /** One executor makes every record, and the executor of the record's key makes its digest. */
    private void shuffle() throws IOException {
        Map<Integer, String> digests = noise(records)
                .partitionBy(new HashPartitioner(PARTITIONS))
                .mapValues(SparkShuffle::digest)
                .collectAsMap();
        Checks.same(records, digests.size());
        for (int i = 0; i < records; i++) {
            Checks.same(Noise.digest(i, RECORD), digests.get(i));
        }
    }

    private JavaPairRDD<Integer, byte[]> noise(int count) {
        return numbers(count).mapToPair(number -> new Tuple2<>(number, record(number, RECORD)));
    }

    private JavaRDD<Integer> numbers(int count) {
        return spark.parallelize(IntStream.range(0, count).boxed().toList(), PARTITIONS);
    }

    private static byte[] record(long seed, int length) {
        try (Noise noise = new Noise(seed, length)) {
            return noise.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(byte[] record) {
        MessageDigest digest = Noise.sha256();
        digest.update(record);
        return Noise.text(digest);
    }

    /** The driver sends it to at least one executor, and the executors send it to each other. */
    private void broadcast() throws IOException {
        Broadcast<byte[]> sent = spark.broadcast(record(1, BROADCAST));
        String expected = Noise.digest(1, BROADCAST);
        for (String digest :
                numbers(PARTITIONS).map(number -> digest(sent.value())).collect()) {
            Checks.same(expected, digest);
        }
        sent.destroy();
        checks.sent(BROADCAST);
    }

    /** Results that are too large for the message that a task is done: the driver fetches them. */
    private void results() throws IOException {
        for (Tuple2<Integer, byte[]> result : noise(RESULTS).collect()) {
            Checks.same(Noise.digest(result._1(), RECORD), digest(result._2()));
            checks.received(RECORD);
        }
    }

    private void measureShuffles() throws Exception {
        int some = records / 4;
        Figures.warmUpLarge(() -> shuffleOnly(some));
        Figures bulk = new Figures();
        bulk.printBytes((long) bulk.repeatLong(() -> shuffleOnly(some)) * some * RECORD);
    }

    /** Waits for one small job after the other. */
    private void measureJobs() throws Exception {
        Figures.warmUpLarge(this::count);
        Figures alone = new Figures();
        alone.repeatOften(this::count);
        alone.printDelay();
    }

    private void shuffleOnly(int count) {
        long length = noise(count)
                .partitionBy(new HashPartitioner(PARTITIONS))
                .values()
                .map(record -> (long) record.length)
                .reduce(Long::sum);
        Checks.same((long) count * RECORD, length);
    }

    private void count() {
        Checks.same((long) PARTITIONS, numbers(PARTITIONS).count());
    }
}
