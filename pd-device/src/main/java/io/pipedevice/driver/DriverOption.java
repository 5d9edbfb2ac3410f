// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.emulator.EmulatorProvider;
import io.pipedevice.driver.OptionValues.AnyText;
import io.pipedevice.driver.OptionValues.Flags;
import io.pipedevice.driver.OptionValues.Numbers;
import io.pipedevice.driver.OptionValues.PowersOfTwo;
import io.pipedevice.driver.OptionValues.Times;
import io.pipedevice.driver.OptionValues.Words;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.memory.RingBufferPool;
import io.pipedevice.property.EnumWords;
import io.pipedevice.property.SystemProperty;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The options of a driver. {@code MAX_MEMORY} is the system property {@code pipedevice.driver.max.memory} and the
 * option {@code --max-memory} of the command line. {@code DriverContext} reads the properties, and has a setter for
 * each option.
 *
 * <p>A new option is a constant here, a setter there, a row of the table in docs/driver.md, and a name in
 * {@link io.pipedevice.property.KnownProperties}, which programs read that have no driver on their class path. Tests
 * compare the four.
 */
@SuppressWarnings("ImmutableEnumChecker") // the values are records of immutable things, the defaults have no state
public enum DriverOption {
    /**
     * Names of the devices that the driver creates, separated by commas: {@code vfio:0000:00:03.0} is the PCI function
     * at that address, an FPGA of docs/pd-stack.md; {@code cuda:0} is the first NVIDIA GPU, and {@code cuda:0/engines}
     * its copy engines. A {@link io.pipedevice.device.DeviceProvider} on the class path may have further names. They
     * are checked when the driver is launched. Connections are spread over several devices.
     */
    DEVICE(
            "DEVICE",
            new AnyText("emulator, vfio:ADDRESS, cuda:NUMBER, cuda:NUMBER/engines, several by commas"),
            EmulatorProvider.NAME,
            "The device that copies: the driver's processor, a PCI function, a GPU, or a GPU's copy engines; several share"
                    + " the connections"),

    /** Where the engine of an emulator runs that is the only device. */
    THREADING(
            "shared|separate",
            new Words<>(Threading.class),
            "shared",
            "Whether an emulator that is the only device runs on the driver's thread or on one of its own"),

    /**
     * Which processes may connect to each other: a {@link UserPolicy}, or a file of rules (docs/policy.md), which the
     * driver reads when it is launched, and again when it changes. A file is what exists as one, or has a slash or a
     * dot.
     */
    POLICY(
            "same-user|any|FILE",
            new PolicyOrFile(),
            "same-user",
            "Which programs may connect to each other: those of one user, any, or as a file of rules says"
                    + " (docs/policy.md)"),

    /**
     * How the data of connections go between programs of java.nio. Those of PD Lib go through the device. The value is
     * null if it is not set: it is then direct, or what the rules of the policy's file say.
     */
    PATH(
            "direct|device",
            new Words<>(DataPath.class),
            "direct",
            () -> null,
            "How data go between programs of java.nio: each reads the other one's rings, or the device copies"),

    /** Most attached processes at a time. The driver allocates 3 KB for the counters of each in advance. */
    MAX_PROCESSES("N", new Numbers(1, 65535), "1024", "Largest number of attached processes at a time"),

    /** Most sockets of a process at a time. */
    MAX_SOCKETS("N", new Numbers(1, 65535), "65535", "Largest number of sockets of a process"),

    /**
     * Most memory of a process in bytes: of its lib page and send rings, and of its driver page and receive rings. The
     * least is enough for a region of rings, and the pages.
     */
    MAX_MEMORY(
            "BYTES",
            new Numbers(2 * RingBufferPool.MIN_REGION, 1L << 46),
            "1g",
            "Largest memory of a process's send rings, and of its receive rings"),

    /**
     * Most memory in bytes that the driver allocates for all processes together. No user and no network namespace gets
     * all of it: a part is reserved for others.
     */
    TOTAL_MEMORY(
            "BYTES",
            new Numbers(2 * RingBufferPool.MIN_REGION, 1L << 46),
            "half of the machine's, or of the control group's",
            MachineDefaults::memory,
            "Largest memory of the receive rings of all processes"),

    /** Most bytes per second that a process may send; 0 for no limit. */
    RATE("BYTES", new Numbers(0, 1L << 46), "0", "Bytes per second that a process may send; 0: no limit"),

    /** Lanes of the emulator, of the model and of a GPU. */
    LANES(
            "N",
            new Numbers(1, 256),
            "4; fewer if there are fewer processors",
            MachineDefaults::lanes,
            "Lanes of the emulator, of the model and of a GPU"),

    /** Longest copy of one command of the emulator, of the model and of a GPU, in bytes. */
    MAX_TRANSFER("BYTES", new Numbers(4 << 10, 1 << 20), "64k", "Longest copy of one command"),

    /** Commands of a lane of the emulator and of a GPU. */
    QUEUE_DEPTH(null, new PowersOfTwo(new Numbers(2, 65536)), "1024", "Commands of a lane of the device"),

    /** Whether receive rings try 2 MB pages first. */
    HUGE_PAGES(null, new Flags(), "true", "Whether receive rings try 2 MB pages first"),

    /** Whether processes may register regions and functions, and operate on them: the paper's sockets need neither. */
    REGIONS(
            "true|false",
            new Flags(),
            "true",
            "Whether the driver serves regions and functions (docs/regions.md, docs/functions.md), beside sockets"),

    /** How long an idle driver looks for work before it sleeps; 0 to sleep at once. */
    SPIN(
            null,
            new Times(10),
            "100us; 0 on one processor",
            MachineDefaults::spinNs,
            "How long the driver spins before it sleeps"),

    /** How long the driver keeps the data of a process that has ended, for a peer that does not read. */
    LINGER(null, new Times(86_400), "60s", "How long data are kept for a peer that does not read"),

    /**
     * How long the device may complete nothing, or not complete one command, before it is reset: more than any command
     * takes.
     */
    DEVICE_TIMEOUT(null, new Times(3600), "1s", "How long a device may complete nothing");

    private static final String PREFIX = "pipedevice.driver.";

    private final String parameter;
    private final OptionValues values;
    private final String defaultText;

    /** Null if the default is {@link #defaultText} on every machine. */
    private final Supplier<Object> defaultValue;

    private final String description;

    DriverOption(String parameter, OptionValues values, String defaultText, String description) {
        this(parameter, values, defaultText, null, description);
    }

    DriverOption(
            String parameter,
            OptionValues values,
            String defaultText,
            Supplier<Object> defaultValue,
            String description) {
        this.parameter = parameter;
        this.values = values;
        this.defaultText = defaultText;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    /**
     * The name of its system property.
     *
     * @return such as {@code pipedevice.driver.max.memory}
     */
    public String property() {
        return PREFIX + key();
    }

    /** The part of {@link #property} that the options do not have in common. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /**
     * The name of its option of the command line.
     *
     * @return such as {@code --max-memory}; null if it has only the property
     */
    public String commandLineName() {
        return parameter == null ? null : "--" + key().replace('.', '-');
    }

    /**
     * What a usage shows for the value.
     *
     * @return a word in upper case, or the allowed words; null without a {@link #commandLineName}
     */
    public String parameter() {
        return parameter;
    }

    /**
     * What the option is for.
     *
     * @return a sentence without its full stop
     */
    public String description() {
        return description;
    }

    /**
     * The default, for people.
     *
     * @return a value, or how it depends on the machine
     */
    public String defaultText() {
        return defaultText;
    }

    /**
     * The allowed values, for people.
     *
     * @return a range or a list
     */
    public String allowed() {
        return values.allowed();
    }

    /**
     * The allowed values, if they are a few words.
     *
     * @return may be empty
     */
    public List<String> words() {
        return values.words();
    }

    /** The value of the property, or the default. One that depends on the machine is valid even outside the range. */
    Object configured() {
        String text = System.getProperty(property());
        if (text != null) {
            return parse(text);
        }
        return defaultValue == null ? parse(defaultText) : defaultValue.get();
    }

    /**
     * Reads a value as users write it.
     *
     * @throws IllegalArgumentException if it is not allowed; the message names the property and the allowed values
     */
    Object parse(String text) {
        Object value;
        try {
            value = values.parse(text);
        } catch (NumberFormatException e) {
            throw SystemProperty.refused(property(), text, allowed(), e);
        }
        if (value == null) {
            throw SystemProperty.refused(property(), text, allowed());
        }
        return checked(value);
    }

    /** Returns a value, of the option's type, if it is allowed; throws as {@link #parse}. */
    Object checked(Object value) {
        if (!values.include(value)) {
            throw SystemProperty.refused(property(), text(value), allowed());
        }
        return value;
    }

    /** A value of the option's type, for messages. */
    String text(Object value) {
        return values.text(value);
    }

    /** A {@link UserPolicy}, or the {@link Path} of a file. */
    private record PolicyOrFile() implements OptionValues {
        @Override
        public Object parse(String text) {
            UserPolicy word = EnumWords.parse(UserPolicy.class, text);
            if (word != null) {
                return word;
            }
            boolean isFile = text.indexOf('/') >= 0 || text.indexOf('.') >= 0 || Files.exists(Path.of(text));
            return isFile ? Path.of(text) : null;
        }

        @Override
        public String allowed() {
            return String.join(", ", EnumWords.of(UserPolicy.class)) + ", or a file of rules";
        }
    }
}
