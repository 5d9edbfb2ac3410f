// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.pipedevice.linux.LimitedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The classes of a module that log warnings, errors or normal events themselves instead of by {@link LimitedLog}. For
 * each the test of the module says why no other process can cause any number of these lines. A new one fails the test,
 * until it uses {@link LimitedLog} or has such a reason.
 */
public final class DirectLines {
    private static final Set<String> LEVELS = Set.of("INFO", "WARNING", "ERROR");

    private final Set<String> found = new TreeSet<>();
    private final TreeMap<String, String> reasons = new TreeMap<>();

    /** Imports the classes below some packages, without tests. */
    public DirectLines(String... packages) {
        for (JavaClass each : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(packages)) {
            for (JavaFieldAccess access : each.getFieldAccessesFromSelf()) {
                if (access.getTargetOwner().isEquivalentTo(System.Logger.Level.class)
                        && LEVELS.contains(access.getTarget().getName())
                        && !each.isEquivalentTo(LimitedLog.class)) {
                    found.add(outermost(each).getName());
                }
            }
        }
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(DirectLines::outermost).orElse(type);
    }

    /** Permits lines of some classes, named without {@code io.pipedevice.}, for a reason. */
    public DirectLines because(String reason, String... classes) {
        for (String each : classes) {
            reasons.put("io.pipedevice." + each, reason);
        }
        return this;
    }

    /** Fails if a class logs without a reason, or if a reason is of no use. */
    public void check() {
        List<String> known = new ArrayList<>(reasons.keySet());
        assertEquals(String.join("\n", known), String.join("\n", found));
    }
}
