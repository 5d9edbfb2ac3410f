// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.protocol;

import io.pipedevice.protocol.ContainerName;
import io.pipedevice.protocol.ControlMessage;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The messages about regions and queue pairs, on the control connection of a process that has attached
 * ({@link RegionMessageDescriptor}). A view of a {@link ControlMessage}, which has header and text.
 */
public class RegionMessage {
    /**
     * The queue pairs of the attachment, once: number, depth, and size of the operation page, whose descriptor
     * comes along. Answer: size of the completion page, whose descriptor comes along.
     */
    public static final int OPEN_QUEUES = 40;

    /**
     * Memory of the process that the driver may write: size; its descriptor comes along. Answer: handle. No other
     * process finds it yet.
     */
    public static final int REGISTER = 41;

    /**
     * Rights of others to a region of this process: handle, rights, subject, user; text = a container ID, or its
     * beginning. They replace those of the same subject; without rights they are withdrawn.
     */
    public static final int GRANT = 42;

    /** The name by which a region of this process is found: handle, text. */
    public static final int PUBLISH = 43;

    /** Ends a region of this process: handle. The answer comes when no operation of another process uses its memory. */
    public static final int DEREGISTER = 44;

    /**
     * Finds a region: rights that are needed, subject = what is said of its owner, {@link #USER}, {@link #CONTAINER},
     * both or-ed, or {@link #ANYONE}; user; texts = its name, and the container or the beginning of its ID. Answer:
     * handle, rights, size, process and user of the owner, text = its {@linkplain ContainerName container}; the
     * descriptor comes along if the process may map the region to read it. ENOTUNIQ if several owners have published
     * the name: text = two of them.
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

    /** Right to call a function. */
    public static final int CALL = 8;

    /** All rights to a region. */
    public static final int OPERATE = READ | WRITE | ATOMIC;

    /** All rights. */
    public static final int ALL = OPERATE | CALL;

    /** Longest name of a region or function, in bytes of UTF-8. */
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

    final int get(int offset) {
        return message.memory().get(INT, offset);
    }

    final void set(int offset, int value) {
        message.memory().set(INT, offset, value);
    }

    final long getLong(int offset) {
        return message.memory().get(LONG, offset);
    }

    final void setLong(int offset, long value) {
        message.memory().set(LONG, offset, value);
    }

    /**
     * The handle.
     *
     * @return any value
     */
    public final int handle() {
        return get(RegionMessageDescriptor.HANDLE_OFFSET);
    }

    /**
     * Sets the handle.
     *
     * @param handle of a region
     * @return this
     */
    public final RegionMessage handle(int handle) {
        set(RegionMessageDescriptor.HANDLE_OFFSET, handle);
        return this;
    }

    /**
     * The rights.
     *
     * @return any value
     */
    public final int rights() {
        return get(RegionMessageDescriptor.RIGHTS_OFFSET);
    }

    /**
     * Sets the rights.
     *
     * @param rights or-ed
     * @return this
     */
    public final RegionMessage rights(int rights) {
        set(RegionMessageDescriptor.RIGHTS_OFFSET, rights);
        return this;
    }

    /**
     * The kind of subject.
     *
     * @return any value
     */
    public final int subject() {
        return get(RegionMessageDescriptor.SUBJECT_OFFSET);
    }

    /**
     * The user.
     *
     * @return any value
     */
    public final int user() {
        return get(RegionMessageDescriptor.USER_OFFSET);
    }

    /**
     * Sets the subject.
     *
     * @param subject {@link #ANYONE}, {@link #USER}, {@link #CONTAINER}, or where an owner is meant both of them, or-ed
     * @param user the user's number
     * @return this
     */
    public final RegionMessage subject(int subject, int user) {
        set(RegionMessageDescriptor.SUBJECT_OFFSET, subject);
        set(RegionMessageDescriptor.USER_OFFSET, user);
        return this;
    }

    /**
     * The size.
     *
     * @return in bytes, any value
     */
    public final long size() {
        return getLong(RegionMessageDescriptor.SIZE_OFFSET);
    }

    /**
     * Sets the size.
     *
     * @param size in bytes
     * @return this
     */
    public final RegionMessage size(long size) {
        setLong(RegionMessageDescriptor.SIZE_OFFSET, size);
        return this;
    }

    /**
     * The number of the owner's process, in the driver's PID namespace.
     *
     * @return any value
     */
    public final int process() {
        return get(RegionMessageDescriptor.PROCESS_OFFSET);
    }

    /**
     * Sets the number of the owner's process.
     *
     * @param process its number
     * @return this
     */
    public final RegionMessage process(int process) {
        set(RegionMessageDescriptor.PROCESS_OFFSET, process);
        return this;
    }

    /**
     * The number of queue pairs.
     *
     * @return any value
     */
    public final int queues() {
        return get(RegionMessageDescriptor.QUEUES_OFFSET);
    }

    /**
     * The depth of each queue pair.
     *
     * @return any value
     */
    public final int depth() {
        return get(RegionMessageDescriptor.DEPTH_OFFSET);
    }

    /**
     * Sets the queue pairs.
     *
     * @param queues their number
     * @param depth of each
     * @return this
     */
    public final RegionMessage queues(int queues, int depth) {
        set(RegionMessageDescriptor.QUEUES_OFFSET, queues);
        set(RegionMessageDescriptor.DEPTH_OFFSET, depth);
        return this;
    }

    /**
     * The text.
     *
     * @return a name, or a container ID
     */
    public final String text() {
        return message.text();
    }

    /**
     * Sets the text.
     *
     * @param text a name, or a container ID
     * @return this
     */
    public final RegionMessage text(String text) {
        message.text(text);
        return this;
    }

    /**
     * The first part of a text of two.
     *
     * @return any text
     */
    public final String firstText() {
        String text = text();
        return text.substring(0, text.length() - secondLength(text));
    }

    /**
     * The second part of a text of two.
     *
     * @return any text
     */
    public final String secondText() {
        String text = text();
        return text.substring(text.length() - secondLength(text));
    }

    private int secondLength(String text) {
        return Math.clamp(get(RegionMessageDescriptor.SECOND_LENGTH_OFFSET), 0, text.length());
    }

    /**
     * Sets a text of two parts.
     *
     * @param first at most {@link #MAX_NAME} bytes
     * @param second at most {@link #MAX_NAME} bytes; may be empty
     * @return this
     */
    public final RegionMessage texts(String first, String second) {
        set(RegionMessageDescriptor.SECOND_LENGTH_OFFSET, second.length());
        return text(first + second);
    }

    /**
     * Turns a request into its answer.
     *
     * @return this
     */
    public final RegionMessage answer() {
        message.answer();
        return this;
    }
}
