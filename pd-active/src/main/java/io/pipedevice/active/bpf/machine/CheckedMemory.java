// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.ProgramLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The memory of a program: regions of its caller, the constants of the program, and a stack. Every access is checked.
 * Values are little-endian.
 *
 * <p>The memory in the regions may be shared. This object belongs to one thread at a time.
 */
public final class CheckedMemory {
    /** The largest number of regions and constants. */
    public static final int MAX_REGIONS = 1 << 16;

    private final Object context;
    private final String[] names;
    private final MemorySegment[] segments;
    private final int firstData;
    private final int firstFrame;
    private final StackFrames stack;

    /** For {@link FirstRegion}. */
    final MemorySegment first;

    /** For {@link FirstRegion}. */
    final long firstLength;

    /** Whether a helper has asked the run to stop. */
    private boolean waits;

    /**
     * Lays out the memory of a program.
     *
     * @param program the program, whose constants get addresses
     * @param regions the memory of its caller
     * @throws IllegalArgumentException if a region is longer than 2<sup>39</sup> bytes, or there are too many
     */
    public CheckedMemory(Program program, List<ProgramRegion> regions) {
        this(program, regions, null);
    }

    /**
     * Lays out the memory of a program whose helpers need more than memory.
     *
     * @param program the program, whose constants get addresses
     * @param regions the memory of its caller
     * @param context the object that helpers get by {@link #context}
     * @throws IllegalArgumentException if a region is longer than 2<sup>39</sup> bytes, or there are too many
     */
    public CheckedMemory(Program program, List<ProgramRegion> regions, Object context) {
        this(program.layout(), regions, context);
    }

    /**
     * As {@link #CheckedMemory(Program, List, Object)}, for a program whose instructions are not kept.
     *
     * @param program the program, whose constants get addresses
     * @param regions the memory of its caller
     * @param context the object that helpers get by {@link #context}
     * @throws IllegalArgumentException if a region is longer than 2<sup>39</sup> bytes, or there are too many
     */
    public CheckedMemory(ProgramLayout program, List<ProgramRegion> regions, Object context) {
        this.context = context;
        List<ProgramRegion> all = new ArrayList<>(regions);
        firstData = all.size();
        for (int i = 0; i < program.data().size(); i++) {
            all.add(new ProgramRegion("constants " + i, program.data().get(i)));
        }
        firstFrame = all.size();
        if (firstFrame > MAX_REGIONS) {
            throw new IllegalArgumentException(firstFrame + " regions, at most " + MAX_REGIONS + " are possible");
        }
        stack = new StackFrames(firstFrame);
        for (int i = 0; i < StackFrames.MAX_FRAMES; i++) {
            all.add(stack.region(i));
        }
        for (ProgramRegion region : all) {
            if (region.segment().byteSize() > Addresses.MAX_LENGTH) {
                throw new IllegalArgumentException("the region '" + region.name() + "' is too long");
            }
        }
        names = all.stream().map(ProgramRegion::name).toArray(String[]::new);
        segments = all.stream().map(ProgramRegion::segment).toArray(MemorySegment[]::new);
        first = segments[0];
        firstLength = first.byteSize();
    }

    /**
     * The object that the helpers of this program share beside memory.
     *
     * @return null if there is nothing
     */
    public Object context() {
        return context;
    }

    /**
     * The address of a region of the caller.
     *
     * @param region its index in the caller's list
     * @return the address of its first byte
     */
    public long address(int region) {
        if (region < 0 || region >= firstData) {
            throw new IndexOutOfBoundsException(region);
        }
        return Addresses.of(region);
    }

    /**
     * The address of constants of the program.
     *
     * @param index their index in {@link Program#data()}
     * @return the address of their first byte
     */
    public long dataAddress(int index) {
        if (index < 0 || index >= firstFrame - firstData) {
            throw new IndexOutOfBoundsException(index);
        }
        return Addresses.of(firstData + index);
    }

    /**
     * The stack of the run.
     *
     * @return the frames, whose number changes with calls
     */
    public StackFrames stack() {
        return stack;
    }

    /** Takes all stack frames away, so that a program can begin. */
    public void reset() {
        stack.clear();
        waits = false;
    }

    /** For a helper that {@linkplain Helper#mayWait may wait}: asks the run to stop. Its result comes later. */
    public void waitForHelper() {
        waits = true;
    }

    /**
     * Whether a helper has asked the run to stop.
     *
     * @return true until {@link #stopped}
     */
    public boolean isWaiting() {
        return waits;
    }

    /** The run has stopped, as a helper has asked. */
    public void stopped() {
        waits = false;
    }

    /**
     * Loads a value.
     *
     * @param address where it begins
     * @param length its bytes: 1, 2, 4 or 8
     * @return the value, zero-extended
     * @throws FaultException if it is not wholly in a region
     */
    public long load(long address, int length) throws FaultException {
        return Values.load(find(address, length, "load"), Addresses.offset(address), length);
    }

    /**
     * Stores a value.
     *
     * @param address where it begins
     * @param length its bytes: 1, 2, 4 or 8
     * @param value the value, whose high bits are ignored
     * @throws FaultException if it is not wholly in a region that can be changed
     */
    public void store(long address, int length, long value) throws FaultException {
        Values.store(findWritable(address, length, "store"), Addresses.offset(address), length, value);
    }

    /**
     * Memory from which a helper reads.
     *
     * @param address where it begins
     * @param length its bytes
     * @return the memory
     * @throws FaultException if it is not wholly in a region
     */
    public MemorySegment readable(long address, long length) throws FaultException {
        return find(address, length, "read")
                .asSlice(Addresses.offset(address), length)
                .asReadOnly();
    }

    /**
     * Memory which a helper or an atomic operation changes.
     *
     * @param address where it begins
     * @param length its bytes
     * @return the memory
     * @throws FaultException if it is not wholly in a region that can be changed
     */
    public MemorySegment writable(long address, long length) throws FaultException {
        return findWritable(address, length, "write").asSlice(Addresses.offset(address), length);
    }

    /**
     * Checks bytes that a helper reads, and then finds by {@link #region} and {@link #offset}, without a new object.
     *
     * @param address where they begin
     * @param length their number
     * @throws FaultException if they are not wholly in a region
     */
    public void checkReadable(long address, long length) throws FaultException {
        MemorySegment checked = find(address, length, "read");
        assert checked.byteSize() >= length;
    }

    /**
     * Checks bytes that a helper changes, and then finds by {@link #region} and {@link #offset}, without a new object.
     *
     * @param address where they begin
     * @param length their number
     * @throws FaultException if they are not wholly in a region that can be changed
     */
    public void checkWritable(long address, long length) throws FaultException {
        MemorySegment checked = findWritable(address, length, "write");
        assert checked.byteSize() >= length;
    }

    /**
     * The region of bytes that were checked.
     *
     * @param address where they begin
     * @return the whole region
     */
    public MemorySegment region(long address) {
        return segments[Addresses.region(address)];
    }

    /**
     * Where in its region an address is.
     *
     * @param address an address of a program
     * @return in bytes
     */
    public static long offset(long address) {
        return Addresses.offset(address);
    }

    private MemorySegment find(long address, long length, String access) throws FaultException {
        int number = Addresses.region(address);
        if (number < 0 || number >= stack.end()) {
            throw outside(address, length, access);
        }
        MemorySegment segment = segments[number];
        if (length < 0 || Addresses.offset(address) > segment.byteSize() - length) {
            throw outside(address, length, access);
        }
        return segment;
    }

    private FaultException outside(long address, long length, String access) {
        // the half of the gap before a region is told as an offset from that one
        int nearest = Addresses.nearest(address);
        String place = nearest < 0 || nearest >= stack.end()
                ? String.format(Locale.ROOT, "0x%x, where there is no memory", address)
                : String.format(
                        Locale.ROOT,
                        "offset %d of the region '%s', which has %d bytes",
                        address - Addresses.of(nearest),
                        names[nearest],
                        segments[nearest].byteSize());
        return new FaultException(access + " of " + length + " bytes at " + place);
    }

    private MemorySegment findWritable(long address, long length, String access) throws FaultException {
        MemorySegment segment = find(address, length, access);
        if (segment.isReadOnly()) {
            throw new FaultException(String.format(
                    Locale.ROOT,
                    "%s of %d bytes in the region '%s', which can only be read",
                    access,
                    length,
                    names[Addresses.region(address)]));
        }
        stack.changes(Addresses.region(address));
        return segment;
    }
}
