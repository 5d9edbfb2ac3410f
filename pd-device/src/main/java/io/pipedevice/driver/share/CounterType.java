// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

/** The driver's counters: type ids and labels. Ids 1 to 79 are the driver's, 80 to 99 exist once
 * per device, 100 and above once per attached process. */
public enum CounterType {
    /** Attached processes. */
    PROCESSES(1, "attached processes"),
    /** Connections in the connection table. */
    CONNECTIONS(2, "connections"),
    /** Bytes copied. */
    BYTES(3, "bytes copied"),
    /** Commands submitted to the device. */
    COMMANDS(4, "commands"),
    /** Requests taken from processes. */
    REQUESTS(5, "requests"),
    /** Events posted to processes. */
    EVENTS(6, "events"),
    /** Doorbells of processes that were rung; each costs the data path a system call. */
    DOORBELLS(7, "doorbells rung"),
    /** Times that the driver went to sleep. */
    SLEEPS(8, "sleeps"),
    /** Times that a sender had to wait for room in a receive ring. */
    STALLS(9, "receive ring stalls"),
    /** Times that a sender had to wait for its rate. */
    THROTTLED(10, "rate limit stalls"),
    /** Connections reset. */
    RESETS(11, "connections reset"),
    /** Requests on the control connection that were refused. */
    REFUSALS(12, "requests refused"),
    /** Processes that were detached because they broke a rule. */
    DETACHED(13, "processes detached"),
    /** Commands that the device failed, or completed although they were not submitted. */
    DEVICE_ERRORS(14, "device errors"),
    /** Longest duty cycle, in nanoseconds. */
    MAX_CYCLE_NS(15, "longest cycle ns"),
    /** Commands that the device did not execute and an emulator executed instead. */
    RETRIES(16, "commands tried again"),
    /** Times that the device was reset because it did not work. */
    DEVICE_RESETS(17, "device resets"),
    /** Interrupts that were due and were not delivered. */
    LOST_INTERRUPTS(18, "interrupts lost"),
    /** Commands that an emulator executed in place of the device. */
    EMULATED(19, "commands emulated"),
    /** Longest processor time that the driver used in one duty cycle, in nanoseconds. */
    MAX_CYCLE_CPU_NS(20, "longest cycle cpu ns"),
    /** Duty cycles in which the driver used more than 5 ms of processor time. */
    LONG_CYCLES(21, "cycles over 5 ms"),
    /** Readings of a network namespace that has more addresses or routes than the driver reads. */
    ADDRESSES_LEFT_OUT(22, "namespaces read in part"),
    /** Requests that were refused because the remaining room is reserved for other users and namespaces. */
    SHARE_REFUSALS(23, "requests over a share"),
    /** Bytes that the driver has allocated for processes. */
    MEMORY(24, "memory"),
    /** Kernel connections whose two ends were introduced to each other. */
    INTRODUCED(25, "connections introduced"),
    /** Kernel connections whose other end did not take part, or was not permitted. */
    NOT_INTRODUCED(26, "connections not introduced"),
    /** Times that another policy came into force. */
    POLICY_RELOADS(27, "policy reloads"),
    /** Times that the policy's file had changed and was not valid. */
    POLICY_FAILURES(28, "policy reloads failed"),
    /** Rules of the policy in force, whose name is in the label. */
    POLICY_RULES(29, "policy rules"),
    /** Times that an address was not valid because the driver's network namespace has no route to its process. */
    UNROUTED(30, "addresses not routed"),
    /** Connections of processes that were not admitted. */
    NOT_ADMITTED(38, "connections not admitted"),
    /** Descriptors of other processes that are being closed, or wait to be closed. */
    CLOSING(39, "descriptors being closed"),
    /** Commands that a device executed itself. */
    DEVICE_COMMANDS(80, "commands executed"),
    /** Bytes that a device copied itself. */
    DEVICE_BYTES(81, "bytes copied"),
    /** Interrupts of a device that were delivered. */
    DEVICE_INTERRUPTS(82, "interrupts"),
    /** Whether a device was taken out of service. */
    DEVICE_OUT_OF_SERVICE(83, "out of service"),
    /** Sockets of a process. */
    PROCESS_SOCKETS(100, "sockets"),
    /** Bytes of a process's send regions that the driver maps. */
    PROCESS_SEND_MEMORY(101, "send memory"),
    /** Bytes of receive regions allocated for a process. */
    PROCESS_RECEIVE_MEMORY(102, "receive memory"),
    /** Bytes that a process sent. */
    PROCESS_SENT(103, "bytes sent"),
    /** Bytes that a process received. */
    PROCESS_RECEIVED(104, "bytes received"),
    /** Commands submitted to the device for the data of a process. */
    PROCESS_COMMANDS(105, "commands"),
    /** Time of the engine and of the driver's thread that was charged to a process, in nanoseconds. */
    PROCESS_ENGINE_NS(106, "engine ns"),
    /** Regions of a process. */
    PROCESS_REGIONS(107, "regions"),
    /** Bytes of a process's regions. */
    PROCESS_REGION_BYTES(108, "region memory"),
    /** One-sided operations of a process on regions. */
    PROCESS_OPERATIONS(109, "operations"),
    /** Bytes that one-sided operations of a process moved. */
    PROCESS_OPERATION_BYTES(110, "operation bytes"),
    /** Functions of a process. */
    PROCESS_FUNCTIONS(111, "functions"),
    /** Calls of a process that ended at the device. */
    PROCESS_DEVICE_CALLS(112, "calls at the device"),
    /** Calls of a process that ended in the process of the owner of a function. */
    PROCESS_HOST_CALLS(113, "calls at the host"),
    /** Times that a call of a process left a place before its end. */
    PROCESS_MOVED_CALLS(114, "calls moved"),
    /** Calls of a process that ended without a result. */
    PROCESS_FAILED_CALLS(115, "calls failed");

    private static final int FIRST_OF_DEVICE = 80;
    private static final int FIRST_OF_PROCESS = 100;

    private final int id;
    private final String label;

    CounterType(int id, String label) {
        this.id = id;
        this.label = label;
    }

    /**
     * The type id in the counters' metadata.
     *
     * @return 1 to 199
     */
    public int id() {
        return id;
    }

    /** Whether each device has such a counter. */
    boolean isOfDevice() {
        return id >= FIRST_OF_DEVICE && id < FIRST_OF_PROCESS;
    }

    /** Whether each process has such a counter. */
    boolean isOfProcess() {
        return id >= FIRST_OF_PROCESS;
    }

    /**
     * The label of the counter.
     *
     * @return short, lower case
     */
    public String label() {
        return label;
    }
}
