// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.vfio;

import static io.pipedevice.device.vfio.VfioDescriptor.*;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.DeviceFile;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * BAR 0 and the configuration space of a device. BAR 0 is mapped where that is possible; otherwise each access is a
 * system call. Writes on aarch64 are always system calls, because no fence of Java orders stores to memory before
 * stores to a device.
 */
final class VfioRegisters implements AutoCloseable {
    private static final VarHandle INT = Foreign.handle(ValueLayout.JAVA_INT);
    private static final int GONE = -1;
    private static final int COMMAND_OFFSET = 4;
    private static final int COMMAND_MEMORY = 2;
    private static final int COMMAND_BUS_MASTER = 4;
    private static final boolean FENCES_REACH_DEVICES =
            System.getProperty("os.arch").equals("amd64");

    private final DeviceFile device;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(Integer.BYTES, Integer.BYTES);
    private final long barAt;
    private final int barLength;
    private final long configurationAt;

    /** Null if it cannot be mapped. */
    private final MemorySegment bar;

    private boolean closed;

    VfioRegisters(DeviceFile device) throws IOException {
        this.device = device;
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment info = region(scratch, REGION_BAR0);
            long size = info.get(ValueLayout.JAVA_LONG, REGION_SIZE_OFFSET);
            if (size == 0 || size > Integer.MAX_VALUE) {
                throw new IOException("BAR 0 of the device is not a register area: " + size + " bytes");
            }
            barLength = (int) size;
            barAt = info.get(ValueLayout.JAVA_LONG, REGION_FILE_OFFSET);
            boolean mappable = (info.get(ValueLayout.JAVA_INT, FLAGS_OFFSET) & REGION_FLAG_MMAP) != 0;
            bar = mappable ? map() : null;
            configurationAt = region(scratch, REGION_CONFIG).get(ValueLayout.JAVA_LONG, REGION_FILE_OFFSET);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private MemorySegment region(Arena scratch, int index) throws LinuxException {
        MemorySegment info = Type1Space.struct(scratch, REGION_INFO_LENGTH);
        info.set(ValueLayout.JAVA_INT, REGION_INDEX_OFFSET, index);
        device.ioctl("VFIO_DEVICE_GET_REGION_INFO", DEVICE_GET_REGION_INFO, info);
        return info;
    }

    /** Maps BAR 0; null on old kernels that refuse to map a BAR with the MSI-X table. */
    private MemorySegment map() {
        try {
            return device.map(barAt, barLength, arena);
        } catch (LinuxException e) {
            return null;
        }
    }

    int length() {
        return barLength;
    }

    int read(int offset) {
        if (closed) {
            return GONE;
        }
        try {
            if (bar != null) {
                return (int) INT.getVolatile(bar, (long) offset);
            }
            device.read(word, barAt + offset);
            return word.get(ValueLayout.JAVA_INT, 0);
        } catch (LinuxException | InternalError e) {
            // The JVM turns a SIGBUS into an InternalError. It means that the kernel has unmapped the device's memory.
            return GONE;
        }
    }

    void write(int offset, int value) {
        if (closed) {
            return;
        }
        try {
            if (bar != null && FENCES_REACH_DEVICES) {
                INT.setVolatile(bar, (long) offset, value);
            } else {
                VarHandle.fullFence();
                word.set(ValueLayout.JAVA_INT, 0, value);
                device.write(word, barAt + offset);
            }
        } catch (LinuxException | InternalError e) {
            // The missing completions show that the device is gone.
            return;
        }
    }

    /** Sets the command register's bits for memory and for bus mastering. */
    void command(boolean busMaster) throws LinuxException {
        MemorySegment command = word.asSlice(0, Short.BYTES);
        device.read(command, configurationAt + COMMAND_OFFSET);
        int value = command.get(ValueLayout.JAVA_SHORT, 0) | COMMAND_MEMORY;
        value = busMaster ? value | COMMAND_BUS_MASTER : value & ~COMMAND_BUS_MASTER;
        command.set(ValueLayout.JAVA_SHORT, 0, (short) value);
        device.write(command, configurationAt + COMMAND_OFFSET);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            arena.close();
        }
    }
}
