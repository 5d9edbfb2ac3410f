// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what ./pipedevice builds before the first start: the modules without their tests. */
final class BuildTest {
    /** Maven resolves all scopes of a module at once, and the tests of another module are not built there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pd-native",
                "pd-device",
                "pd-device-model",
                "pd-active",
                "pd-nio-provider",
                "pd-tools",
                "samples",
                "benchmarks"
            })
    void needsNoTestsOfAnotherModule(String module) throws Exception {
        Path pom = Path.of("..", module, "pom.xml");
        String unguarded = "count(/project/dependencies/dependency[type = 'test-jar' or classifier = 'tests'])";
        assertEquals(
                "0",
                XPathFactory.newInstance()
                        .newXPath()
                        .evaluate(
                                unguarded,
                                DocumentBuilderFactory.newDefaultInstance()
                                        .newDocumentBuilder()
                                        .parse(pom.toFile())),
                pom + ": such a dependency belongs into a profile that is active unless maven.test.skip is set");
    }
}
