// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.program.Kind;
import java.util.ArrayList;
import java.util.List;

/** A measurement. */
enum Row {
    STREAM_64("stream-64", Kind.STREAM, 64, Setting.DEFAULT),
    STREAM_64_GATHERED("stream-64-gathered", Kind.GATHERED_STREAM, 64, Setting.DEFAULT),
    STREAM_1K("stream-1k", Kind.STREAM, 1 << 10, Setting.DEFAULT),
    STREAM_16K("stream-16k", Kind.STREAM, 16 << 10, Setting.DEFAULT),
    STREAM_64K("stream-64k", Kind.STREAM, 64 << 10, Setting.DEFAULT),
    STREAM_1M("stream-1m", Kind.STREAM, 1 << 20, Setting.DEFAULT),
    PING_PONG_64("ping-pong-64", Kind.PING_PONG, 64, Setting.DEFAULT),
    PING_PONG_1K("ping-pong-1k", Kind.PING_PONG, 1 << 10, Setting.DEFAULT),
    PING_PONG_16K("ping-pong-16k", Kind.PING_PONG, 16 << 10, Setting.DEFAULT),
    PING_PONG_64K("ping-pong-64k", Kind.PING_PONG, 64 << 10, Setting.DEFAULT),
    PING_PONG_1M("ping-pong-1m", Kind.PING_PONG, 1 << 20, Setting.DEFAULT),
    PING_PONG_SELECTOR("ping-pong-selector", Kind.SELECTOR, 64, Setting.DEFAULT),
    PING_PONG_NO_SPIN("ping-pong-no-spin", Kind.PING_PONG, 64, Setting.NO_SPIN),
    CONNECT("connect", Kind.CONNECT, 1, Setting.DEFAULT),
    BUSY("busy", Kind.SELECTOR, 64, Setting.DEFAULT),
    ROTATING_FEW("rotating-few", Kind.ROTATING, 64, Setting.DEFAULT),
    ROTATING_MANY("rotating-many", Kind.ROTATING, 64, Setting.DEFAULT),
    PROCESSES("processes", Kind.SELECTOR, 64, Setting.SMALL),
    FIRST_SECONDS("first-seconds", Kind.CONNECT, 1, Setting.DEFAULT),
    START_UP("start-up", Kind.CONNECT, 1, Setting.DEFAULT),
    MEMORY("memory", Kind.SELECTOR, 64, Setting.FIXED_HEAP),
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

    /** The name on the command line. */
    String title() {
        return title;
    }

    Kind kind() {
        return kind;
    }

    /** Size of a message, in bytes. */
    int size() {
        return size;
    }

    Setting setting() {
        return setting;
    }

    boolean isStream() {
        return kind == Kind.STREAM || kind == Kind.GATHERED_STREAM;
    }

    boolean isPingPong() {
        return kind == Kind.PING_PONG || this == PING_PONG_SELECTOR;
    }

    /**
     * The rows for a word: the one with that name, or all rows whose names begin with it.
     *
     * @throws IllegalArgumentException if there is none
     */
    static List<Row> named(String word) {
        List<Row> rows = new ArrayList<>();
        for (Row row : values()) {
            if (row.title.equals(word)) {
                return List.of(row);
            }
            if (row.title.startsWith(word + "-")) {
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("no row is named " + word);
        }
        return rows;
    }
}
