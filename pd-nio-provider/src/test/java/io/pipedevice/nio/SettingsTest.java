// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
    void withoutPropertiesItIsEnabledAndHasNoDriver() {
        assertEquals(new Settings(true, null), Settings.read());
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void enabledIsTrueOrFalse(String value, boolean enabled) {
        System.setProperty(Settings.ENABLED_PROPERTY, value);
        assertEquals(enabled, Settings.read().enabled());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yes", "TRUE", " true", "0"})
    void anythingElseNamesThePropertyAndWhatIsAllowed(String value) {
        System.setProperty(Settings.ENABLED_PROPERTY, value);
        assertEquals(
                "pipedevice.enabled = " + value + "; allowed: true and false",
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
        assertEquals(new Settings(false, null), Settings.read());
    }
}
