// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import io.pipedevice.driver.share.CounterType;

/**
 * The names of the driver's counters as metrics, by the conventions of Prometheus: base units, and no unit or
 * {@code _total} that the library adds itself.
 */
enum DriverMetric {
    ATTACHMENTS(CounterType.PROCESSES, Kind.GAUGE, "attachments", "Attached processes."),
    CONNECTIONS(CounterType.CONNECTIONS, Kind.GAUGE, "connections", "Connections through this driver."),
    BYTES(CounterType.BYTES, Kind.COUNTER, "copied_bytes", "Bytes copied between programs."),
    COMMANDS(CounterType.COMMANDS, Kind.COUNTER, "commands", "Commands submitted to the devices."),
    REQUESTS(CounterType.REQUESTS, Kind.COUNTER, "requests", "Requests taken from programs."),
    EVENTS(CounterType.EVENTS, Kind.COUNTER, "events", "Events posted to programs."),
    DOORBELLS(CounterType.DOORBELLS, Kind.COUNTER, "doorbells_rung", "Doorbells rung, one system call each."),
    SLEEPS(CounterType.SLEEPS, Kind.COUNTER, "sleeps", "Times that the driver went to sleep."),
    STALLS(
            CounterType.STALLS,
            Kind.COUNTER,
            "receive_ring_stalls",
            "Times that a sender waited for room in a receive ring."),
    THROTTLED(CounterType.THROTTLED, Kind.COUNTER, "rate_limit_stalls", "Times that a sender waited for its rate."),
    RESETS(CounterType.RESETS, Kind.COUNTER, "connection_resets", "Connections that were reset."),
    REFUSALS(
            CounterType.REFUSALS,
            Kind.COUNTER,
            "refused_requests",
            "Requests on control connections that were refused."),
    DETACHED(
            CounterType.DETACHED,
            Kind.COUNTER,
            "detached_attachments",
            "Processes that were detached because they broke a rule."),
    DEVICE_ERRORS(CounterType.DEVICE_ERRORS, Kind.COUNTER, "device_errors", "Commands that a device failed."),
    LONGEST_CYCLE(
            CounterType.MAX_CYCLE_NS,
            Kind.NANOSECONDS,
            "longest_cycle_seconds",
            "Longest duty cycle of the driver's thread."),
    RETRIES(
            CounterType.RETRIES,
            Kind.COUNTER,
            "retried_commands",
            "Commands that an emulator executed after a device had not."),
    DEVICE_RESETS(
            CounterType.DEVICE_RESETS,
            Kind.COUNTER,
            "device_resets",
            "Times that a device was reset because it did not work."),
    LOST_INTERRUPTS(
            CounterType.LOST_INTERRUPTS,
            Kind.COUNTER,
            "lost_interrupts",
            "Interrupts that were due and were not delivered."),
    EMULATED(
            CounterType.EMULATED,
            Kind.COUNTER,
            "emulated_commands",
            "Commands that an emulator executed in place of a device."),
    LONGEST_CYCLE_CPU(
            CounterType.MAX_CYCLE_CPU_NS,
            Kind.NANOSECONDS,
            "longest_cycle_cpu_seconds",
            "Longest processor time of the driver's thread in a duty cycle."),
    LONG_CYCLES(
            CounterType.LONG_CYCLES, Kind.COUNTER, "long_cycles", "Duty cycles with more than 5 ms of processor time."),
    ADDRESSES_LEFT_OUT(
            CounterType.ADDRESSES_LEFT_OUT,
            Kind.COUNTER,
            "namespaces_read_in_part",
            "Readings of network namespaces with more addresses or routes than the driver reads."),
    POLICY_RULES(CounterType.POLICY_RULES, Kind.GAUGE, "policy_rules", "Rules of the policy in force."),
    POLICY_RELOADS(
            CounterType.POLICY_RELOADS, Kind.COUNTER, "policy_reloads", "Times that another policy came into force."),
    POLICY_FAILURES(
            CounterType.POLICY_FAILURES,
            Kind.COUNTER,
            "failed_policy_reloads",
            "Times that the policy's file had changed and was not valid."),
    SHARE_REFUSALS(
            CounterType.SHARE_REFUSALS,
            Kind.COUNTER,
            "share_refusals",
            "Requests refused in favour of other users or namespaces."),
    MEMORY(CounterType.MEMORY, Kind.GAUGE, "memory_bytes", "Memory that the driver has allocated for programs."),
    INTRODUCED(
            CounterType.INTRODUCED,
            Kind.COUNTER,
            "introduced_connections",
            "Connections of the kernel whose two ends were introduced to each other."),
    NOT_INTRODUCED(
            CounterType.NOT_INTRODUCED,
            Kind.COUNTER,
            "not_introduced_connections",
            "Connections of the kernel whose other end did not take part or was not permitted."),
    UNROUTED(
            CounterType.UNROUTED,
            Kind.COUNTER,
            "unrouted_addresses",
            "Times that the driver had no route to an address of a program."),
    NOT_ADMITTED(CounterType.NOT_ADMITTED, Kind.COUNTER, "not_admitted", "Control connections that were not admitted."),
    CLOSING(
            CounterType.CLOSING,
            Kind.GAUGE,
            "closing_descriptors",
            "Descriptors of other processes that are being closed."),
    DEVICE_COMMANDS(
            CounterType.DEVICE_COMMANDS, Kind.COUNTER, "device_commands", "Commands that a device executed itself."),
    DEVICE_BYTES(CounterType.DEVICE_BYTES, Kind.COUNTER, "device_copied_bytes", "Bytes that a device copied itself."),
    DEVICE_INTERRUPTS(
            CounterType.DEVICE_INTERRUPTS,
            Kind.COUNTER,
            "device_interrupts",
            "Interrupts of a device that were delivered."),
    DEVICE_OUT_OF_SERVICE(
            CounterType.DEVICE_OUT_OF_SERVICE,
            Kind.GAUGE,
            "device_out_of_service",
            "1 if a device was taken out of service."),
    SOCKETS(CounterType.PROCESS_SOCKETS, Kind.GAUGE, "attachment_sockets", "Sockets of a process."),
    SEND_MEMORY(
            CounterType.PROCESS_SEND_MEMORY,
            Kind.GAUGE,
            "attachment_send_memory_bytes",
            "Send regions of a process that the driver maps."),
    RECEIVE_MEMORY(
            CounterType.PROCESS_RECEIVE_MEMORY,
            Kind.GAUGE,
            "attachment_receive_memory_bytes",
            "Receive regions that the driver allocated for a process."),
    SENT(CounterType.PROCESS_SENT, Kind.COUNTER, "attachment_sent_bytes", "Bytes that a process sent."),
    RECEIVED(CounterType.PROCESS_RECEIVED, Kind.COUNTER, "attachment_received_bytes", "Bytes that a process received."),
    ATTACHMENT_COMMANDS(
            CounterType.PROCESS_COMMANDS, Kind.COUNTER, "attachment_commands", "Commands for the data of a process."),
    ENGINE_TIME(
            CounterType.PROCESS_ENGINE_NS,
            Kind.COUNTER_OF_NANOSECONDS,
            "attachment_engine_seconds",
            "Time of the engine and of the driver's thread that was charged to a process."),
    REGIONS(CounterType.PROCESS_REGIONS, Kind.GAUGE, "attachment_regions", "Regions of a process."),
    REGION_BYTES(
            CounterType.PROCESS_REGION_BYTES,
            Kind.GAUGE,
            "attachment_region_bytes",
            "Memory of the regions of a process."),
    OPERATIONS(
            CounterType.PROCESS_OPERATIONS,
            Kind.COUNTER,
            "attachment_operations",
            "One-sided operations of a process on regions."),
    OPERATION_BYTES(
            CounterType.PROCESS_OPERATION_BYTES,
            Kind.COUNTER,
            "attachment_operation_bytes",
            "Bytes that one-sided operations of a process moved."),
    FUNCTIONS(
            CounterType.PROCESS_FUNCTIONS,
            Kind.GAUGE,
            "attachment_functions",
            "Functions that a process has registered."),
    DEVICE_CALLS(
            CounterType.PROCESS_DEVICE_CALLS,
            Kind.COUNTER,
            "attachment_device_calls",
            "Calls of a process that ended at the device."),
    HOST_CALLS(
            CounterType.PROCESS_HOST_CALLS,
            Kind.COUNTER,
            "attachment_host_calls",
            "Calls of a process that ended in the process of a function's owner."),
    MOVED_CALLS(
            CounterType.PROCESS_MOVED_CALLS,
            Kind.COUNTER,
            "attachment_moved_calls",
            "Times that a call of a process left a place before its end."),
    FAILED_CALLS(
            CounterType.PROCESS_FAILED_CALLS,
            Kind.COUNTER,
            "attachment_failed_calls",
            "Calls of a process that ended without a result.");

    /** How a counter's value becomes a metric's. */
    enum Kind {
        /** A value that rises and falls. */
        GAUGE(1),
        /** A value that only rises. */
        COUNTER(1),
        /** A gauge in nanoseconds. */
        NANOSECONDS(1e-9),
        /** A counter in nanoseconds. */
        COUNTER_OF_NANOSECONDS(1e-9);

        private final double unit;

        Kind(double unit) {
            this.unit = unit;
        }

        boolean onlyRises() {
            return this == COUNTER || this == COUNTER_OF_NANOSECONDS;
        }
    }

    private static final String PREFIX = "pipedevice_";

    private final CounterType type;
    private final Kind kind;
    private final String suffix;
    private final String help;

    DriverMetric(CounterType type, Kind kind, String suffix, String help) {
        this.type = type;
        this.kind = kind;
        this.suffix = suffix;
        this.help = help;
    }

    CounterType type() {
        return type;
    }

    Kind kind() {
        return kind;
    }

    String metricName() {
        return PREFIX + suffix;
    }

    String help() {
        return help;
    }

    /** The value in the metric's unit. */
    double inUnit(long value) {
        return value * kind.unit;
    }
}
