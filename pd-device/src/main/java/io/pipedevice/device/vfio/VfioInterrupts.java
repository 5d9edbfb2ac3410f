// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.vfio;

import static io.pipedevice.device.vfio.VfioDescriptor.*;

import io.pipedevice.linux.DeviceFile;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Interrupts of a device: MSI-X if the device has it, else MSI. Each vector has an eventfd, on which the watching
 * thread waits. Belongs to the driver's thread, except for the handler.
 */
final class VfioInterrupts implements AutoCloseable {
    /** Enough for 256 lanes and one for errors. */
    private static final int MOST_VECTORS = 257;

    private static final int NO_EVENTFD = -1;

    private final DeviceFile device;
    private final int index;
    private final int count;
    private final List<EventFd> events = new ArrayList<>();
    private final List<FdWatch> watches = new ArrayList<>();

    VfioInterrupts(DeviceFile device) throws IOException {
        this.device = device;
        int msix = count(device, IRQ_MSIX);
        this.index = msix > 0 ? IRQ_MSIX : IRQ_MSI;
        this.count = Math.min(msix > 0 ? msix : count(device, IRQ_MSI), MOST_VECTORS);
        if (count == 0) {
            throw new IOException("the device has neither MSI-X nor MSI");
        }
    }

    private static int count(DeviceFile device, int index) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = Type1Space.struct(arena, IRQ_INFO_LENGTH);
            info.set(ValueLayout.JAVA_INT, IRQ_INDEX_OFFSET, index);
            device.ioctl("VFIO_DEVICE_GET_IRQ_INFO", DEVICE_GET_IRQ_INFO, info);
            return info.get(ValueLayout.JAVA_INT, IRQ_INFO_COUNT_OFFSET);
        }
    }

    int count() {
        return count;
    }

    /** Enables all vectors; the watching thread calls the handler with the vector of each interrupt. */
    void enable(IntConsumer handler) throws LinuxException {
        for (int i = 0; i < count; i++) {
            int vector = i;
            EventFd event = EventFd.open();
            events.add(event);
            watches.add(FdWatch.open(event.fd(), Epoll.IN, ready -> {
                event.drain();
                handler.accept(vector);
            }));
        }
        unmask();
    }

    /** Disconnects all vectors from their eventfds. VFIO has no other way to mask MSI and MSI-X. */
    void mask() throws LinuxException {
        if (!events.isEmpty()) {
            connect(false);
        }
    }

    /** Connects the vectors again. */
    void unmask() throws LinuxException {
        if (!events.isEmpty()) {
            connect(true);
        }
    }

    private void connect(boolean on) throws LinuxException {
        int acquired = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = Type1Space.struct(arena, IRQ_SET_DATA_OFFSET + count * Integer.BYTES);
            set.set(ValueLayout.JAVA_INT, FLAGS_OFFSET, IRQ_SET_DATA_EVENTFD | IRQ_SET_TRIGGER);
            set.set(ValueLayout.JAVA_INT, IRQ_INDEX_OFFSET, index);
            set.set(ValueLayout.JAVA_INT, IRQ_SET_COUNT_OFFSET, count);
            for (EventFd event : events) {
                int number = event.fd().acquire();
                int at = IRQ_SET_DATA_OFFSET + acquired * Integer.BYTES;
                acquired++;
                set.set(ValueLayout.JAVA_INT, at, on ? number : NO_EVENTFD);
            }
            int available = device.ioctl("VFIO_DEVICE_SET_IRQS", DEVICE_SET_IRQS, set);
            if (available > 0) {
                throw new LinuxException(
                        "VFIO_DEVICE_SET_IRQS",
                        Errno.ENOSPC,
                        "the kernel has only " + available + " of " + count + " interrupts, and has enabled none");
            }
        } finally {
            for (int i = 0; i < acquired; i++) {
                events.get(i).fd().release();
            }
        }
    }

    /** Disables the vectors and stops watching them. */
    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            if (!events.isEmpty()) {
                MemorySegment set = Type1Space.struct(arena, IRQ_SET_DATA_OFFSET);
                set.set(ValueLayout.JAVA_INT, FLAGS_OFFSET, IRQ_SET_DATA_NONE | IRQ_SET_TRIGGER);
                set.set(ValueLayout.JAVA_INT, IRQ_INDEX_OFFSET, index);
                device.ioctl("VFIO_DEVICE_SET_IRQS", DEVICE_SET_IRQS, set);
            }
        } catch (LinuxException e) {
            new LazyLogger(VfioInterrupts.class)
                    .get()
                    .log(System.Logger.Level.DEBUG, "interrupts were not disabled: {0}", e.getMessage());
        }
        watches.forEach(FdWatch::close);
        events.forEach(EventFd::close);
    }
}
