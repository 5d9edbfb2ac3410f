// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.protocol.FunctionMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A function for {@link Regions#register(FunctionDefinition, Grant...)}. Its C signature is
 * {@code unsigned long f(unsigned char *message, unsigned long length)}; pd_active.h declares what it may call.
 * Immutable.
 */
public final class FunctionDefinition {
    private final String name;
    private final int version;
    private final byte[] program;
    private final String symbol;
    private final int messageLength;
    private final List<Region> regions;
    private final long fuel;

    /**
     * Defines a function that is the only one of its program.
     *
     * @param name 1 to 64 bytes of UTF-8
     * @param version from 1
     * @param program an object file of clang, or instructions of eBPF
     * @param messageLength bytes of its messages, 1 to 16,384
     * @param regions on which it operates, at most 8; it names them by their places in this list
     * @param fuel most instructions of a call, 1 to 2^26
     */
    public FunctionDefinition(
            String name, int version, byte[] program, int messageLength, List<Region> regions, long fuel) {
        this(name, version, program, "", messageLength, regions, fuel);
    }

    /**
     * Defines a function of an object file.
     *
     * @param name 1 to 64 bytes of UTF-8
     * @param version from 1
     * @param program an object file of clang
     * @param symbol the function's name there, at most 64 bytes of UTF-8; empty for the only one
     * @param messageLength bytes of its messages, 1 to 16,384
     * @param regions on which it operates, at most 8; it names them by their places in this list
     * @param fuel most instructions of a call, 1 to 2^26
     */
    public FunctionDefinition(
            String name,
            int version,
            byte[] program,
            String symbol,
            int messageLength,
            List<Region> regions,
            long fuel) {
        if (version < 1) {
            throw new IllegalArgumentException("version " + version);
        }
        if (messageLength < 1 || messageLength > FunctionMessage.MAX_MESSAGE) {
            throw new IllegalArgumentException("messages of " + messageLength + " bytes");
        }
        if (program.length < 1 || program.length > FunctionMessage.MAX_PROGRAM) {
            throw new IllegalArgumentException("a program of " + program.length + " bytes");
        }
        if (symbol.getBytes(StandardCharsets.UTF_8).length > FunctionMessage.MAX_NAME) {
            throw new IllegalArgumentException("the symbol " + symbol + " is too long");
        }
        if (regions.size() > FunctionMessage.MAX_REGIONS) {
            throw new IllegalArgumentException(regions.size() + " regions");
        }
        if (fuel < 1 || fuel > FunctionMessage.MAX_FUEL) {
            throw new IllegalArgumentException("fuel " + fuel);
        }
        this.name = name;
        this.version = version;
        this.program = program.clone();
        this.symbol = symbol;
        this.messageLength = messageLength;
        this.regions = List.copyOf(regions);
        this.fuel = fuel;
    }

    /**
     * The name.
     *
     * @return by which others find it
     */
    public String name() {
        return name;
    }

    /**
     * The version.
     *
     * @return from 1
     */
    public int version() {
        return version;
    }

    byte[] program() {
        return program;
    }

    String symbol() {
        return symbol;
    }

    /**
     * The length of its messages.
     *
     * @return in bytes
     */
    public int messageLength() {
        return messageLength;
    }

    List<Region> regions() {
        return regions;
    }

    /**
     * The fuel of a call.
     *
     * @return in instructions
     */
    public long fuel() {
        return fuel;
    }
}
