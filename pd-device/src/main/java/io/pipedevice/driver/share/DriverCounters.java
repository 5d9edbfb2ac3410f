// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * The driver's counters, in shared memory that other processes map read-only (Agrona's layout, see
 * {@link CountersReader}): first the metadata, then the values. Owns the memory. The driver's thread counts in private
 * fields, and publishes them once per duty cycle.
 */
public final class DriverCounters implements AutoCloseable {
    /** A counter whose changes are gathered until {@link #publish}. */
    public static final class Count {
        private final AtomicCounter counter;
        private long value;
        private boolean changed;

        private Count(AtomicCounter counter) {
            this.counter = counter;
        }

        /**
         * Increases the count.
         *
         * @param more by how much
         */
        public void add(long more) {
            value += more;
            changed = true;
        }

        /**
         * Sets the count.
         *
         * @param now the new value
         */
        public void set(long now) {
            value = now;
            changed = true;
        }

        private void publish() {
            if (changed) {
                counter.setRelease(value);
                changed = false;
            }
        }
    }

    private final SharedRegion region;
    private final int metadataLength;
    private final CountersManager manager;
    private final List<Count> counts = new ArrayList<>();
    /** Bytes that were copied. */
    public final Count bytes;
    /** Commands that were submitted to the device. */
    public final Count commands;
    /** Requests that were taken. */
    public final Count requests;
    /** Events that were posted. */
    public final Count events;
    /** Doorbells that were rung. */
    public final Count doorbells;
    /** Times that the driver slept. */
    public final Count sleeps;
    /** Times that a receive ring was full. */
    public final Count stalls;
    /** Times that a process had used up its rate. */
    public final Count throttled;
    /** Connections that were reset. */
    public final Count resets;
    /** Messages that were refused. */
    public final Count refusals;
    /** Processes that were detached because they broke a rule. */
    public final Count detached;
    /** Commands that the device failed. */
    public final Count deviceErrors;

    final Count maxCycleNs;
    final Count maxCycleCpuNs;
    final Count longCycles;
    /** Namespaces that were read in part. */
    public final Count addressesLeftOut;
    /** Requests that were refused because a user or a namespace has used its share. */
    public final Count shareRefusals;
    /** Memory that is allocated for processes, in bytes. */
    public final Count memory;
    /** Times that an address was not valid because no route leads to it. */
    public final Count unrouted;

    /** Kernel connections whose ends were introduced. */
    public final Count introduced;

    /** Kernel connections that stay on the kernel. */
    public final Count notIntroduced;
    /** Times that another policy came into force. */
    public final Count policyReloads;

    /** Times that the policy's file was not valid. */
    public final Count policyFailures;
    /** Control connections that were not admitted. */
    public final Count notAdmitted;
    /** Descriptors that are being closed. */
    public final Count closing;

    private final Count retries;
    private final Count deviceResets;
    private final Count lostInterrupts;
    private final Count emulated;
    private final Count processes;
    private final Count connections;

    private final List<DeviceHealth> devices;

    /** Four counters for each device. */
    private final List<Count> shares = new ArrayList<>();

    /** The total of the devices' own error counts when it was last added. */
    private long errorsOfDevices;

    /**
     * Allocates the counters of the driver, of its devices and of its attached processes.
     *
     * @param maxProcesses most attached processes
     * @param devices each has counters of its own
     * @throws IOException if there is no memory
     */
    public DriverCounters(int maxProcesses, List<DeviceHealth> devices) throws IOException {
        this.devices = devices;
        int most = 0;
        for (CounterType type : CounterType.values()) {
            most += type.isOfProcess() ? maxProcesses : type.isOfDevice() ? devices.size() : 1;
        }
        int valuesLength = most * CountersReader.COUNTER_LENGTH;
        metadataLength = most * CountersReader.METADATA_LENGTH;
        region = SharedRegion.create("pd-counters", metadataLength + (long) valuesLength, false);
        region.allocate(0, region.size());
        long address = region.memory().address();
        manager = new CountersManager(
                new UnsafeBuffer(address, metadataLength), new UnsafeBuffer(address + metadataLength, valuesLength));
        processes = count(CounterType.PROCESSES);
        connections = count(CounterType.CONNECTIONS);
        bytes = count(CounterType.BYTES);
        commands = count(CounterType.COMMANDS);
        requests = count(CounterType.REQUESTS);
        events = count(CounterType.EVENTS);
        doorbells = count(CounterType.DOORBELLS);
        sleeps = count(CounterType.SLEEPS);
        stalls = count(CounterType.STALLS);
        throttled = count(CounterType.THROTTLED);
        resets = count(CounterType.RESETS);
        refusals = count(CounterType.REFUSALS);
        detached = count(CounterType.DETACHED);
        deviceErrors = count(CounterType.DEVICE_ERRORS);
        maxCycleNs = count(CounterType.MAX_CYCLE_NS);
        maxCycleCpuNs = count(CounterType.MAX_CYCLE_CPU_NS);
        longCycles = count(CounterType.LONG_CYCLES);
        addressesLeftOut = count(CounterType.ADDRESSES_LEFT_OUT);
        shareRefusals = count(CounterType.SHARE_REFUSALS);
        memory = count(CounterType.MEMORY);
        unrouted = count(CounterType.UNROUTED);
        introduced = count(CounterType.INTRODUCED);
        notIntroduced = count(CounterType.NOT_INTRODUCED);
        policyReloads = count(CounterType.POLICY_RELOADS);
        policyFailures = count(CounterType.POLICY_FAILURES);
        retries = count(CounterType.RETRIES);
        deviceResets = count(CounterType.DEVICE_RESETS);
        lostInterrupts = count(CounterType.LOST_INTERRUPTS);
        emulated = count(CounterType.EMULATED);
        notAdmitted = count(CounterType.NOT_ADMITTED);
        closing = count(CounterType.CLOSING);
        for (int i = 0; i < devices.size(); i++) {
            share(CounterType.DEVICE_COMMANDS, i);
            share(CounterType.DEVICE_BYTES, i);
            share(CounterType.DEVICE_INTERRUPTS, i);
            share(CounterType.DEVICE_OUT_OF_SERVICE, i);
        }
    }

    private void share(CounterType type, int device) {
        String label = type.label() + " of device " + devices.get(device).name();
        Count count = new Count(manager.newCounter(label, type.id(), key -> key.putInt(0, device)));
        counts.add(count);
        shares.add(count);
    }

    private Count count(CounterType type) {
        Count count = new Count(manager.newCounter(type.label(), type.id()));
        counts.add(count);
        return count;
    }

    /**
     * Begins to count the rules of the policy. Called once.
     *
     * @param name of the policy, for the label
     * @return the count
     */
    public Count policy(String name) {
        Count count = new Count(
                manager.newCounter(CounterType.POLICY_RULES.label() + ": " + name, CounterType.POLICY_RULES.id()));
        counts.add(count);
        return count;
    }

    /**
     * Sets the number of attached processes.
     *
     * @param now 0 or more
     */
    public void processes(int now) {
        processes.set(now);
    }

    /**
     * Sets the number of connections.
     *
     * @param now 0 or more
     */
    public void connections(int now) {
        connections.set(now);
    }

    /** Copies the devices' own counts. */
    public void takeOver() {
        deviceErrors.add(sum(DeviceHealth.Event.ERROR) - errorsOfDevices);
        errorsOfDevices = sum(DeviceHealth.Event.ERROR);
        retries.set(sum(DeviceHealth.Event.RETRY));
        deviceResets.set(sum(DeviceHealth.Event.RESET));
        lostInterrupts.set(sum(DeviceHealth.Event.LOST_INTERRUPT));
        emulated.set(sum(DeviceHealth.Event.EMULATED));
        int share = 0;
        for (int i = 0; i < devices.size(); i++) {
            DeviceHealth health = devices.get(i);
            shares.get(share++).set(health.get(DeviceHealth.Event.COMMAND));
            shares.get(share++).set(health.get(DeviceHealth.Event.BYTE));
            shares.get(share++).set(health.interrupts());
            shares.get(share++).set(health.get(DeviceHealth.Event.OUT_OF_SERVICE));
        }
    }

    private long sum(DeviceHealth.Event event) {
        long sum = 0;
        for (int i = 0; i < devices.size(); i++) {
            sum += devices.get(i).get(event);
        }
        return sum;
    }

    /** A counter of one process, whose key is the number of its attachment. */
    AtomicCounter allocate(CounterType type, int cid, String owner) {
        return manager.newCounter(type.label() + " of " + owner, type.id(), key -> key.putInt(0, cid));
    }

    /** Publishes the counts. */
    public void publish() {
        for (int i = 0; i < counts.size(); i++) {
            counts.get(i).publish();
        }
    }

    /**
     * The memory that observers map.
     *
     * @return owned by this
     */
    public SharedRegion region() {
        return region;
    }

    /**
     * The size of the first part of {@link #region}, which describes the counters.
     *
     * @return in bytes
     */
    public int metadataLength() {
        return metadataLength;
    }

    @Override
    public void close() {
        region.close();
    }
}
