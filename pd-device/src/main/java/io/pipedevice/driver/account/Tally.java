// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

/** A quantity that an account counts. Every tally only rises. */
public enum Tally {
    /** Bytes that processes sent through the device. */
    DEVICE_SENT("device_sent_bytes", "bytes sent through the device"),
    /** Bytes that processes received through the device. */
    DEVICE_RECEIVED("device_received_bytes", "bytes received through the device"),
    /** Sends through the device. */
    DEVICE_MESSAGES("device_messages", "messages sent through the device"),
    /** Connections made through the device, counted at both ends. */
    DEVICE_CONNECTIONS("device_connections", "connections made through the device"),
    /** Bytes that processes sent directly. */
    DIRECT_SENT("direct_sent_bytes", "bytes sent directly"),
    /** Bytes that processes received, likewise. */
    DIRECT_RECEIVED("direct_received_bytes", "bytes received directly"),
    /** Direct connections, counted at both ends. */
    DIRECT_CONNECTIONS("direct_connections", "connections made directly"),
    /** Direct links that the driver ended, because an end of it was not honest. Counted at both ends. */
    LINKS_ENDED("direct_links_ended", "direct links ended by the driver"),
    /** Time of the engine and of the driver's thread. */
    ENGINE_NS("engine_ns", "engine ns"),
    /** Memory of the device path, multiplied by the time for which it was held. */
    MEMORY("memory_byte_seconds", "memory byte-seconds"),
    /** Requests that the policy refused. */
    REFUSED_BY_POLICY("refusals_policy", "refusals: policy"),
    /** Requests that were refused because something is used up. */
    REFUSED_BY_LIMIT("refusals_limit", "refusals: limit"),
    /** Requests that were refused for another reason. */
    REFUSED_OTHERWISE("refusals_other", "refusals: other"),
    /** Kernel connections that were introduced, counted at both ends. */
    INTRODUCED("introductions", "connections introduced");

    private final String key;
    private final String label;

    Tally(String key, String label) {
        this.key = key;
        this.label = label;
    }

    /**
     * The name in files.
     *
     * @return lower case, with underscores
     */
    public String key() {
        return key;
    }

    /**
     * The name for a person.
     *
     * @return short, with its unit
     */
    public String label() {
        return label;
    }
}
