// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.pci.PciFunction;
import io.pipedevice.linux.LazyLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The registers that concern all lanes of a device, and the sequences that docs/pd-stack.md specifies for them. */
final class FpgaRegisters {
    private static final System.Logger LOG = new LazyLogger(FpgaRegisters.class).get();
    private static final long RESET_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int SCRATCH = 0x5AA5_C33C;

    private final PciFunction function;

    FpgaRegisters(PciFunction function) {
        this.function = function;
    }

    int read(int offset) {
        return function.read(offset);
    }

    void write(int offset, int value) {
        function.write(offset, value);
    }

    /** A lane's registers. */
    LaneRegisters lane(int index) {
        return new LaneRegisters(function, index);
    }

    /** Checks that this is a supported device. */
    void identify() throws IOException {
        int id = read(FpgaDescriptor.ID_OFFSET);
        if (id != FpgaDescriptor.ID) {
            throw failure(
                    id == FpgaDescriptor.GONE
                            ? "does not answer"
                            : "is not a PD Stack device: its id is 0x" + Integer.toHexString(id));
        }
        int version = read(FpgaDescriptor.VERSION_OFFSET);
        if (version >>> 16 != FpgaDescriptor.MAJOR_VERSION) {
            throw failure("has registers of version " + (version >>> 16) + '.' + (version & 0xFFFF) + ", not "
                    + FpgaDescriptor.MAJOR_VERSION);
        }
        write(FpgaDescriptor.SCRATCH_OFFSET, SCRATCH);
        int scratch = read(FpgaDescriptor.SCRATCH_OFFSET);
        if (scratch != SCRATCH) {
            throw failure("does not accept writes: it reads 0x" + Integer.toHexString(scratch));
        }
    }

    /** The device's capabilities, up to the limits that the caller gives. */
    DeviceCapabilities capabilities(int mostLanes, int mostDepth) throws IOException {
        int lanes = checked("lanes", FpgaDescriptor.LANES_OFFSET, 1, FpgaDescriptor.MAX_LANES);
        int depth = checked("queue depth", FpgaDescriptor.MAX_DEPTH_OFFSET, 2, 1 << 16);
        int transfer = checked("longest transfer", FpgaDescriptor.MAX_TRANSFER_OFFSET, 1, 1 << 30);
        int alignment = checked("alignment", FpgaDescriptor.ALIGNMENT_OFFSET, 1, 4096);
        if (Integer.bitCount(depth) != 1 || Integer.bitCount(alignment) != 1) {
            throw failure(
                    "has a queue depth of " + depth + " and an alignment of " + alignment + ", not powers of two");
        }
        if (alignment != 1) {
            throw failure("requires an alignment of " + alignment
                    + " bytes, but a program's data may begin and end at any byte");
        }
        if (FpgaDescriptor.lane(lanes) > function.registersLength() || lanes >= function.vectors()) {
            throw failure("claims " + lanes + " lanes, with " + function.registersLength() + " bytes of registers and "
                    + function.vectors() + " vectors");
        }
        // The emulator that replaces a failing device has this limit.
        int most = Math.min(transfer, DmaEmulator.MAX_MAX_TRANSFER);
        return new DeviceCapabilities(
                most, alignment, Math.min(lanes, mostLanes), Math.min(depth, mostDepth), function.pinsMemory());
    }

    int addressBits() throws IOException {
        return checked("address bits", FpgaDescriptor.ADDRESS_BITS_OFFSET, 32, FpgaDescriptor.MAX_ADDRESS_BITS);
    }

    private int checked(String what, int offset, int min, int max) throws IOException {
        int value = read(offset);
        if (value < min || value > max) {
            throw failure("reports an invalid value of its " + what + ": " + value);
        }
        return value;
    }

    /** Resets the device by its own register, or by PCI if that fails. */
    void reset() throws IOException {
        write(FpgaDescriptor.CONTROL_OFFSET, FpgaDescriptor.CONTROL_RESET);
        if (isReset()) {
            return;
        }
        LOG.log(Level.WARNING, "{0} did not complete its own reset: using a function-level reset", function.name());
        function.reset();
        if (!isReset()) {
            throw failure("does not recover from a reset");
        }
    }

    private boolean isReset() throws IOException {
        long deadline = System.nanoTime() + RESET_TIMEOUT_NS;
        while (true) {
            int status = read(FpgaDescriptor.STATUS_OFFSET);
            if (status == FpgaDescriptor.GONE) {
                throw failure("is gone");
            }
            if ((status & (FpgaDescriptor.STATUS_READY | FpgaDescriptor.STATUS_RESETTING))
                    == FpgaDescriptor.STATUS_READY) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
    }

    /** Requests a reset, which stops the device. Does not wait for it. */
    void stop() {
        write(FpgaDescriptor.CONTROL_OFFSET, FpgaDescriptor.CONTROL_RESET);
    }

    /** Reads and clears the errors. Returns a description of them. */
    String takeErrors() {
        int errors = read(FpgaDescriptor.ERROR_STATUS_OFFSET);
        if (errors == FpgaDescriptor.GONE) {
            return "nothing: it is gone";
        }
        long address = Integer.toUnsignedLong(read(FpgaDescriptor.ERROR_ADDRESS_HIGH_OFFSET)) << 32
                | Integer.toUnsignedLong(read(FpgaDescriptor.ERROR_ADDRESS_LOW_OFFSET));
        int lane = read(FpgaDescriptor.ERROR_LANE_OFFSET);
        write(FpgaDescriptor.ERROR_STATUS_OFFSET, errors);
        StringBuilder text = new StringBuilder("error");
        name(text, errors, FpgaDescriptor.ERROR_ADDRESS, " address not mapped");
        name(text, errors, FpgaDescriptor.ERROR_QUEUE, " queue not mapped");
        name(text, errors, FpgaDescriptor.ERROR_DOORBELL, " impossible doorbell");
        name(text, errors, FpgaDescriptor.ERROR_CONFIGURATION, " impossible configuration");
        name(text, errors, FpgaDescriptor.ERROR_ACCESS, " forbidden register access");
        return text.append(", first on lane ")
                .append(lane)
                .append(" at address 0x")
                .append(Long.toHexString(address))
                .toString();
    }

    private static void name(StringBuilder text, int errors, int error, String name) {
        if ((errors & error) != 0) {
            text.append(name);
        }
    }

    private IOException failure(String what) {
        return new IOException(function.name() + ' ' + what);
    }
}
