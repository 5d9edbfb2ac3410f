// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The packages of a module by floor. A package may depend only on packages of lower floors: packages of one floor do
 * not depend on each other.
 */
public final class Floors {
    /** More classes that all need each other cannot be read, tested or changed one at a time. */
    private static final int MOST_IN_CIRCLE = 4;

    private final JavaClasses classes;
    private final List<List<String>> floors = new ArrayList<>();

    /** Imports the classes below some packages, without tests. */
    public Floors(String... packages) {
        classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(packages);
    }

    /** Puts a floor on top of the others. */
    public Floors then(String... packages) {
        floors.add(List.of(packages));
        return this;
    }

    /** Fails if a class of one package tree depends on one of the other. */
    public Floors apart(String one, String other) {
        for (List<String> each : List.of(List.of(one, other), List.of(other, one))) {
            ArchRuleDefinition.noClasses()
                    .that()
                    .resideInAPackage(each.getFirst() + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(each.getLast() + "..")
                    .check(classes);
        }
        return this;
    }

    /**
     * Fails if a package depends on one of its own floor or above, if a package has no floor, if there is a circle of
     * packages, or a circle of more than four classes in a package.
     */
    public void check() {
        Set<String> known = floors.stream().flatMap(List::stream).collect(Collectors.toCollection(TreeSet::new));
        Set<String> present =
                classes.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(known, present, "packages with a floor, and existing packages");
        Set<String> forbidden = new TreeSet<>(known);
        for (List<String> floor : floors) {
            for (String each : floor) {
                Set<String> others = new TreeSet<>(forbidden);
                others.remove(each);
                if (!others.isEmpty()) {
                    ArchRuleDefinition.noClasses()
                            .that()
                            .resideInAPackage(each)
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(others.toArray(String[]::new))
                            .check(classes);
                }
            }
            forbidden.removeAll(floor);
        }
        SlicesRuleDefinition.slices()
                .matching("io.pipedevice.(**)")
                .should()
                .beFreeOfCycles()
                .check(classes);
        assertEquals(List.of(), new Circles(classes).largerThan(MOST_IN_CIRCLE), "circles of classes");
    }
}
