// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.nio.Settings.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("it sets system properties")
class SettingsTest {
    @BeforeEach
    @AfterEach
    void unset() {
        System.clearProperty(Settings.ENABLED_PROPERTY);
        System.clearProperty(Settings.DRIVER_PROPERTY);
    }

    @Test
    void withoutPropertiesItIsUsedWhereItPaysAndHasNoDriver() {
        assertEquals(new Settings(Use.WHERE_IT_PAYS, null), Settings.read());
    }

    @ParameterizedTest
    @CsvSource({"auto, WHERE_IT_PAYS", "true, ALWAYS", "false, NEVER"})
    void enabledIsAutoTrueOrFalse(String value, Use use) {
        System.setProperty(Settings.ENABLED_PROPERTY, value);
        assertEquals(use, Settings.read().use());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yes", "TRUE", " true", "0"})
    void anythingElseNamesThePropertyAndWhatIsAllowed(String value) {
        System.setProperty(Settings.ENABLED_PROPERTY, value);
        assertEquals(
                "pipedevice.enabled = " + value + "; allowed: auto, true and false",
                assertThrows(IllegalArgumentException.class, Settings::read).getMessage());
    }

    @Test
    void driverMayBeADirectoryThatDoesNotExistYet(@TempDir Path dir) {
        for (Path driver : new Path[] {dir, dir.resolve("later")}) {
            System.setProperty(Settings.DRIVER_PROPERTY, driver.toString());
            assertEquals(driver, Settings.read().driver());
        }
    }

    @Test
    void driverIsNoFileAndNoImpossiblePath(@TempDir Path dir) throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        for (String value : new String[] {"", "a\0b", file.toString()}) {
            System.setProperty(Settings.DRIVER_PROPERTY, value);
            assertEquals(
                    "pipedevice.driver = " + value + "; allowed: a driver's directory",
                    assertThrows(IllegalArgumentException.class, Settings::read).getMessage());
        }
    }

    @Test
    void whereItIsDisabledOtherValuesDoNotMatter() {
        System.setProperty(Settings.ENABLED_PROPERTY, "false");
        System.setProperty(Settings.DRIVER_PROPERTY, "");
        assertEquals(new Settings(Use.NEVER, null), Settings.read());
    }
}
