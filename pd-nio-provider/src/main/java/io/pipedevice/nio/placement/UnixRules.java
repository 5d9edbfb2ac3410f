// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.property.SystemProperty;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The TCP addresses whose connections go to Unix-domain sockets, because the user says so: servers that are no JVM
 * listen there too. Of two rules for one address the first one holds. Thread safe.
 */
public final class UnixRules {
    /** Property: the rules. */
    public static final String PROPERTY = "pipedevice.unix";

    private static final String ALLOWED = "HOST:PORT=/path[,HOST:PORT=/path...]";

    /** The longest wait of a blocking connect for the addresses of a name. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<UnixRule> rules;

    private UnixRules(List<UnixRule> rules) {
        this.rules = rules;
    }

    /**
     * Reads the rules from the system property.
     *
     * @return null if there are none
     * @throws IllegalArgumentException if one is not allowed; the message names the property and the allowed form
     */
    public static UnixRules read() {
        String text = System.getProperty(PROPERTY);
        return text == null ? null : of(text);
    }

    /**
     * Reads rules.
     *
     * @param text the value of the property
     * @return at least one rule
     * @throws IllegalArgumentException as {@link #read}
     */
    public static UnixRules of(String text) {
        List<UnixRule> rules = new ArrayList<>();
        try {
            for (String rule : text.split(",", -1)) {
                rules.add(UnixRule.of(rule));
            }
        } catch (IllegalArgumentException e) {
            throw SystemProperty.refused(PROPERTY, text, ALLOWED, e);
        }
        return new UnixRules(List.copyOf(rules));
    }

    /**
     * Finds where connections to an address go.
     *
     * @param to the address, resolved
     * @param timeoutMillis the longest time to connect; {@link Placement#UNBOUNDED} for a thread that may wait
     * @param waits whether the thread may wait for the addresses of a name
     * @return null if there is no rule for it, or none is known yet
     */
    public UnixDomainSocketAddress find(InetSocketAddress to, int timeoutMillis, boolean waits) {
        long half = TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / 2;
        long patience = timeoutMillis == Placement.UNBOUNDED ? PATIENCE_NS : Math.min(half, PATIENCE_NS);
        for (UnixRule rule : rules) {
            if (rule.isAbout(to, waits ? patience : 0)) {
                return rule.path();
            }
        }
        return null;
    }
}
