// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.program.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A measurement. */
public enum Row {
    /** Messages of 64 B one way. */
    STREAM_64("stream-64", Kind.STREAM, 64, Setting.DEFAULT),

    /** The same without TCP_NODELAY. */
    STREAM_64_GATHERED("stream-64-gathered", Kind.GATHERED_STREAM, 64, Setting.DEFAULT),

    /** Messages of 1 KB one way. */
    STREAM_1K("stream-1k", Kind.STREAM, 1 << 10, Setting.DEFAULT),

    /** Messages of 4 KB one way. */
    STREAM_4K("stream-4k", Kind.STREAM, 4 << 10, Setting.DEFAULT),

    /** Messages of 16 KB one way. */
    STREAM_16K("stream-16k", Kind.STREAM, 16 << 10, Setting.DEFAULT),

    /** Messages of 64 KB one way. */
    STREAM_64K("stream-64k", Kind.STREAM, 64 << 10, Setting.DEFAULT),

    /** Messages of 256 KB one way. */
    STREAM_256K("stream-256k", Kind.STREAM, 256 << 10, Setting.DEFAULT),

    /** Messages of 1 MB one way. */
    STREAM_1M("stream-1m", Kind.STREAM, 1 << 20, Setting.DEFAULT),

    /** Messages of 4 MB one way. */
    STREAM_4M("stream-4m", Kind.STREAM, 4 << 20, Setting.DEFAULT),

    /** Messages of 64 B one way, through buffered streams. */
    STREAM_64_BUFFERED("stream-64-buffered", Kind.BUFFERED_STREAM, 64, Setting.DEFAULT),

    /** Messages of 1 KB one way, through buffered streams. */
    STREAM_1K_BUFFERED("stream-1k-buffered", Kind.BUFFERED_STREAM, 1 << 10, Setting.DEFAULT),

    /** Messages of 64 KB one way to a server without PipeDevice, by streams. */
    STREAM_64K_PLAIN_SERVER("stream-64k-plain-server", Kind.STREAM, 64 << 10, Setting.PLAIN_SERVER),

    /** Messages of 64 KB one way, at a fixed rate. */
    RATE("rate", Kind.PACED_STREAM, 64 << 10, Setting.DEFAULT),

    /** Messages of 64 KB one way, which a driver limits to 1 Gbit/s. */
    RATE_LIMIT_1("rate-limit-1", Kind.STREAM, 64 << 10, Setting.LIMIT_1),

    /** Messages of 64 KB one way, which a driver limits to 10 Gbit/s. */
    RATE_LIMIT_10("rate-limit-10", Kind.STREAM, 64 << 10, Setting.LIMIT_10),

    /** Messages of 64 KB one way, which a driver limits to 40 Gbit/s. */
    RATE_LIMIT_40("rate-limit-40", Kind.STREAM, 64 << 10, Setting.LIMIT_40),

    /** Messages of 64 B there and back, by blocking calls. */
    PING_PONG_64("ping-pong-64", Kind.PING_PONG, 64, Setting.DEFAULT),

    /** Messages of 100 B there and back, by blocking calls. */
    PING_PONG_100("ping-pong-100", Kind.PING_PONG, 100, Setting.DEFAULT),

    /** Messages of 100 B there and back, by blocking calls of virtual threads. */
    PING_PONG_VIRTUAL("ping-pong-virtual", Kind.VIRTUAL_PING_PONG, 100, Setting.DEFAULT),

    /** Messages of 100 B there and back with a server without PipeDevice, by streams. */
    PING_PONG_PLAIN_SERVER("ping-pong-plain-server", Kind.PING_PONG, 100, Setting.PLAIN_SERVER),

    /** Messages of 1 KB there and back, by blocking calls. */
    PING_PONG_1K("ping-pong-1k", Kind.PING_PONG, 1 << 10, Setting.DEFAULT),

    /** Messages of 8 KB there and back, by blocking calls. */
    PING_PONG_8K("ping-pong-8k", Kind.PING_PONG, 8 << 10, Setting.DEFAULT),

    /** Messages of 16 KB there and back, by blocking calls. */
    PING_PONG_16K("ping-pong-16k", Kind.PING_PONG, 16 << 10, Setting.DEFAULT),

    /** Messages of 64 KB there and back, by blocking calls. */
    PING_PONG_64K("ping-pong-64k", Kind.PING_PONG, 64 << 10, Setting.DEFAULT),

    /** Messages of 1 MB there and back, by blocking calls. */
    PING_PONG_1M("ping-pong-1m", Kind.PING_PONG, 1 << 20, Setting.DEFAULT),

    /** Messages of 64 B there and back, by selectors. */
    PING_PONG_SELECTOR("ping-pong-selector", Kind.SELECTOR, 64, Setting.DEFAULT),

    /** Messages of 1 KB there and back, by selectors. */
    PING_PONG_SELECTOR_1K("ping-pong-selector-1k", Kind.SELECTOR, 1 << 10, Setting.DEFAULT),

    /** Messages of 8 KB there and back, by selectors. */
    PING_PONG_SELECTOR_8K("ping-pong-selector-8k", Kind.SELECTOR, 8 << 10, Setting.DEFAULT),

    /** Messages of 64 KB there and back, by selectors. */
    PING_PONG_SELECTOR_64K("ping-pong-selector-64k", Kind.SELECTOR, 64 << 10, Setting.DEFAULT),

    /** Messages of 64 B there and back, by threads that do not spin. */
    PING_PONG_NO_SPIN("ping-pong-no-spin", Kind.PING_PONG, 64, Setting.NO_SPIN),

    /** Connections, one after the other. */
    CONNECT("connect", Kind.CONNECT, 1, Setting.DEFAULT),

    /** Connections of eight threads. */
    CONNECT_THREADS("connect-threads", Kind.CONNECT_THREADS, 1, Setting.DEFAULT),

    /** Connections to a server without PipeDevice. */
    CONNECT_PLAIN_SERVER("connect-plain-server", Kind.CONNECT, 1, Setting.PLAIN_SERVER),

    /** Connections to a server without PipeDevice, each at an address of its own. */
    CONNECT_PLAIN_SERVERS("connect-plain-servers", Kind.CONNECT, 1, Setting.PLAIN_SERVER),

    /** Connections of programs whose driver is not there. */
    CONNECT_DRIVER_AWAY("connect-driver-away", Kind.CONNECT, 1, Setting.DRIVER_AWAY),

    /** 16 streams at a time. */
    PAIRS_16("pairs-16", Kind.PAIRS, 64 << 10, Setting.DEFAULT),

    /** 128 streams at a time. */
    PAIRS_128("pairs-128", Kind.PAIRS, 64 << 10, Setting.DEFAULT),

    /** 512 streams at a time. */
    PAIRS_512("pairs-512", Kind.PAIRS, 64 << 10, Setting.DEFAULT),

    /** A stream of 1 KB. */
    SCALE_1("scale-1", Kind.PAIRS, 1 << 10, Setting.DEFAULT),

    /** 16 streams of 1 KB at a time. */
    SCALE_16("scale-16", Kind.PAIRS, 1 << 10, Setting.DEFAULT),

    /** 128 streams of 1 KB at a time. */
    SCALE_128("scale-128", Kind.PAIRS, 1 << 10, Setting.DEFAULT),

    /** 512 streams of 1 KB at a time. */
    SCALE_512("scale-512", Kind.PAIRS, 1 << 10, Setting.DEFAULT),

    /** 4096 streams of 1 KB at a time. */
    SCALE_4096("scale-4096", Kind.PAIRS, 1 << 10, Setting.DEFAULT),

    /** The same of 32 client processes with 128 connections each. */
    SCALE_32X128("scale-32x128", Kind.PAIRS, 1 << 10, Setting.SMALL_CLIENTS),

    /** A ring of two processes that add up their arrays. */
    ALLREDUCE_2("allreduce-2", Kind.SAMPLE, 1 << 20, Setting.DEFAULT),

    /** A ring of four processes that add up their arrays. */
    ALLREDUCE_4("allreduce-4", Kind.SAMPLE, 1 << 20, Setting.DEFAULT),

    /** A ring of eight processes that add up their arrays. */
    ALLREDUCE_8("allreduce-8", Kind.SAMPLE, 1 << 20, Setting.DEFAULT),

    /** A ring of two processes that add up their arrays by PD Lib, without a copy. */
    ALLREDUCE_2_LIB("allreduce-2-lib", Kind.SAMPLE, 1 << 20, Setting.DEFAULT),

    /** A ring of four processes that add up their arrays by PD Lib, without a copy. */
    ALLREDUCE_4_LIB("allreduce-4-lib", Kind.SAMPLE, 1 << 20, Setting.DEFAULT),

    /** A chain of network functions. */
    SERVICE_CHAIN("service-chain", Kind.SAMPLE, 1500, Setting.DEFAULT),

    /** A sort of records of 100 B by Spark, most of whose data go from one executor to another. */
    SPARK_SHUFFLE("spark-shuffle", Kind.SAMPLE, 100, Setting.DEFAULT),

    /** The same with records of 2 KB. */
    SPARK_SHUFFLE_2K("spark-shuffle-2k", Kind.SAMPLE, 2 << 10, Setting.DEFAULT),

    /** A chain of network functions, at a fixed rate of requests. */
    SERVICE_CHAIN_RATE("service-chain-rate", Kind.SAMPLE, 1500, Setting.DEFAULT),

    /** A chain of network functions by PD Lib, without a copy of their own. */
    SERVICE_CHAIN_LIB("service-chain-lib", Kind.SAMPLE, 1500, Setting.DEFAULT),

    /** Echoes on eight connections among few and among many. */
    BUSY("busy", Kind.SELECTOR, 64, Setting.DEFAULT),

    /** Echoes on few connections in turn. */
    ROTATING_FEW("rotating-few", Kind.ROTATING, 64, Setting.DEFAULT),

    /** Echoes on many connections in turn. */
    ROTATING_MANY("rotating-many", Kind.ROTATING, 64, Setting.DEFAULT),

    /** Echoes of many client processes. */
    PROCESSES("processes", Kind.SELECTOR, 64, Setting.SMALL),

    /** Connections that a JVM makes in its first seconds. */
    FIRST_SECONDS("first-seconds", Kind.CONNECT, 1, Setting.DEFAULT),

    /** JVMs that end soon. */
    START_UP("start-up", Kind.CONNECT, 1, Setting.DEFAULT),

    /** Memory of an idle connection. */
    MEMORY("memory", Kind.SELECTOR, 64, Setting.FIXED_HEAP),

    /** Processor time of idle connections. */
    IDLE("idle", Kind.SELECTOR, 64, Setting.DEFAULT);

    private final String title;
    private final Kind kind;
    private final int size;
    private final Setting setting;

    Row(String title, Kind kind, int size, Setting setting) {
        this.title = title;
        this.kind = kind;
        this.size = size;
        this.setting = setting;
    }

    /**
     * The name on the command line.
     *
     * @return the name
     */
    public String title() {
        return title;
    }

    Kind kind() {
        return kind;
    }

    /**
     * The size of a message.
     *
     * @return in bytes
     */
    public int size() {
        return size;
    }

    Setting setting() {
        return setting;
    }

    /**
     * Whether messages go one way, on one connection.
     *
     * @return whether this is a stream
     */
    public boolean isStream() {
        return switch (kind) {
            case STREAM, GATHERED_STREAM, BUFFERED_STREAM, PACED_STREAM -> true;
            default -> false;
        };
    }

    /**
     * Whether messages go one way, on {@link #pairs} connections.
     *
     * @return whether these are streams
     */
    public boolean isPairs() {
        return kind == Kind.PAIRS;
    }

    /**
     * Whether one message goes there and back at a time.
     *
     * @return whether these are round trips
     */
    public boolean isPingPong() {
        return kind == Kind.PING_PONG || kind == Kind.VIRTUAL_PING_PONG || title.startsWith("ping-pong-selector");
    }

    /**
     * Whether connections are made for as long as the measurement lasts.
     *
     * @return whether these are connections
     */
    public boolean isConnects() {
        return title.equals("connect") || title.startsWith("connect-");
    }

    /** Whether each connection goes to an address to which there was none for long. */
    boolean isToManyAddresses() {
        return this == CONNECT_PLAIN_SERVERS;
    }

    /** Whether only sockets of java.net have it. */
    boolean isForSockets() {
        return this == STREAM_64K_PLAIN_SERVER || this == PING_PONG_PLAIN_SERVER || kind == Kind.BUFFERED_STREAM;
    }

    /** Whether it is a point of a curve over the sizes of messages. */
    boolean isOfCurve() {
        return switch (kind) {
            case STREAM, PACED_STREAM, PING_PONG -> setting == Setting.DEFAULT;
            default -> false;
        };
    }

    /** The size and what is special, for the head of a column. */
    String label() {
        return Numbers.size(size)
                + switch (this) {
                    case STREAM_64_GATHERED -> " Nagle";
                    case STREAM_64_BUFFERED, STREAM_1K_BUFFERED -> " buffered";
                    case STREAM_64K_PLAIN_SERVER -> " to JDK";
                    default -> "";
                };
    }

    /** Whether it needs {@link SparkPrograms}. */
    boolean isSpark() {
        return this == SPARK_SHUFFLE || this == SPARK_SHUFFLE_2K;
    }

    /**
     * Whether programs of the samples run, or of Spark.
     *
     * @return whether they do
     */
    public boolean isSample() {
        return kind == Kind.SAMPLE;
    }

    /**
     * Whether its programs use PD Lib instead of java.nio.
     *
     * @return whether they do
     */
    public boolean isByLib() {
        return this == ALLREDUCE_2_LIB || this == ALLREDUCE_4_LIB || this == SERVICE_CHAIN_LIB;
    }

    /**
     * Whether a driver limits the rate of a stream.
     *
     * @return whether it does
     */
    public boolean isLimited() {
        return setting.gigabits() > 0;
    }

    /** The number of client processes. */
    int clients() {
        return this == SCALE_32X128 ? 32 : 1;
    }

    /**
     * The number of connections of {@link #isPairs}, of all clients.
     *
     * @return 1 for other rows
     */
    public int pairs() {
        return switch (this) {
            case PAIRS_16, SCALE_16 -> 16;
            case PAIRS_128, SCALE_128 -> 128;
            case PAIRS_512, SCALE_512 -> 512;
            case SCALE_4096, SCALE_32X128 -> 4096;
            default -> 1;
        };
    }

    /**
     * The rows for a word: the one with that name, or all rows whose names begin with it.
     *
     * @param word a name, or the beginning of names up to a dash
     * @param rows from which to take them
     * @return the rows, at least one
     * @throws IllegalArgumentException if there is none
     */
    public static List<Row> named(String word, Collection<Row> rows) {
        List<Row> found = new ArrayList<>();
        for (Row row : rows) {
            if (row.title.equals(word)) {
                return List.of(row);
            }
            if (row.title.startsWith(word + "-")) {
                found.add(row);
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no row is named " + word);
        }
        return found;
    }
}
