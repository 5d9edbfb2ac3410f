// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.driver.control.Admission;
import io.pipedevice.driver.control.ControlPlane;
import io.pipedevice.driver.control.SessionSettings;
import io.pipedevice.driver.extension.DriverExtension;
import io.pipedevice.driver.extension.DriverParts;
import io.pipedevice.driver.function.ActiveExtension;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.file.PolicyException;
import io.pipedevice.driver.policy.file.PolicySource;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.queue.CommandDescriptor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Configuration of a driver. Every {@link DriverOption} begins with the value of its property, or with its default, and
 * has a setter here. A value out of range throws an {@link IllegalArgumentException} that names the property and the
 * allowed values. {@link PipeDeviceDriver#launch} concludes the context once. Not thread safe.
 */
public final class DriverContext {
    private final Map<DriverOption, Object> values = new EnumMap<>(DriverOption.class);
    private Path directory;
    private Device device;
    private int descriptorShare;
    private int maxConnections = CommandDescriptor.MAX_ID;
    private int maxControls = ControlPlane.MAX_SESSIONS;
    private boolean guarded = true;
    private boolean concluded;

    /**
     * Reads the properties.
     *
     * @throws IllegalArgumentException if one is out of range; the message names it and the allowed values
     */
    public DriverContext() {
        for (DriverOption option : DriverOption.values()) {
            values.put(option, option.configured());
        }
    }

    /**
     * Sets an option to a value as users write it, as the command line does.
     *
     * @param option any of them
     * @param text as its property takes it
     * @return this
     * @throws IllegalArgumentException if it is not allowed; the message names the property and the allowed values
     */
    public DriverContext set(DriverOption option, String text) {
        values.put(option, option.parse(text));
        return this;
    }

    private DriverContext put(DriverOption option, Object value) {
        values.put(option, option.checked(value));
        return this;
    }

    private DriverContext number(DriverOption option, long value) {
        return put(option, value);
    }

    private long number(DriverOption option) {
        return (long) values.get(option);
    }

    /**
     * The directory of a driver process, for its socket and its lock. By default there is none, and the driver can be
     * reached from its own process only.
     *
     * @param directory created if it is missing
     * @return this
     */
    public DriverContext directory(Path directory) {
        this.directory = directory;
        return this;
    }

    /**
     * The device. By default the driver creates those that {@link #devices} names.
     *
     * @param device the driver closes it
     * @return this
     */
    public DriverContext device(Device device) {
        this.device = device;
        return this;
    }

    /**
     * Sets {@link DriverOption#DEVICE}.
     *
     * @param names names of devices, separated by commas; checked when the driver is launched
     * @return this
     */
    public DriverContext devices(String names) {
        return set(DriverOption.DEVICE, names);
    }

    /**
     * Sets {@link DriverOption#THREADING}.
     *
     * @param threading shared or separate
     * @return this
     */
    public DriverContext threading(Threading threading) {
        return put(DriverOption.THREADING, threading);
    }

    /**
     * Sets {@link DriverOption#POLICY}.
     *
     * @param policy the rule
     * @return this
     */
    public DriverContext policy(UserPolicy policy) {
        return put(DriverOption.POLICY, policy);
    }

    /**
     * Sets {@link DriverOption#POLICY}.
     *
     * @param file a file of rules, read when the driver is launched, and again when it changes
     * @return this
     */
    public DriverContext policy(Path file) {
        return put(DriverOption.POLICY, file);
    }

    /**
     * Sets {@link DriverOption#PATH}.
     *
     * @param path of all connections that the policy permits
     * @return this
     */
    public DriverContext path(DataPath path) {
        return put(DriverOption.PATH, path);
    }

    /**
     * Sets {@link DriverOption#MAX_PROCESSES}.
     *
     * @param maxProcesses at a time
     * @return this
     */
    public DriverContext maxProcesses(int maxProcesses) {
        return number(DriverOption.MAX_PROCESSES, maxProcesses);
    }

    /**
     * Sets {@link DriverOption#MAX_SOCKETS}.
     *
     * @param maxSockets of a process at a time
     * @return this
     */
    public DriverContext maxSockets(int maxSockets) {
        return number(DriverOption.MAX_SOCKETS, maxSockets);
    }

    /**
     * Sets {@link DriverOption#MAX_MEMORY}.
     *
     * @param maxMemory in bytes
     * @return this
     */
    public DriverContext maxMemory(long maxMemory) {
        return number(DriverOption.MAX_MEMORY, maxMemory);
    }

    /**
     * Sets {@link DriverOption#TOTAL_MEMORY}.
     *
     * @param totalMemory in bytes
     * @return this
     */
    public DriverContext totalMemory(long totalMemory) {
        return number(DriverOption.TOTAL_MEMORY, totalMemory);
    }

    /**
     * Sets {@link DriverOption#RATE}.
     *
     * @param rate in bytes per second; 0 for no limit
     * @return this
     */
    public DriverContext rate(long rate) {
        return number(DriverOption.RATE, rate);
    }

    /**
     * Sets {@link DriverOption#LANES}.
     *
     * @param lanes of the device
     * @return this
     */
    public DriverContext lanes(int lanes) {
        return number(DriverOption.LANES, lanes);
    }

    /**
     * Sets {@link DriverOption#MAX_TRANSFER}.
     *
     * @param maxTransfer in bytes
     * @return this
     */
    public DriverContext maxTransfer(int maxTransfer) {
        return number(DriverOption.MAX_TRANSFER, maxTransfer);
    }

    /**
     * Sets {@link DriverOption#QUEUE_DEPTH}.
     *
     * @param queueDepth in entries
     * @return this
     */
    public DriverContext queueDepth(int queueDepth) {
        return number(DriverOption.QUEUE_DEPTH, queueDepth);
    }

    /**
     * Sets {@link DriverOption#HUGE_PAGES}.
     *
     * @param hugePages false for normal pages
     * @return this
     */
    public DriverContext hugePages(boolean hugePages) {
        return put(DriverOption.HUGE_PAGES, hugePages);
    }

    /**
     * Sets {@link DriverOption#REGIONS}.
     *
     * @param regions false for sockets alone
     * @return this
     */
    public DriverContext regions(boolean regions) {
        return put(DriverOption.REGIONS, regions);
    }

    /**
     * Sets {@link DriverOption#SPIN}.
     *
     * @param spinNs in nanoseconds, 0 to sleep at once
     * @return this
     */
    public DriverContext spinNs(long spinNs) {
        return number(DriverOption.SPIN, spinNs);
    }

    /**
     * Sets {@link DriverOption#LINGER}.
     *
     * @param lingerNs in nanoseconds
     * @return this
     */
    public DriverContext lingerNs(long lingerNs) {
        return number(DriverOption.LINGER, lingerNs);
    }

    /**
     * Sets {@link DriverOption#DEVICE_TIMEOUT}.
     *
     * @param deviceTimeoutNs in nanoseconds
     * @return this
     */
    public DriverContext deviceTimeoutNs(long deviceTimeoutNs) {
        return number(DriverOption.DEVICE_TIMEOUT, deviceTimeoutNs);
    }

    /** Whether the kernel refuses descriptors of connections that are not admitted, if it can. */
    DriverContext guarded(boolean guarded) {
        this.guarded = guarded;
        return this;
    }

    boolean guarded() {
        return guarded;
    }

    /** Most descriptors that the driver opens for an attached process; by default a share of its own limit. */
    DriverContext descriptorShare(int descriptors) {
        this.descriptorShare = descriptors;
        return this;
    }

    /** Most control connections of the driver. */
    DriverContext maxControls(int controls) {
        this.maxControls = controls;
        return this;
    }

    int maxControls() {
        return maxControls;
    }

    /** Most connections of the driver; by default the number of ids. */
    DriverContext maxConnections(int connections) {
        this.maxConnections = connections;
        return this;
    }

    int maxConnections() {
        return maxConnections;
    }

    /**
     * Log level of normal events. It is lower for a driver inside a program, so that the driver does not fill the
     * program's log.
     */
    Level normalLevel() {
        return directory == null ? Level.DEBUG : Level.INFO;
    }

    Path directory() {
        return directory;
    }

    Threading threading() {
        return (Threading) values.get(DriverOption.THREADING);
    }

    /** The policy; reads its file. */
    PolicySource readPolicy() {
        DataPath path = (DataPath) values.get(DriverOption.PATH);
        if (!(values.get(DriverOption.POLICY) instanceof Path file)) {
            return DriverPolicy.fixed(
                    (UserPolicy) values.get(DriverOption.POLICY), path == null ? DataPath.DIRECT : path);
        }
        if (path != null) {
            throw new IllegalArgumentException(
                    DriverOption.PATH.property() + " (" + DriverOption.PATH.commandLineName() + ") = "
                            + path.name().toLowerCase(Locale.ROOT)
                            + " has no effect beside a policy's file, whose rules say the path: leave it out, or write it in "
                            + file);
        }
        try {
            return PolicySource.of(file);
        } catch (PolicyException e) {
            throw new IllegalArgumentException(DriverOption.POLICY.property() + ": " + e.getMessage(), e);
        }
    }

    int maxProcesses() {
        return (int) number(DriverOption.MAX_PROCESSES);
    }

    /** The settings of all attachments. */
    SessionSettings sessions() {
        long memory = number(DriverOption.MAX_MEMORY);
        int sockets = (int) number(DriverOption.MAX_SOCKETS);
        return new SessionSettings(
                maxProcesses(),
                number(DriverOption.TOTAL_MEMORY),
                new ProcessLimits(sockets, memory, memory, number(DriverOption.RATE), descriptorShare),
                hugePages(),
                number(DriverOption.LINGER),
                normalLevel());
    }

    boolean hugePages() {
        return (boolean) values.get(DriverOption.HUGE_PAGES);
    }

    /** Makes what the driver serves beside sockets. */
    DriverExtension extension(DriverParts parts) {
        if ((boolean) values.get(DriverOption.REGIONS)) {
            return new ActiveExtension(parts);
        }
        return ActiveExtension.off(
                "this driver serves neither regions nor functions: " + DriverOption.REGIONS.property() + " is false");
    }

    long spinNs() {
        return number(DriverOption.SPIN);
    }

    long deviceTimeoutNs() {
        return number(DriverOption.DEVICE_TIMEOUT);
    }

    /** The device, created now if none was given. May be called once. */
    Device conclude() throws IOException {
        if (concluded) {
            throw new IllegalStateException("a context serves one driver");
        }
        concluded = true;
        if (descriptorShare == 0) {
            descriptorShare = Admission.descriptorShare(ProcessFacts.openFilesLimit(0));
        }
        if (device == null) {
            DeviceSettings settings = new DeviceSettings(
                    (int) number(DriverOption.LANES),
                    (int) number(DriverOption.MAX_TRANSFER),
                    (int) number(DriverOption.QUEUE_DEPTH),
                    // A guarded device is reset before the driver's own timeout, so that no connection fails.
                    deviceTimeoutNs() / 2);
            device = new DeviceMaker(settings).make((String) values.get(DriverOption.DEVICE));
        }
        return device;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("directory=").append(directory);
        values.forEach((option, value) ->
                text.append(", ").append(option.key()).append('=').append(option.text(value)));
        return text.toString();
    }
}
