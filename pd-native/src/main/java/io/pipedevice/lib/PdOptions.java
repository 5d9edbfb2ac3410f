// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.memory.RingBudget;
import io.pipedevice.memory.RingBufferPool;
import io.pipedevice.property.SystemProperty;
import io.pipedevice.protocol.DriverPageDescriptor;

/**
 * The options of {@link PipeDevice#init}. Each begins with the value of its system property, or with its default if the
 * property is not set. A value out of range throws an {@link IllegalArgumentException} that names the property.
 *
 * <table>
 * <caption>Options</caption>
 * <tr><th>Property</th><th>Default</th><th>Allowed</th></tr>
 * <tr><td>{@value #REQUEST_DEPTH_PROPERTY}</td><td>4096</td><td>powers of two from 64 to 65536</td></tr>
 * <tr><td>{@value #MAX_SOCKETS_PROPERTY}</td><td>1024</td><td>1 to 65535</td></tr>
 * <tr><td>{@value #SEND_MEMORY_PROPERTY}</td><td>1g</td><td>2m and more; k, m, g are understood</td></tr>
 * <tr><td>{@value #HUGE_PAGES_PROPERTY}</td><td>true</td><td>true, false</td></tr>
 * <tr><td>{@value #SPIN_PROPERTY}</td><td>100; 0 on one processor, and where {@value SpinMode#PROPERTY} is never</td>
 *     <td>0 (never) to 1000</td></tr>
 * </table>
 *
 * <p>Not thread safe; {@link PipeDevice#init} copies what it needs.
 */
public final class PdOptions {
    /** Property: depth of the request ring, in entries. */
    public static final String REQUEST_DEPTH_PROPERTY = "pipedevice.request.depth";

    /** Property: most sockets of this process at a time. */
    public static final String MAX_SOCKETS_PROPERTY = "pipedevice.max.sockets";

    /** Property: most memory for send rings, in bytes. */
    public static final String SEND_MEMORY_PROPERTY = "pipedevice.send.memory";

    /** Property: whether send rings try 2 MB pages first. */
    public static final String HUGE_PAGES_PROPERTY = "pipedevice.huge.pages";

    /** Property: longest time that a call spins before it sleeps, in microseconds. */
    public static final String SPIN_PROPERTY = "pipedevice.spin.micros";

    private static final int MAX_SPIN_MICROS = 1000;
    private static final int DEFAULT_SPIN_MICROS = 100;

    private static final String ALLOWED_DEPTHS = "powers of two from 64 to 65536";
    private static final String ALLOWED_SOCKETS = "1 to " + DriverPageDescriptor.MAX_SOCKETS;
    private static final String ALLOWED_MEMORY = RingBufferPool.MIN_REGION + " (2m) and more, with k, m or g";
    private static final String ALLOWED_SPINS = "0 (never) to " + MAX_SPIN_MICROS;

    private int requestDepth;
    private int maxSockets;
    private long sendMemory;
    private boolean hugePages;
    private int spinMicros;
    private boolean growingRings;
    private boolean closesIdle;

    /** Creates options from the system properties. */
    public PdOptions() {
        RingBudget.checkProperty();
        requestDepth(number(REQUEST_DEPTH_PROPERTY, 4096, ALLOWED_DEPTHS));
        maxSockets(number(MAX_SOCKETS_PROPERTY, 1024, ALLOWED_SOCKETS));
        sendMemory(SystemProperty.size(SEND_MEMORY_PROPERTY, 1 << 30, ALLOWED_MEMORY));
        hugePages(flag(HUGE_PAGES_PROPERTY, true));
        int spin = SpinMode.configured() == SpinMode.NEVER ? 0 : DEFAULT_SPIN_MICROS;
        spinMicros(number(SPIN_PROPERTY, spin, ALLOWED_SPINS));
    }

    /**
     * Sets the depth of the request ring.
     *
     * @param entries a power of two from 64 to 65536
     * @return this
     */
    public PdOptions requestDepth(int entries) {
        if (entries < 64 || entries > 65536 || Integer.bitCount(entries) != 1) {
            throw SystemProperty.refused(REQUEST_DEPTH_PROPERTY, entries, ALLOWED_DEPTHS);
        }
        this.requestDepth = entries;
        return this;
    }

    /**
     * Sets the most sockets at a time.
     *
     * @param sockets 1 to 65535; each takes about 400 bytes of shared memory, even if it is not used
     * @return this
     */
    public PdOptions maxSockets(int sockets) {
        if (sockets < 1 || sockets > DriverPageDescriptor.MAX_SOCKETS) {
            throw SystemProperty.refused(MAX_SOCKETS_PROPERTY, sockets, ALLOWED_SOCKETS);
        }
        this.maxSockets = sockets;
        return this;
    }

    /**
     * Sets the most memory for send rings.
     *
     * @param bytes 2 MB or more; memory is allocated when it is needed
     * @return this
     */
    public PdOptions sendMemory(long bytes) {
        if (bytes < RingBufferPool.MIN_REGION) {
            throw SystemProperty.refused(SEND_MEMORY_PROPERTY, bytes, ALLOWED_MEMORY);
        }
        this.sendMemory = bytes;
        return this;
    }

    /**
     * Sets whether send rings try 2 MB pages first. Normal pages serve where there are none.
     *
     * @param wanted true to try
     * @return this
     */
    public PdOptions hugePages(boolean wanted) {
        this.hugePages = wanted;
        return this;
    }

    /**
     * Sets the longest time that a blocking call spins before it sleeps. The call spins for a shorter time while
     * spinning does not pay.
     *
     * @param micros 0 (never) to 1000
     * @return this
     */
    public PdOptions spinMicros(int micros) {
        if (micros < 0 || micros > MAX_SPIN_MICROS) {
            throw SystemProperty.refused(SPIN_PROPERTY, micros, ALLOWED_SPINS);
        }
        this.spinMicros = micros;
        return this;
    }

    /**
     * Sets whether rings grow with the traffic of their sockets, up to their size (SO_SNDBUF, SO_RCVBUF), so that idle
     * connections need little memory. Then {@code malloc} and {@code recv}, which lend parts of the rings, are not
     * available.
     *
     * @param wanted false by default
     * @return this
     */
    public PdOptions growingRings(boolean wanted) {
        this.growingRings = wanted;
        return this;
    }

    /**
     * Sets whether the program closes a socket only when no thread is in another call of it, nor uses a buffer of it
     * any more. Then a close costs the same whatever the number of threads. Otherwise the JVM stops each of its threads
     * for a close, one by one, so that a late call fails.
     *
     * <p>{@link PdStream#endWaits} makes waiting threads leave. A late call of a socket that was closed in spite of
     * this promise may take or change the data of another connection of this process.
     *
     * @param promised false by default
     * @return this
     */
    public PdOptions closesIdle(boolean promised) {
        this.closesIdle = promised;
        return this;
    }

    /**
     * The depth of the request ring.
     *
     * @return entries, a power of two
     */
    public int requestDepth() {
        return requestDepth;
    }

    /**
     * The most sockets at a time.
     *
     * @return 1 to 65535
     */
    public int maxSockets() {
        return maxSockets;
    }

    /**
     * The most memory for send rings.
     *
     * @return in bytes
     */
    public long sendMemory() {
        return sendMemory;
    }

    /**
     * Whether send rings try 2 MB pages first.
     *
     * @return false if they use normal pages
     */
    public boolean hugePages() {
        return hugePages;
    }

    /**
     * The longest time that a blocking call spins before it sleeps.
     *
     * @return in microseconds, 0 if it does not spin
     */
    public int spinMicros() {
        return spinMicros;
    }

    /**
     * Whether rings grow with the traffic of their sockets.
     *
     * @return false if they have their size from the beginning
     */
    public boolean growingRings() {
        return growingRings;
    }

    /**
     * Whether the program closes a socket only when no thread is in another call of it.
     *
     * @return false if a late call must fail
     */
    public boolean closesIdle() {
        return closesIdle;
    }

    /**
     * The value of a property as an int; the setter checks it. A value beyond int is clamped, and so stays out of
     * range.
     */
    private static int number(String property, int otherwise, String allowed) {
        return Math.clamp(SystemProperty.size(property, otherwise, allowed), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static boolean flag(String property, boolean otherwise) {
        String value = System.getProperty(property);
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw SystemProperty.refused(property, value, "true and false");
        }
        return value.equals("true");
    }

    @Override
    public String toString() {
        return "PdOptions{" + REQUEST_DEPTH_PROPERTY + "=" + requestDepth + ", " + MAX_SOCKETS_PROPERTY + "="
                + maxSockets + ", " + SEND_MEMORY_PROPERTY + "=" + sendMemory + ", " + HUGE_PAGES_PROPERTY + "="
                + hugePages + ", " + SPIN_PROPERTY + "=" + spinMicros + '}';
    }
}
