// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

/** Calls in their order, each of which is in one list at most, so that it can be removed at once. Belongs to the driver's thread. */
final class CallList {
    private Call first;
    private Call last;

    boolean isEmpty() {
        return first == null;
    }

    void addLast(Call call) {
        assert call.list == null : "in another list";
        call.list = this;
        call.previous = last;
        if (last == null) {
            first = call;
        } else {
            last.next = call;
        }
        last = call;
    }

    void addFirst(Call call) {
        assert call.list == null : "in another list";
        call.list = this;
        call.next = first;
        if (first == null) {
            last = call;
        } else {
            first.previous = call;
        }
        first = call;
    }

    /** The first one; null if there is none. */
    Call first() {
        return first;
    }

    /** Removes the first one; returns null if there is none. */
    Call poll() {
        Call call = first;
        if (call != null) {
            remove(call);
        }
        return call;
    }

    /** Removes a call; returns false if it is not here. */
    boolean remove(Call call) {
        if (call.list != this) {
            return false;
        }
        if (call.previous == null) {
            first = call.next;
        } else {
            call.previous.next = call.next;
        }
        if (call.next == null) {
            last = call.previous;
        } else {
            call.next.previous = call.previous;
        }
        call.list = null;
        call.next = null;
        call.previous = null;
        return true;
    }
}
