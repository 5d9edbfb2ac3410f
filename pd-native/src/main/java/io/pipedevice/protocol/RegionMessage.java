// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The messages about regions and queue pairs, on the control connection of a process that has attached
 * ({@link RegionMessageDescriptor}). A view of a {@link ControlMessage}, which has header and text.
 */
public final class RegionMessage {
    /**
     * The queue pairs of the attachment, once: number, depth, and size of the operation page, whose descriptor
     * comes along. Answer: size of the completion page, whose descriptor comes along.
     */
    public static final int OPEN_QUEUES = 40;

    /**
     * Memory of the process that the driver may write: size; its descriptor comes along. Answer: handle. No other process
     * finds it yet.
     */
    public static final int REGISTER = 41;

    /**
     * Rights of others to a region of this process: handle, rights, subject, user; text = a container ID, or its beginning.
     * They replace those of the same subject; without rights they are withdrawn.
     */
    public static final int GRANT = 42;

    /** The name by which a region of this process is found: handle, text. */
    public static final int PUBLISH = 43;

    /** Ends a region of this process: handle. The answer comes when no operation of another process uses its memory. */
    public static final int DEREGISTER = 44;

    /**
     * Finds a region: rights that are needed, subject and user = its owner, text = its name. Answer: handle, rights, size,
     * process and user of the owner; the descriptor comes along if the process may map the region to read it.
     */
    public static final int FIND = 45;

    /** Gives up a handle of a region of another process. */
    public static final int RELEASE = 46;

    /** The subject is every process that the driver's policy lets connect to the owner. */
    public static final int ANYONE = 0;

    /** The subject is a user. */
    public static final int USER = 1;

    /** The subject is a container. */
    public static final int CONTAINER = 2;

    /** Right to read. */
    public static final int READ = 1;

    /** Right to write. */
    public static final int WRITE = 2;

    /** Right to operate on eight bytes at once. */
    public static final int ATOMIC = 4;

    /** All rights. */
    public static final int ALL = READ | WRITE | ATOMIC;

    /** Longest name of a region, in bytes of UTF-8. */
    public static final int MAX_NAME = 64;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ControlMessage message;

    /**
     * Looks at a message.
     *
     * @param message of one of these types
     */
    public RegionMessage(ControlMessage message) {
        this.message = message;
    }

    /**
     * Whether a type of message is about regions or queue pairs.
     *
     * @param type any number
     * @return whether it is one of these
     */
    public static boolean is(int type) {
        return type >= OPEN_QUEUES && type <= RELEASE;
    }

    /**
     * The handle.
     *
     * @return any value
     */
    public int handle() {
        return message.memory().get(INT, RegionMessageDescriptor.HANDLE_OFFSET);
    }

    /**
     * Sets the handle.
     *
     * @param handle of a region
     * @return this
     */
    public RegionMessage handle(int handle) {
        message.memory().set(INT, RegionMessageDescriptor.HANDLE_OFFSET, handle);
        return this;
    }

    /**
     * The rights.
     *
     * @return any value
     */
    public int rights() {
        return message.memory().get(INT, RegionMessageDescriptor.RIGHTS_OFFSET);
    }

    /**
     * Sets the rights.
     *
     * @param rights or-ed
     * @return this
     */
    public RegionMessage rights(int rights) {
        message.memory().set(INT, RegionMessageDescriptor.RIGHTS_OFFSET, rights);
        return this;
    }

    /**
     * The kind of subject.
     *
     * @return any value
     */
    public int subject() {
        return message.memory().get(INT, RegionMessageDescriptor.SUBJECT_OFFSET);
    }

    /**
     * The user.
     *
     * @return any value
     */
    public int user() {
        return message.memory().get(INT, RegionMessageDescriptor.USER_OFFSET);
    }

    /**
     * Sets the subject.
     *
     * @param subject {@link #ANYONE}, {@link #USER} or {@link #CONTAINER}
     * @param user the user's number
     * @return this
     */
    public RegionMessage subject(int subject, int user) {
        message.memory().set(INT, RegionMessageDescriptor.SUBJECT_OFFSET, subject);
        message.memory().set(INT, RegionMessageDescriptor.USER_OFFSET, user);
        return this;
    }

    /**
     * The size.
     *
     * @return in bytes, any value
     */
    public long size() {
        return message.memory().get(LONG, RegionMessageDescriptor.SIZE_OFFSET);
    }

    /**
     * Sets the size.
     *
     * @param size in bytes
     * @return this
     */
    public RegionMessage size(long size) {
        message.memory().set(LONG, RegionMessageDescriptor.SIZE_OFFSET, size);
        return this;
    }

    /**
     * The number of the owner's process, in the driver's PID namespace.
     *
     * @return any value
     */
    public int process() {
        return message.memory().get(INT, RegionMessageDescriptor.PROCESS_OFFSET);
    }

    /**
     * Sets the number of the owner's process.
     *
     * @param process its number
     * @return this
     */
    public RegionMessage process(int process) {
        message.memory().set(INT, RegionMessageDescriptor.PROCESS_OFFSET, process);
        return this;
    }

    /**
     * The number of queue pairs.
     *
     * @return any value
     */
    public int queues() {
        return message.memory().get(INT, RegionMessageDescriptor.QUEUES_OFFSET);
    }

    /**
     * The depth of each queue pair.
     *
     * @return any value
     */
    public int depth() {
        return message.memory().get(INT, RegionMessageDescriptor.DEPTH_OFFSET);
    }

    /**
     * Sets the queue pairs.
     *
     * @param queues their number
     * @param depth of each
     * @return this
     */
    public RegionMessage queues(int queues, int depth) {
        message.memory().set(INT, RegionMessageDescriptor.QUEUES_OFFSET, queues);
        message.memory().set(INT, RegionMessageDescriptor.DEPTH_OFFSET, depth);
        return this;
    }

    /**
     * The text.
     *
     * @return a name, or a container ID
     */
    public String text() {
        return message.text();
    }

    /**
     * Sets the text.
     *
     * @param text a name, or a container ID
     * @return this
     */
    public RegionMessage text(String text) {
        message.text(text);
        return this;
    }

    /**
     * Turns a request into its answer.
     *
     * @return this
     */
    public RegionMessage answer() {
        message.answer();
        return this;
    }
}
