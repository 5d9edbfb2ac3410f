// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Program;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The address space of a program: regions of its caller, the constants of the program, and a stack. Every access is checked.
 * An address has the number of a region in its high bits and an offset in it in its low bits, so that no arithmetic of a
 * program leads to memory that is not its own; 0 is no address. Values are little-endian.
 *
 * <pre>
 *   63             40 39                              0
 *  +-----------------+---------------------------------+
 *  | region plus one | offset                          |    regions: of the caller | constants | stack frames
 *  +-----------------+---------------------------------+
 * </pre>
 *
 * <p>A stack frame is a region of its own: a function cannot leave its frame by arithmetic, but can use one of a caller whose
 * address it was given. The frame of a function that has returned is no memory any more.
 *
 * <p>The memory in the regions may be shared. This object belongs to one thread at a time.
 */
public final class Memory {
    /** The bytes of one stack frame. */
    public static final int FRAME_LENGTH = 512;

    /** The number of stack frames, so the depth of calls. */
    public static final int MAX_FRAMES = 8;

    /** The largest number of regions and constants. */
    public static final int MAX_REGIONS = 1 << 16;

    private static final int OFFSET_BITS = 40;
    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

    /** An offset before a region is one behind the region before that: the other half of the offsets is a gap. */
    private static final long MAX_LENGTH = 1L << (OFFSET_BITS - 1);

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * The class of most segments in shared memory. Where it has been compared with the class of a segment, C2 compiles an access
     * to a few instructions, also when it has seen segments of many classes.
     */
    private static final Class<?> OUTSIDE_HEAP = MemorySegment.NULL.getClass();

    private final Object context;
    private final String[] names;
    private final MemorySegment[] segments;
    private final int firstData;
    private final int firstFrame;
    private final long[][] frames = new long[MAX_FRAMES][FRAME_LENGTH / Long.BYTES];

    /** The regions that can be accessed now, which the frames of functions that run are the last of. */
    private int count;

    /** One bit for each frame whose bytes may not be 0, so that a function that uses no stack costs no clearing. */
    private int changedFrames;

    /** Whether a helper has asked the run to stop. */
    private boolean waits;

    /**
     * Lays out the memory of a program.
     *
     * @param program the program, whose constants get addresses
     * @param regions the memory of its caller
     * @throws IllegalArgumentException if a region is longer than 2<sup>39</sup> bytes, or there are too many
     */
    public Memory(Program program, List<Region> regions) {
        this(program, regions, null);
    }

    /**
     * Lays out the memory of a program whose helpers need more than memory.
     *
     * @param program the program, whose constants get addresses
     * @param regions the memory of its caller
     * @param context what helpers find by {@link #context}
     * @throws IllegalArgumentException if a region is longer than 2<sup>39</sup> bytes, or there are too many
     */
    public Memory(Program program, List<Region> regions, Object context) {
        this.context = context;
        List<Region> all = new ArrayList<>(regions);
        firstData = all.size();
        for (int i = 0; i < program.data().size(); i++) {
            all.add(new Region("constants " + i, program.data().get(i)));
        }
        firstFrame = all.size();
        if (firstFrame > MAX_REGIONS) {
            throw new IllegalArgumentException(firstFrame + " regions, at most " + MAX_REGIONS + " are possible");
        }
        for (int i = 0; i < MAX_FRAMES; i++) {
            all.add(new Region("stack frame " + i, MemorySegment.ofArray(frames[i])));
        }
        for (Region region : all) {
            if (region.segment().byteSize() > MAX_LENGTH) {
                throw new IllegalArgumentException("the region '" + region.name() + "' is too long");
            }
        }
        names = all.stream().map(Region::name).toArray(String[]::new);
        segments = all.stream().map(Region::segment).toArray(MemorySegment[]::new);
        count = firstFrame;
    }

    /**
     * What the helpers of this program share beside memory.
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
        return addressOf(region);
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
        return addressOf(firstData + index);
    }

    private static long addressOf(int number) {
        return (number + 1L) << OFFSET_BITS;
    }

    /**
     * Begins a function: gives it a stack frame, whose bytes are 0.
     *
     * @return the address of the end of the frame, for r10
     * @throws FaultException if there is none left
     */
    public long pushFrame() throws FaultException {
        int frame = count - firstFrame;
        if (frame == MAX_FRAMES) {
            throw new FaultException("calls are nested deeper than " + MAX_FRAMES + " functions");
        }
        if ((changedFrames & 1 << frame) != 0) {
            Arrays.fill(frames[frame], 0);
            changedFrames &= ~(1 << frame);
        }
        return addressOf(count++) + FRAME_LENGTH;
    }

    /** Ends a function: takes its stack frame away. */
    public void popFrame() {
        if (count == firstFrame) {
            throw new IllegalStateException("there is no stack frame");
        }
        count--;
    }

    /**
     * The current stack frame, for code that was compiled to access it without an address. In a word, the byte of the lowest
     * address is the least significant one.
     *
     * @return its words, which may be changed until the function ends
     */
    public long[] frame() {
        if (count == firstFrame) {
            throw new IllegalStateException("there is no stack frame");
        }
        int frame = count - 1 - firstFrame;
        changedFrames |= 1 << frame;
        return frames[frame];
    }

    /**
     * The number of stack frames below the current one.
     *
     * @return 0 in the first function of a program; -1 if there is no frame
     */
    public int depth() {
        return count - firstFrame - 1;
    }

    /**
     * The end of a stack frame.
     *
     * @param depth the number of frames below it
     * @return the address that r10 has in its function
     */
    public long frameEnd(int depth) {
        return addressOf(firstFrame + depth) + FRAME_LENGTH;
    }

    /**
     * A stack frame, as {@link #frame()}.
     *
     * @param depth the number of frames below it
     * @return its words, which may be changed until its function ends
     */
    public long[] frame(int depth) {
        changedFrames |= 1 << depth;
        return frames[depth];
    }

    /**
     * A stack frame, as {@link #frame()}.
     *
     * @param end the address of its end: r10 of its function
     * @return its words, which may be changed until its function ends
     */
    public long[] frameOf(long end) {
        return frame((int) (end >>> OFFSET_BITS) - 1 - firstFrame);
    }

    /** Takes all stack frames away, so that a program can begin. */
    public void reset() {
        count = firstFrame;
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
    @SuppressWarnings("DuplicateBranches") // the class of the segment is known in one of them
    public long load(long address, int length) throws FaultException {
        MemorySegment segment = find(address, length, "load");
        long offset = address & OFFSET_MASK;
        return segment.getClass() == OUTSIDE_HEAP ? load(segment, offset, length) : load(segment, offset, length);
    }

    private static long load(MemorySegment segment, long offset, int length) {
        return switch (length) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
            case 2 -> segment.get(SHORT, offset) & 0xffffL;
            case 4 -> segment.get(INT, offset) & 0xffff_ffffL;
            default -> segment.get(LONG, offset);
        };
    }

    /**
     * Stores a value.
     *
     * @param address where it begins
     * @param length its bytes: 1, 2, 4 or 8
     * @param value the value, whose high bits are ignored
     * @throws FaultException if it is not wholly in a region that can be changed
     */
    @SuppressWarnings("DuplicateBranches") // the class of the segment is known in one of them
    public void store(long address, int length, long value) throws FaultException {
        MemorySegment segment = findWritable(address, length, "store");
        long offset = address & OFFSET_MASK;
        if (segment.getClass() == OUTSIDE_HEAP) {
            store(segment, offset, length, value);
        } else {
            store(segment, offset, length, value);
        }
    }

    private static void store(MemorySegment segment, long offset, int length, long value) {
        switch (length) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
            case 2 -> segment.set(SHORT, offset, (short) value);
            case 4 -> segment.set(INT, offset, (int) value);
            default -> segment.set(LONG, offset, value);
        }
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
                .asSlice(address & OFFSET_MASK, length)
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
        return findWritable(address, length, "write").asSlice(address & OFFSET_MASK, length);
    }

    /**
     * The region from which a helper reads, for helpers that create no objects. The bytes begin at the {@link #offset} of the
     * address.
     *
     * @param address where they begin
     * @param length their number
     * @return the whole region, which is not to be changed
     * @throws FaultException if they are not wholly in a region
     */
    public MemorySegment holding(long address, long length) throws FaultException {
        return find(address, length, "read");
    }

    /**
     * The region which a helper changes, for helpers that create no objects. The bytes begin at the {@link #offset} of the
     * address.
     *
     * @param address where they begin
     * @param length their number
     * @return the whole region
     * @throws FaultException if they are not wholly in a region that can be changed
     */
    public MemorySegment holdingWritable(long address, long length) throws FaultException {
        return findWritable(address, length, "write");
    }

    /**
     * Where in its region an address is.
     *
     * @param address an address of a program
     * @return in bytes
     */
    public static long offset(long address) {
        return address & OFFSET_MASK;
    }

    private MemorySegment find(long address, long length, String access) throws FaultException {
        int number = (int) (address >>> OFFSET_BITS) - 1;
        if (number < 0 || number >= count) {
            throw outside(address, length, access);
        }
        MemorySegment segment = segments[number];
        if (length < 0 || (address & OFFSET_MASK) > segment.byteSize() - length) {
            throw outside(address, length, access);
        }
        return segment;
    }

    private FaultException outside(long address, long length, String access) {
        // the half of the gap before a region is told as an offset from that one
        int nearest = (int) ((address + MAX_LENGTH) >>> OFFSET_BITS) - 1;
        String place = nearest < 0 || nearest >= count
                ? String.format("0x%x, where there is no memory", address)
                : String.format(
                        "offset %d of the region '%s', which has %d bytes",
                        address - addressOf(nearest), names[nearest], segments[nearest].byteSize());
        return new FaultException(access + " of " + length + " bytes at " + place);
    }

    private MemorySegment findWritable(long address, long length, String access) throws FaultException {
        MemorySegment segment = find(address, length, access);
        if (segment.isReadOnly()) {
            throw new FaultException(String.format(
                    "%s of %d bytes in the region '%s', which can only be read",
                    access, length, names[(int) (address >>> OFFSET_BITS) - 1]));
        }
        int frame = (int) (address >>> OFFSET_BITS) - 1 - firstFrame;
        if (frame >= 0) {
            changedFrames |= 1 << frame;
        }
        return segment;
    }
}
