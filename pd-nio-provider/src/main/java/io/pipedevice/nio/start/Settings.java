// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.lib.PdOptions;
import io.pipedevice.nio.placement.DriverPlacement;
import io.pipedevice.nio.placement.UnixRules;
import io.pipedevice.peer.rendezvous.PeerOptions;
import io.pipedevice.property.SystemProperty;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The user's settings of the provider and its connections, from system properties. They are read once, when the
 * provider is created, and hold for all of its connections.
 *
 * <table>
 * <caption>Properties</caption>
 * <tr><th>Property</th><th>Default</th><th>Allowed</th></tr>
 * <tr><td>{@value #ENABLED_PROPERTY}</td><td>auto: unless the machine has one processor</td>
 *     <td>auto, true, false</td></tr>
 * <tr><td>{@value #SOCKETS_PROPERTY}</td><td>all</td>
 *     <td>all; channels: the sockets of java.net stay the JDK's</td></tr>
 * <tr><td>{@value #NETTY_PROPERTY}</td><td>auto: programs that ask for Netty's own transports are told that there are
 *     none</td>
 *     <td>auto, off</td></tr>
 * <tr><td>{@value #DRIVER_PROPERTY}</td><td>none</td><td>the directory of a driver, running now or later</td></tr>
 * <tr><td>{@value #UNIX_PROPERTY}</td><td>none</td>
 *     <td>HOST:PORT=/path, several with commas: connections that go to Unix-domain sockets</td></tr>
 * </table>
 *
 * @param use when connections are accelerated
 * @param driver the directory of a driver process; null for rings without a driver (peer placement)
 * @param driverOptions of attachments to that driver, no longer changed; null if PipeDevice is not used
 * @param peerOptions of connections without a driver; null if PipeDevice is not used
 * @param unixRules send connections to Unix-domain sockets; null if there are none
 */
record Settings(Use use, Path driver, PdOptions driverOptions, PeerOptions peerOptions, UnixRules unixRules) {
    /** Values of {@link #ENABLED_PROPERTY}. */
    enum Use {
        /** auto: except where TCP would serve the program better. */
        WHERE_IT_PAYS,
        /** true. */
        ALWAYS,
        /** false: the JDK serves every connection. */
        NEVER
    }

    /** Property: whether PipeDevice is used at all. */
    static final String ENABLED_PROPERTY = "pipedevice.enabled";

    /** Property: which sockets are accelerated. The agent reads it when the JVM starts. */
    static final String SOCKETS_PROPERTY = "pipedevice.sockets";

    /** Property: whether Netty's own transports are said to be unavailable. The agent reads it when the JVM starts. */
    static final String NETTY_PROPERTY = "pipedevice.netty";

    /** Property: the directory of the driver to attach to. */
    static final String DRIVER_PROPERTY = DriverPlacement.DRIVER_PROPERTY;

    /** Property: the addresses whose connections go to Unix-domain sockets. */
    static final String UNIX_PROPERTY = UnixRules.PROPERTY;

    private static final int MAX_SOCKETS = 16384;

    /**
     * Reads the system properties.
     *
     * @throws IllegalArgumentException if a value is not allowed; the message names the property and the allowed values
     */
    static Settings read() {
        Use use = readUse();
        check(SOCKETS_PROPERTY, "all", "channels");
        check(NETTY_PROPERTY, "auto", "off");
        return use == Use.NEVER
                ? new Settings(use, null, null, null, null)
                : new Settings(
                        use, directory(DRIVER_PROPERTY), readDriverOptions(), PeerOptions.read(), readUnixRules());
    }

    /** The options of an attachment. A program of java.nio has more sockets than one of PD Lib. */
    static PdOptions readDriverOptions() {
        PdOptions options = new PdOptions().growingRings(true).closesIdle(true);
        return System.getProperty(PdOptions.MAX_SOCKETS_PROPERTY) == null ? options.maxSockets(MAX_SOCKETS) : options;
    }

    /** No class of rules is loaded without the property. */
    private static UnixRules readUnixRules() {
        return System.getProperty(UNIX_PROPERTY) == null ? null : UnixRules.read();
    }

    private static Use readUse() {
        String value = System.getProperty(ENABLED_PROPERTY, "auto");
        return switch (value) {
            case "auto" -> Use.WHERE_IT_PAYS;
            case "true" -> Use.ALWAYS;
            case "false" -> Use.NEVER;
            default -> throw SystemProperty.refused(ENABLED_PROPERTY, value, "auto, true and false");
        };
    }

    /** Checks a property that the agent has read. */
    private static void check(String property, String usual, String other) {
        String value = System.getProperty(property, usual);
        if (!value.equals(usual) && !value.equals(other)) {
            throw SystemProperty.refused(property, value, usual + " and " + other);
        }
    }

    private static Path directory(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            return null;
        }
        String allowed = "a driver's directory";
        try {
            Path path = Path.of(value);
            if (value.isEmpty() || (Files.exists(path) && !Files.isDirectory(path))) {
                throw SystemProperty.refused(property, value, allowed);
            }
            return path;
        } catch (InvalidPathException e) {
            throw SystemProperty.refused(property, value, allowed, e);
        }
    }
}
