// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.policy.UserRule;
import io.pipedevice.driver.policy.file.PolicyException;
import io.pipedevice.driver.policy.file.PolicyFile;
import io.pipedevice.driver.policy.file.PolicySource;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.property.EnumWords;
import java.io.IOException;
import java.nio.file.Path;

/** The policy of a running driver, and how it is shown to other processes. Stateless. */
public final class DriverPolicy {
    private DriverPolicy() {}

    /**
     * Finds the policy of the driver of a directory. A file is read again, as the driver's processes see it; if it has
     * become invalid, the driver still follows an earlier text.
     *
     * @param directory the driver's
     * @return its policy
     * @throws IOException if no driver runs there
     * @throws PolicyException if the file is not valid now
     */
    public static Policy of(Path directory) throws IOException, PolicyException {
        try (DriverStat stat = DriverStat.open(directory)) {
            for (DriverStat.Value each : stat.values()) {
                if (each.type() == CounterType.POLICY_RULES.id()) {
                    return named(
                            each.label()
                                    .substring(CounterType.POLICY_RULES.label().length() + 2),
                            stat.pid());
                }
            }
        }
        throw new IOException("the driver at " + directory + " does not say which policy it has");
    }

    /** The policy of a driver without a file of rules, with the name that {@link #of} reads. */
    static PolicySource fixed(UserPolicy users, DataPath path) {
        boolean any = users == UserPolicy.ANY;
        String name = (any ? "any " : "same-user ") + (path == DataPath.DIRECT ? "direct" : "device");
        return PolicySource.fixed(name, new UserRule(any, path));
    }

    private static Policy named(String name, int pid) throws PolicyException {
        String[] words = name.split(" ", 2);
        UserPolicy users = EnumWords.parse(UserPolicy.class, words[0]);
        return users != null
                ? new UserRule(users == UserPolicy.ANY, EnumWords.parse(DataPath.class, words[1]))
                // The driver may have a file system of its own.
                : PolicyFile.read(Path.of("/proc/" + pid + "/root" + name));
    }
}
