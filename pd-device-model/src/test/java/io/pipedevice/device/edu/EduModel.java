// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.edu;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.device.pci.PciFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** A fast edu in software. A thread runs its transfers, and it reports as few errors as the real device. */
final class EduModel implements PciFunction {
    private static final int PAGE = 4096;
    private static final int REGISTERS = 1 << 20;
    private static final int BUFFER_LENGTH = 4096;

    private record Mapping(MemorySegment memory, Access access) {}

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_LENGTH);
    private final TreeMap<Long, Mapping> mappings = new TreeMap<>();
    private final long transferMs;
    private IntConsumer handler = vector -> {};
    private int source;
    private int destination;
    private int count;
    private int command;
    private int interruptStatus;
    private boolean master = true;
    private boolean away;
    private boolean muted;
    private boolean hung;
    private int transfers;
    private Future<?> transfer;
    private String mistake;
    private boolean closed;

    EduModel(long transferMs) {
        this.transferMs = transferMs;
    }

    /** Takes the device off the bus, as a reset of the bus does, or brings it back. */
    synchronized void away(boolean now) {
        away = now;
        master = !now;
    }

    synchronized void mute(boolean now) {
        muted = now;
    }

    synchronized void hang(boolean now) {
        hung = now;
    }

    /** The first forbidden access to the device; null if there was none. */
    synchronized String mistake() {
        return mistake;
    }

    synchronized int transfers() {
        return transfers;
    }

    synchronized int mappings() {
        return mappings.size();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public String name() {
        return "model";
    }

    @Override
    public int registersLength() {
        return REGISTERS;
    }

    @Override
    public synchronized int read(int offset) {
        if (away) {
            return -1;
        }
        return switch (offset) {
            case EduDescriptor.ID_OFFSET -> 0x0100_00ED;
            case EduDescriptor.INTERRUPT_STATUS_OFFSET -> interruptStatus;
            case EduDescriptor.DMA_COMMAND_OFFSET -> command;
            default -> throw new IllegalArgumentException("no register of interest: " + offset);
        };
    }

    @Override
    public synchronized void write(int offset, int value) {
        boolean running = (command & EduDescriptor.DMA_RUN) != 0;
        if (away || (offset >= EduDescriptor.DMA_SOURCE_OFFSET && running)) {
            return;
        }
        switch (offset) {
            case EduDescriptor.INTERRUPT_ACKNOWLEDGE_OFFSET -> interruptStatus &= ~value;
            case EduDescriptor.DMA_SOURCE_OFFSET -> source = value;
            case EduDescriptor.DMA_DESTINATION_OFFSET -> destination = value;
            case EduDescriptor.DMA_COUNT_OFFSET -> count = value;
            case EduDescriptor.DMA_COMMAND_OFFSET -> {
                command = value;
                transfer = timer.schedule(this::transfer, transferMs, TimeUnit.MILLISECONDS);
            }
            default -> throw new IllegalArgumentException("no register of interest: " + offset);
        }
    }

    private synchronized void transfer() {
        if (hung) {
            transfer = timer.schedule(this::transfer, 1, TimeUnit.MILLISECONDS);
            return;
        }
        boolean toMemory = (command & EduDescriptor.DMA_TO_MEMORY) != 0;
        int inBuffer = (toMemory ? source : destination) - EduDescriptor.BUFFER;
        if (inBuffer < 0 || inBuffer + count >= BUFFER_LENGTH) {
            mistake = "a transfer outside the buffer, for which the real one would end the machine";
            return;
        }
        transfers++;
        MemorySegment memory = reach(toMemory ? destination : source, toMemory ? Access.WRITE : Access.READ);
        if (memory != null && toMemory) {
            memory.copyFrom(buffer.asSlice(inBuffer, count));
        } else if (memory != null) {
            buffer.asSlice(inBuffer, count).copyFrom(memory);
        }
        command &= ~EduDescriptor.DMA_RUN;
        interruptStatus |= EduDescriptor.INTERRUPT_DMA;
        if (!muted && !away) {
            handler.accept(0);
        }
    }

    /** Returns null if the bus or the IOMMU refuses the access, which the device does not notice. */
    private MemorySegment reach(int address, Access access) {
        Map.Entry<Long, Mapping> below = mappings.floorEntry(Integer.toUnsignedLong(address));
        if (!master || below == null || below.getValue().access != access) {
            return null;
        }
        MemorySegment memory = below.getValue().memory;
        long offset = address - below.getKey();
        return offset + count <= memory.byteSize() ? memory.asSlice(offset, count) : null;
    }

    @Override
    public int vectors() {
        return 1;
    }

    @Override
    public synchronized void onInterrupt(IntConsumer listener) {
        handler = listener;
    }

    @Override
    public boolean pinsMemory() {
        return false;
    }

    @Override
    public long pageSize() {
        return PAGE;
    }

    @Override
    public long firstAddress() {
        return PAGE;
    }

    @Override
    public long lastAddress() {
        return (1L << 48) - 1;
    }

    @Override
    public long reservedUntil(long address, long length) {
        return 0;
    }

    @Override
    public synchronized void map(long address, MemorySegment memory, Access access) {
        mappings.put(address, new Mapping(memory, access));
    }

    @Override
    public synchronized void unmap(long address, long length) {
        mappings.remove(address);
    }

    @Override
    public synchronized void busMastering(boolean on) {
        master = on;
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized void close() {
        closed = true;
        mappings.clear();
        if (transfer != null) {
            transfer.cancel(false);
        }
        timer.shutdownNow();
    }
}
