// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceProvider;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.device.cuda.CudaProvider;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.emulator.EmulatorProvider;
import io.pipedevice.driver.control.Admission;
import io.pipedevice.driver.control.ControlPlane;
import io.pipedevice.driver.control.SessionSettings;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.UserRule;
import io.pipedevice.driver.policy.file.PolicyException;
import io.pipedevice.driver.policy.file.PolicySource;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.memory.RingBufferPool;
import io.pipedevice.property.EnumWords;
import io.pipedevice.property.SystemProperty;
import io.pipedevice.queue.CommandDescriptor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Configuration of a driver. Every option has a property, a default and a setter. A setter checks the range of its option;
 * {@link PipeDeviceDriver#launch} concludes the context once. Not thread safe.
 */
public final class DriverContext {
    /** Where the engine runs. */
    public enum Threading {
        /** On the driver's thread. */
        SHARED,

        /** On a thread of its own, for machines with cores to spare. */
        SEPARATE
    }

    /** Which processes may connect to each other. */
    public enum Policy {
        /** Processes of the same effective user. */
        SAME_USER,

        /** All processes. */
        ANY
    }

    /** Property of {@link #devices}. */
    public static final String DEVICE_PROP_NAME = "pipedevice.driver.device";

    /** Property of {@link #threading}. */
    public static final String THREADING_PROP_NAME = "pipedevice.driver.threading";

    /** Property of {@link #policy}. */
    public static final String POLICY_PROP_NAME = "pipedevice.driver.policy";

    /** Property of {@link #path}. */
    public static final String PATH_PROP_NAME = "pipedevice.driver.path";

    /** Property of {@link #maxProcesses}. */
    public static final String MAX_PROCESSES_PROP_NAME = "pipedevice.driver.max.processes";

    /** Property of {@link #maxSockets}. */
    public static final String MAX_SOCKETS_PROP_NAME = "pipedevice.driver.max.sockets";

    /** Property of {@link #maxMemory}. */
    public static final String MAX_MEMORY_PROP_NAME = "pipedevice.driver.max.memory";

    /** Property of {@link #totalMemory}. */
    public static final String TOTAL_MEMORY_PROP_NAME = "pipedevice.driver.total.memory";

    /** Property of {@link #rate}. */
    public static final String RATE_PROP_NAME = "pipedevice.driver.rate";

    /** Property of {@link #lanes}. */
    public static final String LANES_PROP_NAME = "pipedevice.driver.lanes";

    /** Property of {@link #maxTransfer}. */
    public static final String MAX_TRANSFER_PROP_NAME = "pipedevice.driver.max.transfer";

    /** Property of {@link #queueDepth}. */
    public static final String QUEUE_DEPTH_PROP_NAME = "pipedevice.driver.queue.depth";

    /** Property of {@link #hugePages}. */
    public static final String HUGE_PAGES_PROP_NAME = "pipedevice.driver.huge.pages";

    /** Property of {@link #spinNs}. */
    public static final String SPIN_PROP_NAME = "pipedevice.driver.spin";

    /** Property of {@link #lingerNs}. */
    public static final String LINGER_PROP_NAME = "pipedevice.driver.linger";

    /** Property of {@link #deviceTimeoutNs}. */
    public static final String DEVICE_TIMEOUT_PROP_NAME = "pipedevice.driver.device.timeout";

    /** Property that names the file of CUDA's driver library, for devices {@code cuda:}. */
    public static final String CUDA_LIBRARY_PROP_NAME = CudaProvider.LIBRARY_PROP_NAME;

    /** Enough for a region of rings, and the pages. */
    private static final long MIN_MEMORY = 2 * RingBufferPool.MIN_REGION;

    private Path directory;
    private Device device;
    private String deviceNames;
    private Threading threading;
    private Policy policy;
    private Path policyFile;
    /** Null if it is not set, which means direct, or that the rules of the policy's file say it. */
    private DataPath path;

    private int maxProcesses;
    private int maxSockets;
    private long maxMemory;
    private long totalMemory;
    private long rate;
    private int lanes;
    private int maxTransfer;
    private int queueDepth;
    private boolean hugePages;
    private long spinNs;
    private long lingerNs;
    private long deviceTimeoutNs;
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
        deviceNames = System.getProperty(DEVICE_PROP_NAME, EmulatorProvider.NAME);
        threading = DriverProperty.choice(THREADING_PROP_NAME, Threading.SHARED, Threading.class);
        policy(System.getProperty(POLICY_PROP_NAME, "same-user"));
        path = DriverProperty.choice(PATH_PROP_NAME, null, DataPath.class);
        maxProcesses = (int) DriverProperty.size(MAX_PROCESSES_PROP_NAME, 1024, 1, 65535);
        maxSockets = (int) DriverProperty.size(MAX_SOCKETS_PROP_NAME, 65535, 1, 65535);
        maxMemory = DriverProperty.size(MAX_MEMORY_PROP_NAME, 1L << 30, MIN_MEMORY, 1L << 46);
        totalMemory = DriverProperty.size(TOTAL_MEMORY_PROP_NAME, HostMemory.half(), MIN_MEMORY, 1L << 46);
        rate = DriverProperty.size(RATE_PROP_NAME, 0, 0, 1L << 46);
        lanes = (int) DriverProperty.size(
                LANES_PROP_NAME, Math.min(4, Runtime.getRuntime().availableProcessors()), 1, 256);
        maxTransfer = (int) DriverProperty.size(MAX_TRANSFER_PROP_NAME, 64 << 10, 4 << 10, 1 << 20);
        queueDepth = (int) DriverProperty.size(QUEUE_DEPTH_PROP_NAME, 1024, 2, 65536);
        hugePages = DriverProperty.flag(HUGE_PAGES_PROP_NAME, true);
        spinNs = DriverProperty.duration(SPIN_PROP_NAME, defaultSpinNs(), TimeUnit.SECONDS.toNanos(10));
        lingerNs = DriverProperty.duration(LINGER_PROP_NAME, TimeUnit.SECONDS.toNanos(60), TimeUnit.HOURS.toNanos(24));
        deviceTimeoutNs = DriverProperty.duration(
                DEVICE_TIMEOUT_PROP_NAME, TimeUnit.SECONDS.toNanos(1), TimeUnit.HOURS.toNanos(1));
    }

    private static long defaultSpinNs() {
        // About twice the cost of a wake-up: within it a process takes a long message out, and answers. With one
        // processor
        // no work can arrive while the driver spins.
        return Runtime.getRuntime().availableProcessors() == 1 ? 0 : TimeUnit.MICROSECONDS.toNanos(100);
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
     * The device. By default a {@link DmaEmulator} made of {@link #lanes}, {@link #maxTransfer} and {@link #queueDepth}.
     *
     * @param device the driver closes it
     * @return this
     */
    public DriverContext device(Device device) {
        this.device = device;
        return this;
    }

    /**
     * Names of the devices to create if none is given, separated by commas. {@code emulator} is the default;
     * {@code vfio:0000:00:03.0} is the PCI function at that address, an FPGA of docs/pd-stack.md; {@code cuda:0} is the
     * first NVIDIA GPU, and {@code cuda:0/engines} its copy engines. A {@link DeviceProvider} on the class path may have
     * further names. Connections are spread over several devices.
     *
     * @param names of the devices; checked when the driver is launched
     * @return this
     */
    public DriverContext devices(String names) {
        this.deviceNames = names;
        return this;
    }

    /**
     * Where the engine runs, by default on the driver's thread.
     *
     * @param threading shared or separate
     * @return this
     */
    public DriverContext threading(Threading threading) {
        this.threading = threading;
        return this;
    }

    /**
     * Which processes may connect to each other, by default those of the same user.
     *
     * @param policy the rule
     * @return this
     */
    public DriverContext policy(Policy policy) {
        this.policy = policy;
        this.policyFile = null;
        return this;
    }

    /**
     * How the data of connections go between programs of java.nio, by default directly. Those of PD Lib go through the
     * device.
     *
     * @param path of all connections that the policy permits
     * @return this
     */
    public DriverContext path(DataPath path) {
        this.path = path;
        return this;
    }

    /**
     * Which processes may connect to each other, by a file of rules (docs/policy.md). The driver reads it when it is
     * launched, and again when it changes.
     *
     * @param file of the policy
     * @return this
     */
    public DriverContext policy(Path file) {
        this.policyFile = file;
        return this;
    }

    /**
     * Which processes may connect to each other, as users write it.
     *
     * @param text {@code same-user} or {@code any}; or a file of rules: what exists as one, or has a slash or a dot
     * @return this
     */
    public final DriverContext policy(String text) {
        Policy word = EnumWords.parse(Policy.class, text);
        if (word != null) {
            return policy(word);
        }
        if (text.indexOf('/') < 0 && text.indexOf('.') < 0 && !Files.exists(Path.of(text))) {
            throw SystemProperty.refused(
                    POLICY_PROP_NAME, text, String.join(", ", EnumWords.of(Policy.class)) + ", or a file of rules");
        }
        return policy(Path.of(text));
    }

    /**
     * Most attached processes at a time. The driver allocates 3 KB for the counters of each in advance.
     *
     * @param maxProcesses 1 to 65535
     * @return this
     */
    public DriverContext maxProcesses(int maxProcesses) {
        this.maxProcesses = (int) DriverProperty.inRange(MAX_PROCESSES_PROP_NAME, maxProcesses, 1, 65535);
        return this;
    }

    /**
     * Most sockets of a process at a time.
     *
     * @param maxSockets 1 to 65535
     * @return this
     */
    public DriverContext maxSockets(int maxSockets) {
        this.maxSockets = (int) DriverProperty.inRange(MAX_SOCKETS_PROP_NAME, maxSockets, 1, 65535);
        return this;
    }

    /**
     * Most memory of a process: of its lib page and send rings, and of its driver page and receive rings.
     *
     * @param maxMemory in bytes, at least 4 MB
     * @return this
     */
    public DriverContext maxMemory(long maxMemory) {
        this.maxMemory = DriverProperty.inRange(MAX_MEMORY_PROP_NAME, maxMemory, MIN_MEMORY, 1L << 46);
        return this;
    }

    /**
     * Most memory that the driver allocates for all processes together, by default half of the memory that is
     * available to this process. No user and no network namespace gets all of it: a part is reserved for others.
     *
     * @param totalMemory in bytes, at least 4 MB
     * @return this
     */
    public DriverContext totalMemory(long totalMemory) {
        this.totalMemory = DriverProperty.inRange(TOTAL_MEMORY_PROP_NAME, totalMemory, MIN_MEMORY, 1L << 46);
        return this;
    }

    /**
     * Most bytes per second that a process may send.
     *
     * @param rate in bytes per second; 0 for no limit
     * @return this
     */
    public DriverContext rate(long rate) {
        this.rate = DriverProperty.inRange(RATE_PROP_NAME, rate, 0, 1L << 46);
        return this;
    }

    /**
     * Lanes of the emulator, and of the model.
     *
     * @param lanes 1 to 256
     * @return this
     */
    public DriverContext lanes(int lanes) {
        this.lanes = (int) DriverProperty.inRange(LANES_PROP_NAME, lanes, 1, 256);
        return this;
    }

    /**
     * Longest copy per command of the emulator, and of the model.
     *
     * @param maxTransfer in bytes, 4 KB to 1 MB
     * @return this
     */
    public DriverContext maxTransfer(int maxTransfer) {
        this.maxTransfer = (int) DriverProperty.inRange(MAX_TRANSFER_PROP_NAME, maxTransfer, 4 << 10, 1 << 20);
        return this;
    }

    /**
     * Depth of the emulator's queues.
     *
     * @param queueDepth in entries, a power of two from 2 to 65536
     * @return this
     */
    public DriverContext queueDepth(int queueDepth) {
        this.queueDepth = (int) DriverProperty.inRange(QUEUE_DEPTH_PROP_NAME, queueDepth, 2, 65536);
        return this;
    }

    /**
     * Whether receive rings try 2 MB pages first.
     *
     * @param hugePages true by default
     * @return this
     */
    public DriverContext hugePages(boolean hugePages) {
        this.hugePages = hugePages;
        return this;
    }

    /**
     * How long an idle driver looks for work before it sleeps.
     *
     * @param spinNs in nanoseconds, 0 to sleep at once
     * @return this
     */
    public DriverContext spinNs(long spinNs) {
        this.spinNs = DriverProperty.durationInRange(SPIN_PROP_NAME, spinNs, TimeUnit.SECONDS.toNanos(10));
        return this;
    }

    /**
     * How long the driver keeps the data of a process that has ended, for a peer that does not read.
     *
     * @param lingerNs in nanoseconds
     * @return this
     */
    public DriverContext lingerNs(long lingerNs) {
        this.lingerNs = DriverProperty.durationInRange(LINGER_PROP_NAME, lingerNs, TimeUnit.HOURS.toNanos(24));
        return this;
    }

    /**
     * How long the device may complete nothing, or not complete one command, before it is reset.
     *
     * @param deviceTimeoutNs in nanoseconds, more than any command takes
     * @return this
     */
    public DriverContext deviceTimeoutNs(long deviceTimeoutNs) {
        this.deviceTimeoutNs =
                DriverProperty.durationInRange(DEVICE_TIMEOUT_PROP_NAME, deviceTimeoutNs, TimeUnit.HOURS.toNanos(1));
        return this;
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
        return threading;
    }

    /** The policy; reads its file. */
    PolicySource readPolicy() {
        if (policyFile != null && path != null) {
            throw new IllegalArgumentException(
                    PATH_PROP_NAME + " (--path) = " + path.name().toLowerCase(Locale.ROOT)
                            + " has no effect beside a policy's file, whose rules say the path: leave it out, or write it in "
                            + policyFile);
        }
        try {
            return policyFile == null
                    ? PolicySource.fixed(words(), new UserRule(policy == Policy.ANY, pathOfAll()))
                    : PolicySource.of(policyFile);
        } catch (PolicyException e) {
            throw new IllegalArgumentException(POLICY_PROP_NAME + ": " + e.getMessage(), e);
        }
    }

    /** The policy and the path, as {@link DriverPolicy} reads them. */
    private String words() {
        return (policy == Policy.ANY ? "any " : "same-user ") + (pathOfAll() == DataPath.DIRECT ? "direct" : "device");
    }

    private DataPath pathOfAll() {
        return path == null ? DataPath.DIRECT : path;
    }

    int maxProcesses() {
        return maxProcesses;
    }

    /** The settings of all attachments. */
    SessionSettings sessions() {
        return new SessionSettings(
                maxProcesses,
                totalMemory,
                new ProcessLimits(maxSockets, maxMemory, maxMemory, rate, descriptorShare),
                hugePages,
                lingerNs,
                normalLevel());
    }

    boolean hugePages() {
        return hugePages;
    }

    long spinNs() {
        return spinNs;
    }

    long deviceTimeoutNs() {
        return deviceTimeoutNs;
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
        if (Integer.bitCount(queueDepth) != 1) {
            throw SystemProperty.refused(QUEUE_DEPTH_PROP_NAME, queueDepth, "powers of two from 2 to 64k");
        }
        if (device == null) {
            // A guarded device is reset before the driver's own timeout, so that no connection fails.
            device = new DeviceMaker(new DeviceSettings(lanes, maxTransfer, queueDepth, deviceTimeoutNs / 2))
                    .make(deviceNames);
        }
        return device;
    }

    @Override
    public String toString() {
        return "directory=" + directory + ", devices=" + deviceNames + ", threading=" + threading + ", policy="
                + (policyFile == null ? policy : policyFile) + ", path=" + path + ", maxProcesses="
                + maxProcesses + ", maxSockets=" + maxSockets + ", maxMemory=" + maxMemory + ", totalMemory="
                + totalMemory
                + ", rate=" + rate
                + ", lanes=" + lanes + ", maxTransfer=" + maxTransfer + ", queueDepth=" + queueDepth + ", hugePages="
                + hugePages + ", spinNs=" + spinNs + ", lingerNs=" + lingerNs
                + ", deviceTimeoutNs=" + deviceTimeoutNs;
    }
}
