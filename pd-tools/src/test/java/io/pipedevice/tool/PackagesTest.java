// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.pipedevice.test.DirectLines;
import io.pipedevice.test.Floors;
import org.junit.jupiter.api.Test;

/** {@link Floors} and {@link DirectLines} of pd-tools, and what the tools stand upon. */
class PackagesTest {
    @Test
    void aPackageDependsOnlyOnThoseBelowIt() {
        new Floors("io.pipedevice.tool")
                .then(
                        "io.pipedevice.tool.bpf",
                        "io.pipedevice.tool.doctor",
                        "io.pipedevice.tool.kube",
                        "io.pipedevice.tool.metrics")
                .then("io.pipedevice.tool")
                .check();
    }

    @Test
    void linesThatAnotherProcessCanCauseAreLimited() {
        new DirectLines("io.pipedevice.tool")
                .because("a start or an end of this process", "tool.DriverCommand")
                .because("once in the life of this process", "tool.ServiceManager")
                .check();
    }

    /** The agent's jar has neither. */
    @Test
    void theProviderNeedsNeitherDriverNorFunctionsNorTools() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAnyPackage("io.pipedevice.nio..", "io.pipedevice.agent..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.pipedevice.driver..",
                        "io.pipedevice.device..",
                        "io.pipedevice.active..",
                        "io.pipedevice.tool..")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.pipedevice"));
    }
}
