// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.machine.StackFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The knowledge about a stack frame. Immutable.
 *
 * @param function the index of the function's first instruction
 * @param saved r6 to r9 of the function while one runs that it has called; otherwise nothing
 * @param written the bytes that were written on all paths
 * @param secret the bytes that may be a part of an address
 * @param cells values that were stored, ascending, which do not overlap
 */
record Frame(int function, List<Value> saved, ByteSet written, ByteSet secret, List<Cell> cells) {
    /**
     * A value in a frame.
     *
     * @param offset where it begins
     * @param length its bytes
     * @param value its value: a number that is zero-extended, or a pointer of 8 bytes
     */
    record Cell(int offset, int length, Value value) {
        boolean overlaps(long from, long to) {
            return offset < to && from < offset + length;
        }
    }

    static final int LENGTH = StackFrames.FRAME_LENGTH;

    static Frame empty(int function) {
        return new Frame(function, List.of(), ByteSet.NONE, ByteSet.NONE, List.of());
    }

    Frame withSaved(List<Value> values) {
        return new Frame(function, values, written, secret, cells);
    }

    private Frame withCells(List<Cell> changed) {
        return new Frame(function, saved, written, secret, changed);
    }

    /** Whether bytes can be read as a number. */
    boolean isNumber(int from, int to) {
        return written.hasAll(from, to) && !secret.hasAny(from, to);
    }

    /** The value of exactly these bytes; null if it is not known. */
    Value value(int offset, int length) {
        for (Cell cell : cells) {
            if (cell.offset() == offset && cell.length() == length) {
                return cell.value();
            }
        }
        return null;
    }

    Frame store(int offset, int length, Value value) {
        List<Cell> changed = new ArrayList<>(forget(offset, offset + length).cells);
        int at = 0;
        while (at < changed.size() && changed.get(at).offset() < offset) {
            at++;
        }
        changed.add(at, new Cell(offset, length, value));
        int end = offset + length;
        ByteSet secrets = value instanceof Num ? secret.without(offset, end) : secret.with(offset, end);
        return new Frame(function, saved, written.with(offset, end), secrets, changed);
    }

    /** Forgets the values of bytes to which a number may have been stored. */
    Frame forget(int from, int to) {
        List<Cell> kept =
                cells.stream().filter(each -> !each.overlaps(from, to)).toList();
        return kept.size() == cells.size() ? this : withCells(kept);
    }

    /** Bytes that a helper has written with numbers. */
    Frame fill(int from, int to) {
        return new Frame(function, saved, written.with(from, to), secret, forget(from, to).cells);
    }

    /** The same frame with another value of the cell at an offset. */
    Frame refine(int offset, Value value) {
        return withCells(cells.stream()
                .map(each -> each.offset() == offset ? new Cell(offset, each.length(), value) : each)
                .toList());
    }

    /** The same frame with changed values. */
    Frame replace(UnaryOperator<Value> change) {
        boolean isSame =
                cells.stream().allMatch(each -> change.apply(each.value()).equals(each.value()))
                        && saved.stream().allMatch(each -> change.apply(each).equals(each));
        if (isSame) {
            return this;
        }
        List<Cell> changed = cells.stream()
                .map(each -> new Cell(each.offset(), each.length(), change.apply(each.value())))
                .toList();
        return new Frame(function, saved.stream().map(change).toList(), written, secret, changed);
    }

    /** The same frame after the function of the frame at {@code depth} has returned. */
    Frame withoutPointersTo(int depth) {
        List<Cell> kept = cells.stream()
                .filter(each -> !(each.value() instanceof Pointer pointer) || !pointer.isToFrame(depth))
                .toList();
        return kept.size() == cells.size() ? this : withCells(kept);
    }
}
