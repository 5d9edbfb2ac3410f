// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.property;

/**
 * The names of all system properties of PipeDevice, so that a misspelled name can be reported. Every starting JVM
 * checks its properties once; the code that only a report needs is in {@link Misspelling}.
 */
public final class KnownProperties {
    /** The prefix of all names. */
    public static final String PREFIX = "pipedevice.";

    /** Names that no user sets: they are for the commands, the doctor and tests. */
    private static final String[] INTERNAL = {"pipedevice.jar", "pipedevice.report"};

    private static final String INTERNAL_TESTS = "pipedevice.test.";

    private static final String[] NAMES = {
        "pipedevice.enabled",
        "pipedevice.sockets",
        "pipedevice.netty",
        "pipedevice.driver",
        "pipedevice.unix",
        "pipedevice.spin",
        "pipedevice.ring.max",
        "pipedevice.rings.max",
        "pipedevice.handshake.millis",
        "pipedevice.max.sockets",
        "pipedevice.send.memory",
        "pipedevice.request.depth",
        "pipedevice.huge.pages",
        "pipedevice.spin.micros",
        // The driver's, as its DriverOption has them: that is not on the class path of every program that starts.
        "pipedevice.driver.device",
        "pipedevice.driver.threading",
        "pipedevice.driver.policy",
        "pipedevice.driver.path",
        "pipedevice.driver.max.processes",
        "pipedevice.driver.max.sockets",
        "pipedevice.driver.max.memory",
        "pipedevice.driver.total.memory",
        "pipedevice.driver.rate",
        "pipedevice.driver.lanes",
        "pipedevice.driver.max.transfer",
        "pipedevice.driver.queue.depth",
        "pipedevice.driver.huge.pages",
        "pipedevice.driver.regions",
        "pipedevice.driver.spin",
        "pipedevice.driver.linger",
        "pipedevice.driver.device.timeout",
        "pipedevice.driver.cuda.library"
    };

    private KnownProperties() {}

    /**
     * Checks the system properties of this JVM.
     *
     * @return one sentence for each unknown property with the prefix; null if there is none
     */
    public static String[] misspelled() {
        String[] found = null;
        for (Object key : System.getProperties().keySet()) {
            if (key instanceof String name && name.startsWith(PREFIX) && !isKnown(name)) {
                found = Misspelling.add(found, name);
            }
        }
        return found;
    }

    /**
     * Whether PipeDevice has a property.
     *
     * @param name of the property
     * @return true also for the names that only PipeDevice's own commands and tests set
     */
    public static boolean isKnown(String name) {
        return isIn(NAMES, name) || isIn(INTERNAL, name) || name.startsWith(INTERNAL_TESTS);
    }

    private static boolean isIn(String[] names, String name) {
        for (String known : names) {
            if (known.equals(name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The names that users may set.
     *
     * @return a copy
     */
    public static String[] names() {
        return NAMES.clone();
    }
}
