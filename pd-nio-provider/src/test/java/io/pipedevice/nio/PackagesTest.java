// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.pipedevice.test.DirectLines;
import io.pipedevice.test.Floors;
import org.junit.jupiter.api.Test;

/** {@link Floors} and {@link DirectLines} of pd-nio-provider. */
class PackagesTest {
    @Test
    void aPackageDependsOnlyOnThoseBelowIt() {
        new Floors("io.pipedevice.nio", "io.pipedevice.agent")
                .then("io.pipedevice.nio.stat", "io.pipedevice.nio.select", "io.pipedevice.nio.async")
                .then("io.pipedevice.nio.placement")
                .then("io.pipedevice.nio.transport")
                .then("io.pipedevice.nio.channel")
                .then("io.pipedevice.nio.start")
                .then("io.pipedevice.nio")
                .then("io.pipedevice.agent")
                .check();
    }

    @Test
    void linesThatAnotherProcessCanCauseAreLimited() {
        new DirectLines("io.pipedevice.nio", "io.pipedevice.agent")
                .because("a start or an end of this process", "nio.start.StartUp")
                .because("an end of a group of this process", "nio.async.ExecutorThreads")
                .because("once in the life of this process", "nio.stat.ManagementBean")
                .because("a level for LimitedLog", "nio.placement.DriverPlacement")
                .because("once for each name of a rule", "nio.placement.HostLookup")
                .check();
    }

    @Test
    void transportsAndPlacementsDoNotDependOnTheSelector() {
        ArchRuleDefinition.noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.pipedevice.nio.select")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.pipedevice.nio.placement", "io.pipedevice.nio.transport"));
    }
}
