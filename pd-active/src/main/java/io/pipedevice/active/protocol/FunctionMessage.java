// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.protocol;

import io.pipedevice.protocol.ContainerName;
import io.pipedevice.protocol.ControlMessage;

/**
 * The messages about functions, on the control connection of a process that has attached
 * ({@link FunctionMessageDescriptor}). A view of a {@link ControlMessage}, which has header and text.
 */
public final class FunctionMessage extends RegionMessage {
    /**
     * A function: version, message length, number and handles of its regions, which are this process's, fuel, size of
     * the program, whose descriptor comes along; texts = its name, and which function of an object file it is, empty
     * for the only one. Answer, after the program was verified: handle.
     */
    public static final int REGISTER_FUNCTION = 50;

    /** Rights of others to a function of this process, as {@link RegionMessage#GRANT}. */
    public static final int GRANT_FUNCTION = 51;

    /** Ends a function of this process: handle. */
    public static final int CLOSE_FUNCTION = 52;

    /**
     * Finds a function: version, or 0 for the highest that this process may call; subject, user and texts as of
     * {@link RegionMessage#FIND}. Answer: handle, version, message length, number of regions, rights = those that a
     * process needs to all of its regions in order to run it itself, fuel, length of a state, size of the program,
     * process and user of the owner, texts = which function of an object file it is, and the owner's
     * {@linkplain ContainerName container}. ENOTUNIQ as there.
     */
    public static final int FIND_FUNCTION = 53;

    /** Gives up a handle of a function that was found. */
    public static final int RELEASE_FUNCTION = 54;

    /** The program of a function that this process may run itself: handle. Answer: size; its descriptor comes along. */
    public static final int PROGRAM_OF = 55;

    /**
     * A region of a function that this process may run itself: handle, index. Answer: as {@link RegionMessage#FIND}.
     */
    public static final int REGION_OF = 56;

    /**
     * Serves the calls of this process's functions: number and depth of the lanes, message length = room for a message
     * and a state, size of the page of returns, whose descriptor comes along. Answer: size of the page of calls, whose
     * descriptor comes along.
     */
    public static final int SERVE = 57;

    /** Serves no calls any more. The answer comes when none is left. */
    public static final int STOP_SERVING = 58;

    /** Most regions of a function. */
    public static final int MAX_REGIONS = 8;

    /** Longest message, in bytes. */
    public static final int MAX_MESSAGE = 16_384;

    /** Most fuel of a call, in instructions. */
    public static final long MAX_FUEL = 1L << 26;

    /** Longest program, as instructions or as an object file, in bytes. */
    public static final int MAX_PROGRAM = 1 << 20;

    /**
     * Looks at a message.
     *
     * @param message of one of these types
     */
    public FunctionMessage(ControlMessage message) {
        super(message);
    }

    /**
     * Whether a type of message is about functions.
     *
     * @param type any number
     * @return whether it is one of these
     */
    public static boolean is(int type) {
        return type >= REGISTER_FUNCTION && type <= STOP_SERVING;
    }

    /**
     * The version.
     *
     * @return any value
     */
    public int version() {
        return get(FunctionMessageDescriptor.VERSION_OFFSET);
    }

    /**
     * Sets the version.
     *
     * @param version from 1, or 0
     * @return this
     */
    public FunctionMessage version(int version) {
        set(FunctionMessageDescriptor.VERSION_OFFSET, version);
        return this;
    }

    /**
     * The message length.
     *
     * @return in bytes, any value
     */
    public int messageLength() {
        return get(FunctionMessageDescriptor.MESSAGE_LENGTH_OFFSET);
    }

    /**
     * Sets the message length.
     *
     * @param length in bytes
     * @return this
     */
    public FunctionMessage messageLength(int length) {
        set(FunctionMessageDescriptor.MESSAGE_LENGTH_OFFSET, length);
        return this;
    }

    /**
     * The number of regions, or the index of one.
     *
     * @return any value
     */
    public int regions() {
        return get(FunctionMessageDescriptor.REGIONS_OFFSET);
    }

    /**
     * Sets the number of regions, or the index of one.
     *
     * @param count 0 to {@link #MAX_REGIONS}
     * @return this
     */
    public FunctionMessage regions(int count) {
        set(FunctionMessageDescriptor.REGIONS_OFFSET, count);
        return this;
    }

    /**
     * The handle of a region.
     *
     * @param index 0 to {@link #MAX_REGIONS} - 1
     * @return any value
     */
    public int region(int index) {
        return get(FunctionMessageDescriptor.HANDLES_OFFSET + index * Integer.BYTES);
    }

    /**
     * Sets the handle of a region.
     *
     * @param index 0 to {@link #MAX_REGIONS} - 1
     * @param handle of the region
     * @return this
     */
    public FunctionMessage region(int index, int handle) {
        set(FunctionMessageDescriptor.HANDLES_OFFSET + index * Integer.BYTES, handle);
        return this;
    }

    /**
     * The fuel.
     *
     * @return in instructions, any value
     */
    public long fuel() {
        return getLong(FunctionMessageDescriptor.FUEL_OFFSET);
    }

    /**
     * Sets the fuel.
     *
     * @param fuel in instructions
     * @return this
     */
    public FunctionMessage fuel(long fuel) {
        setLong(FunctionMessageDescriptor.FUEL_OFFSET, fuel);
        return this;
    }

    /**
     * The most bytes of a saved state.
     *
     * @return any value
     */
    public int stateLength() {
        return get(FunctionMessageDescriptor.STATE_LENGTH_OFFSET);
    }

    /**
     * Sets the most bytes of a saved state.
     *
     * @param length in bytes
     * @return this
     */
    public FunctionMessage stateLength(int length) {
        set(FunctionMessageDescriptor.STATE_LENGTH_OFFSET, length);
        return this;
    }
}
