// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.regret.program.Work;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Something that a program does, with the flag and without. */
enum Row {
    STREAM_DIRECT("64 KB one way, SocketChannel, direct buffer", Stage.CHANNELS, Work.STREAM_DIRECT, 1),
    STREAM_HEAP("64 KB one way, SocketChannel, heap buffer", Stage.CHANNELS, Work.STREAM_HEAP, 1),
    GATHER("64 KB one way, gathering writes of 16 buffers", Stage.CHANNELS, Work.GATHER, 1),
    TRIPS_DIRECT("64 B there and back, SocketChannel, direct buffer", Stage.CHANNELS, Work.TRIPS_DIRECT, 1),
    TRIPS_HEAP("64 B there and back, SocketChannel, heap buffer", Stage.CHANNELS, Work.TRIPS_HEAP, 1),
    STREAM_SOCKET("64 KB one way, Socket", Stage.SOCKETS, Work.STREAM_SOCKET, 1),
    TRIPS_SOCKET("64 B there and back, Socket", Stage.SOCKETS, Work.TRIPS_SOCKET, 1),
    TRANSFER_TO("FileChannel.transferTo, 64 KB", Stage.FILES, Work.TRANSFER_TO, 1),
    TRANSFER_FROM("FileChannel.transferFrom, 64 KB", Stage.FILES, Work.TRANSFER_FROM, 1),
    CONNECT("connect, a byte each way, close: 1 thread", Stage.CONNECTS, Work.CONNECT, 1),
    CONNECT_THREADS("connect, a byte each way, close: 8 threads", Stage.CONNECTS, Work.CONNECT, 8),
    ACCEPT("accept by a selector, close: 8 threads connect", Stage.SERVERS, Work.ACCEPT, 8),
    SELECTOR("echo by a selector, the next of many connections", Stage.SERVERS, Work.SELECTOR, 0),
    THREADS("64 B there and back, 16 Sockets, a thread each", Stage.THREADS, Work.TRIPS_SOCKET, 16),
    VIRTUAL_THREADS("64 B there and back, 1,000 Sockets, virtual threads", Stage.THREADS, Work.TRIPS_VIRTUAL, 1000),
    NETTY("64 B there and back, Netty NIO, 8 connections", Stage.NETTY, Work.NETTY, 8),
    NETTY_BEST("64 B there and back, Netty's best transport, 1 connection", Stage.NETTY, Work.NETTY_BEST, 1),
    NETTY_BEST_100("64 B there and back, Netty's best transport, 100 connections", Stage.NETTY, Work.NETTY_BEST, 100),
    NETTY_BEST_1000(
            "64 B there and back, Netty's best transport, 1,000 connections", Stage.NETTY, Work.NETTY_BEST, 1000),
    ASYNC("64 B there and back, AsynchronousSocketChannel, 1 connection", Stage.ASYNC, Work.ASYNC, 1),
    ASYNC_100("64 B there and back, AsynchronousSocketChannel, 100 connections", Stage.ASYNC, Work.ASYNC, 100),
    ASYNC_STREAM("64 KB one way, AsynchronousSocketChannel", Stage.ASYNC, Work.ASYNC_STREAM, 1),
    HTTP_COLD("HTTP calls of the JDK's client and server, cold", Measure.RATE, Stage.HTTP),
    HTTP_WARM("HTTP calls of the JDK's client and server, warm", Measure.RATE, Stage.HTTP),
    GRPC_COLD("unary calls of gRPC by Netty NIO, cold", Measure.RATE, Stage.GRPC),
    GRPC_WARM("unary calls of gRPC by Netty NIO, warm", Measure.RATE, Stage.GRPC),
    LIMITED_COLD("64 B there and back, 8 Sockets, half a processor each, cold", Measure.RATE, Stage.LIMITED),
    LIMITED_WARM("64 B there and back, 8 Sockets, half a processor each, later", Measure.RATE, Stage.LIMITED),
    START_SELECTOR("start, one selector: processor time", Measure.TIME, Stage.START),
    START_CONNECTION("start, one connection: processor time", Measure.TIME, Stage.START),
    FIRST_CONNECTION("first connection of a JVM", Measure.TIME, Stage.START),
    FIRST_SECOND("connections in the first second of a JVM", Measure.RATE, Stage.START),
    MEMORY("resident memory after one connection", Measure.AMOUNT, Stage.START),
    THREAD_COUNT("threads after one connection", Measure.AMOUNT, Stage.START),
    DESCRIPTORS("descriptors after one connection", Measure.AMOUNT, Stage.START);

    private final String title;
    private final Measure measure;
    private final Stage stage;

    /** The traffic; null for rows of more than traffic. */
    private final Work work;

    /** Of its connections or threads; 0 for the benchmark's number of connections. */
    private final int count;

    Row(String title, Stage stage, Work work, int count) {
        this.title = title;
        this.measure = Measure.RATE;
        this.stage = stage;
        this.work = work;
        this.count = count;
    }

    Row(String title, Measure measure, Stage stage) {
        this.title = title;
        this.measure = measure;
        this.stage = stage;
        this.work = null;
        this.count = 0;
    }

    /** The name on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The rows whose words begin with one; an exact word names one row. */
    static List<Row> named(String word) {
        List<Row> exact =
                Arrays.stream(values()).filter(row -> row.word().equals(word)).toList();
        List<Row> some = exact.isEmpty() && !word.isEmpty()
                ? Arrays.stream(values())
                        .filter(row -> row.word().startsWith(word))
                        .toList()
                : exact;
        if (some.isEmpty()) {
            throw new IllegalArgumentException("there is no row '" + word + "'");
        }
        return some;
    }

    String title() {
        return title;
    }

    Measure measure() {
        return measure;
    }

    Stage stage() {
        return stage;
    }

    Work work() {
        return work;
    }

    int count(RegretOptions options) {
        return count == 0 ? options.connections() : count;
    }
}
