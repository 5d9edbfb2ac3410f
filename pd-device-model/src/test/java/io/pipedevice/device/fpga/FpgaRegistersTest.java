// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.guard.GuardedDevice;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the driver interprets the registers of a device. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FpgaRegistersTest {
    private static final Logger LOG = Logger.getLogger(FpgaDevice.class.getName());

    private final PlayedFunction played = new PlayedFunction();

    @AfterEach
    void close() {
        played.model.close();
    }

    private FpgaDevice start() throws IOException {
        return new FpgaDevice(played.function(), new FpgaDevice.Context());
    }

    private String refusal() {
        String message = assertThrows(IOException.class, this::start).getMessage();
        assertTrue(played.closed);
        return message;
    }

    @Test
    void whatIsNoPdStackIsNotWritten() {
        played.registers.put(FpgaDescriptor.ID_OFFSET, 0x12345678);
        String message = refusal();
        assertTrue(message.contains("is not a PD Stack device: its id is 0x12345678"), message);
        assertEquals(0, played.writes);
    }

    @Test
    void aDeviceThatWantsAlignedCopiesIsRefused() {
        played.registers.put(FpgaDescriptor.ALIGNMENT_OFFSET, 64);
        String message = refusal();
        assertTrue(message.contains("requires an alignment of 64 bytes"), message);
    }

    @Test
    void aFunctionIsClosedThoughItCannotBeStopped() throws IOException {
        FpgaDevice device = start();
        played.failing = true;
        assertThrows(IllegalStateException.class, device::close);
        assertTrue(played.closed);
    }

    @Test
    void noTransferIsLongerThanTheEmulators() throws IOException {
        played.registers.put(FpgaDescriptor.MAX_TRANSFER_OFFSET, 1 << 30);
        try (GuardedDevice guard = new GuardedDevice(start(), TimeUnit.SECONDS.toNanos(1))) {
            assertEquals(DmaEmulator.MAX_MAX_TRANSFER, guard.capabilities().maxTransfer());
        }
    }

    @Test
    void aDeviceThatReportsTooManyErrorsIsSilenced() throws IOException {
        LOG.setLevel(Level.OFF);
        try (FpgaDevice device = start()) {
            for (int i = 1; i <= 20; i++) {
                assertEquals(FpgaDescriptor.ERROR_ALL, played.model.read(FpgaDescriptor.ERROR_ENABLE_OFFSET));
                // A write to a read-only register is an access error.
                played.model.write(FpgaDescriptor.ID_OFFSET, 0);
                device.poll();
                assertEquals(i, device.health().getFirst().get(DeviceHealth.Event.ERROR));
            }
            assertEquals(0, played.model.read(FpgaDescriptor.ERROR_ENABLE_OFFSET));
            device.reset();
            assertEquals(0, played.model.read(FpgaDescriptor.ERROR_ENABLE_OFFSET), "nor after a reset");
        } finally {
            LOG.setLevel(null);
        }
    }
}
