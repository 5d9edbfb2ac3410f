// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

/**
 * The driver's half of the send buffer table: the data that a socket posted and the device has not completely copied,
 * in order. It has the paper's entries (pointer, size), but not Figure 5's running total, which has no use here. The
 * half that allocates blocks is PD Lib's ({@link io.pipedevice.memory.SendBufferTable}); this half holds only validated
 * entries.
 *
 * <p>Adjacent posts in the ring are gathered into one entry, so that many small sends become one copy. An entry records
 * how many posts it contains. Belongs to the driver's thread.
 */
public final class SendQueue {
    private static final int MIN_ENTRIES = 8;

    private final int maxPosts;
    private final int maxGather;
    private int gatherLimit;
    private int[] pointer = new int[MIN_ENTRIES];
    private int[] size = new int[MIN_ENTRIES];
    private int[] posts = new int[MIN_ENTRIES];

    /**
     * Positions of entries: head is the oldest that is not completed, submit the oldest that is not completely
     * submitted.
     */
    private int head;

    private int submit;
    private int tail;

    private int submittedOfEntry;
    private int completedOfEntry;
    private int outstandingPosts;
    private int unsubmittedBytes;

    /**
     * Creates an empty queue.
     *
     * @param maxPosts posts that may be outstanding
     * @param gatherLimit most bytes of an entry that contains several posts
     */
    public SendQueue(int maxPosts, int gatherLimit) {
        this.maxPosts = maxPosts;
        this.maxGather = gatherLimit;
        this.gatherLimit = gatherLimit;
    }

    /**
     * Limits gathering to an eighth of the part of the ring that is in use: the posts of an entry complete together,
     * and the sender cannot reuse their space before.
     */
    void ringSize(int bytes) {
        gatherLimit = Math.min(maxGather, bytes / 8);
    }

    /** Adds a post; false if more posts are outstanding than an honest process has. */
    boolean post(int offset, int length) {
        if (outstandingPosts == maxPosts) {
            return false;
        }
        outstandingPosts++;
        unsubmittedBytes += length;
        if (submit != tail) {
            int last = tail - 1 & pointer.length - 1;
            if (pointer[last] + size[last] == offset && size[last] + length <= gatherLimit) {
                size[last] += length;
                posts[last]++;
                return true;
            }
        }
        if (tail - head == pointer.length) {
            grow();
        }
        int i = tail++ & pointer.length - 1;
        pointer[i] = offset;
        size[i] = length;
        posts[i] = 1;
        return true;
    }

    boolean hasUnsubmitted() {
        return submit != tail;
    }

    /** Offset in the send ring of the next byte to submit. */
    int nextPointer() {
        return pointer[submit & pointer.length - 1] + submittedOfEntry;
    }

    /** Bytes of the current entry that are not submitted yet. */
    int nextLength() {
        return size[submit & pointer.length - 1] - submittedOfEntry;
    }

    void submitted(int length) {
        unsubmittedBytes -= length;
        submittedOfEntry += length;
        if (submittedOfEntry == size[submit & pointer.length - 1]) {
            submit++;
            submittedOfEntry = 0;
        }
    }

    /**
     * Takes a completion, in the order of submission.
     *
     * @return number of posts that it completes, 0 if an entry is not complete yet
     */
    int completed(int length) {
        int done = 0;
        completedOfEntry += length;
        while (head != submit && completedOfEntry >= size[head & pointer.length - 1]) {
            completedOfEntry -= size[head & pointer.length - 1];
            done += posts[head & pointer.length - 1];
            head++;
        }
        outstandingPosts -= done;
        return done;
    }

    int outstandingPosts() {
        return outstandingPosts;
    }

    int unsubmittedBytes() {
        return unsubmittedBytes;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Drops the data that are not submitted. Submitted commands complete as usual. */
    void dropUnsubmitted() {
        if (submit != tail) {
            int i = submit & pointer.length - 1;
            unsubmittedBytes = 0;
            if (submittedOfEntry > 0) {
                size[i] = submittedOfEntry;
                submit++;
                submittedOfEntry = 0;
            }
            tail = submit;
        }
    }

    private void grow() {
        int length = pointer.length * 2;
        int[][] old = {pointer, size, posts};
        int[][] grown = new int[old.length][length];
        for (int entry = head; entry != tail; entry++) {
            for (int field = 0; field < old.length; field++) {
                grown[field][entry & length - 1] = old[field][entry & old[field].length - 1];
            }
        }
        pointer = grown[0];
        size = grown[1];
        posts = grown[2];
    }
}
