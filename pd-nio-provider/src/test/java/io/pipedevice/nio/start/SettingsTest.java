// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdOptions;
import io.pipedevice.nio.start.Settings.Use;
import io.pipedevice.peer.rendezvous.PeerOptions;
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
        System.clearProperty(Settings.SOCKETS_PROPERTY);
        System.clearProperty(Settings.NETTY_PROPERTY);
        System.clearProperty(Settings.DRIVER_PROPERTY);
        System.clearProperty(PdOptions.MAX_SOCKETS_PROPERTY);
        System.clearProperty(PeerOptions.MAX_RING_PROPERTY);
    }

    @Test
    void withoutPropertiesItIsUsedWhereItPaysAndHasNoDriver() {
        Settings settings = Settings.read();
        assertEquals(Use.WHERE_IT_PAYS, settings.use());
        assertNull(settings.driver());
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

    @ParameterizedTest
    @CsvSource({"pipedevice.sockets, all and channels", "pipedevice.netty, auto and off"})
    void whatTheAgentReadsIsCheckedToo(String property, String allowed) {
        System.setProperty(property, "on");
        assertEquals(
                property + " = on; allowed: " + allowed,
                assertThrows(IllegalArgumentException.class, Settings::read).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"pipedevice.max.sockets, 0, 1 to 65535", "pipedevice.ring.max, 96k, powers of two from 64k to 4m"})
    void connectionsHaveTheirPropertiesToo(String property, String value, String allowed) {
        System.setProperty(property, value);
        assertEquals(
                property + " = " + value + "; allowed: " + allowed,
                assertThrows(IllegalArgumentException.class, Settings::read).getMessage());
    }

    @Test
    void whatIsReadStays() {
        System.setProperty(PdOptions.MAX_SOCKETS_PROPERTY, "2k");
        Settings settings = Settings.read();
        System.clearProperty(PdOptions.MAX_SOCKETS_PROPERTY);
        assertTrue(settings.driverOptions().toString().contains("max.sockets=2048"), settings::toString);
        assertTrue(Settings.read().driverOptions().toString().contains("max.sockets=16384"));
    }

    @Test
    void whereItIsDisabledOtherValuesDoNotMatter() {
        System.setProperty(Settings.ENABLED_PROPERTY, "false");
        System.setProperty(Settings.DRIVER_PROPERTY, "");
        System.setProperty(PeerOptions.MAX_RING_PROPERTY, "1");
        assertEquals(new Settings(Use.NEVER, null, null, null, null), Settings.read());
    }
}
