// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.StageInfo;
import scala.Option;
import scala.Tuple2;

/**
 * An application of Spark that sorts records as TeraSort does, on a {@link SparkExecutor} in each of the {@code
 * executors}. It prints its port; it prints {@code ready} when they are there; and then, for each line that it reads,
 * it sorts and prints how that went. Ends with its standard input.
 */
final class SparkSort {
    private static final int PARTS = 8;
    private static final long POLL_MILLIS = 20;
    private static final long EVENT_LIMIT_S = 10;

    private final JavaSparkContext spark;
    private final SortRecords records;

    /** The stages that read what another one has written. */
    private final BlockingQueue<StageInfo> reads = new LinkedBlockingQueue<>();

    private SparkSort(JavaSparkContext spark, SortRecords records) {
        this.spark = spark;
        this.records = records;
        spark.sc().addSparkListener(new SparkListener() {
            @Override
            public void onStageCompleted(SparkListenerStageCompleted event) {
                if (event.stageInfo().parentIds().nonEmpty()) {
                    reads.add(event.stageInfo());
                }
            }
        });
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        JavaSparkContext spark = new JavaSparkContext(settings(arguments));
        System.out.println("listening " + spark.getConf().get("spark.driver.port"));
        // The application is one of them.
        while (spark.statusTracker().getExecutorInfos().length != arguments.number("executors") + 1) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        System.out.println("ready");
        int size = arguments.number("record");
        int inPart = (int) (arguments.size("size") / size / PARTS);
        new SparkSort(spark, new SortRecords(PARTS, inPart, size)).serve();
        // It would warn that the executors end, too.
        spark.setLogLevel("ERROR");
        System.exit(0);
    }

    /** The rest is in the environment and in properties of the JVM, which each executor needs, too. */
    private static SparkConf settings(Arguments arguments) {
        return new SparkConf()
                .setAppName("sort")
                .setMaster(GivenExecutors.MASTER)
                .set("spark.driver.host", arguments.host())
                .set("spark.driver.bindAddress", arguments.host())
                .set("spark.executor.memory", arguments.text("memory"))
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                // Otherwise executors of one host read each other's files.
                .set("spark.shuffle.readHostLocalDisk", "false")
                // The records are random.
                .set("spark.shuffle.compress", "false")
                .set("spark.ui.enabled", "false");
    }

    private void serve() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        Tuple2<Long, Long> expected = null;
        while (in.readLine() != null) {
            if (expected == null) {
                expected = unsorted()
                        .mapPartitions(part -> List.of(SortRecords.sum(part)).iterator())
                        .reduce(SortRecords::both);
            }
            System.out.println(sort(expected));
        }
    }

    private JavaPairRDD<byte[], byte[]> unsorted() {
        // For the closure, which would contain this application otherwise.
        SortRecords these = records;
        List<Integer> parts = IntStream.range(0, PARTS).boxed().toList();
        return spark.parallelize(parts, PARTS).flatMapToPair(these::unsorted);
    }

    /**
     * Sorts, and checks the order and the sum of the records.
     *
     * @return the word {@code sorted} and numbers: ns of the whole and ms of the stage that reads what the first one
     *     has written; the bytes that it reads, and those of them from other executors; ms of all its tasks, and those
     *     in which they waited for bytes
     */
    private String sort(Tuple2<Long, Long> expected) throws InterruptedException {
        SortRecords these = records;
        long begin = System.nanoTime();
        JavaPairRDD<byte[], byte[]> sorted =
                unsorted().repartitionAndSortWithinPartitions(new KeyRanges(PARTS), new KeyRanges.Order());
        Tuple2<Long, Long> sum = JavaRDD.fromRDD(sorted.rdd(), sorted.classTag())
                .mapPartitionsWithIndex(
                        (part, all) -> List.of(these.sortedSum(part, all)).iterator(), true)
                .reduce(SortRecords::both);
        long nanos = System.nanoTime() - begin;
        Checks.same(expected, sum);
        // Removes the files of the first stage, too.
        sorted.rdd().cleanShuffleDependencies(true);
        StageInfo read = reads.poll(EVENT_LIMIT_S, TimeUnit.SECONDS);
        if (read == null) {
            throw new IllegalStateException("Spark has not said how the stage went");
        }
        TaskMetrics tasks = read.taskMetrics();
        ShuffleReadMetrics shuffle = tasks.shuffleReadMetrics();
        long millis = time(read.completionTime()) - time(read.submissionTime());
        return Stream.of(
                        nanos,
                        millis,
                        shuffle.totalBytesRead(),
                        shuffle.remoteBytesRead(),
                        tasks.executorRunTime(),
                        shuffle.fetchWaitTime())
                .map(String::valueOf)
                .collect(Collectors.joining(" ", "sorted ", ""));
    }

    private static long time(Option<Object> of) {
        return (Long) of.get();
    }
}
