// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.jdk.Literals;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of the user: connections to a TCP address go to a Unix-domain socket. Immutable, but for what the look-up of
 * its name finds. Thread safe.
 */
final class UnixRule {
    /** What sockaddr_un has room for, with the byte that ends it. */
    private static final int LONGEST_PATH = 107;

    private static final int HIGHEST_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile("(\\[[^\\]]*:[^\\]]*]|[^:\\[]+):([0-9]{1,5})=(/.*)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?\\.?");
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");
    private static final Set<InetAddress> LOCALHOST = Set.of(Literals.address("127.0.0.1"), Literals.address("::1"));

    private final String host;
    private final int port;
    private final UnixDomainSocketAddress path;

    /** Null if the host is an address, or localhost. */
    private final HostLookup lookup;

    /** The addresses if they need no look-up; else null. */
    private final Set<InetAddress> literal;

    private UnixRule(String host, Set<InetAddress> literal, int port, UnixDomainSocketAddress path) {
        this.host = host;
        this.port = port;
        this.path = path;
        this.literal = literal;
        this.lookup = literal == null ? new HostLookup(host) : null;
    }

    /**
     * Reads HOST:PORT=/path, with an IPv6 address in brackets.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    static UnixRule of(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(text);
        }
        String host = parts.group(1);
        return new UnixRule(host, literal(host), port(parts.group(2)), path(parts.group(3)));
    }

    /** Null for a name that is to be looked up. */
    private static Set<InetAddress> literal(String host) {
        if (host.startsWith("[")) {
            return Set.of(Literals.address(host.substring(1, host.length() - 1)));
        }
        if (NUMBERS.matcher(host).matches()) {
            return Set.of(Literals.address(host));
        }
        if (!NAME.matcher(host).matches()) {
            throw new IllegalArgumentException(host);
        }
        return host.equalsIgnoreCase("localhost") ? LOCALHOST : null;
    }

    private static int port(String digits) {
        int port = Integer.parseInt(digits);
        if (port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException(digits);
        }
        return port;
    }

    private static UnixDomainSocketAddress path(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
            throw new IllegalArgumentException(text);
        }
        try {
            return UnixDomainSocketAddress.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /**
     * Whether the rule is about an address. A program that names the host as the rule does needs no look-up.
     *
     * @param patienceNs how long to wait for a look-up that is not finished; 0 not to wait
     */
    boolean isAbout(InetSocketAddress to, long patienceNs) {
        if (to.getPort() != port) {
            return false;
        }
        if (literal != null) {
            return literal.contains(to.getAddress());
        }
        return host.equalsIgnoreCase(to.getHostString())
                || lookup.addresses(patienceNs).contains(to.getAddress());
    }

    /** Where connections go. */
    UnixDomainSocketAddress path() {
        return path;
    }
}
