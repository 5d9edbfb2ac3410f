// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The open sockets of one attachment, by id. Thread safe.
 *
 * @param <S> the sockets
 */
final class SocketTable<S extends EventTarget> {
    private final AtomicReferenceArray<S> sockets;

    SocketTable(int maxSockets) {
        sockets = new AtomicReferenceArray<>(maxSockets);
    }

    void add(int sid, S socket) {
        sockets.set(sid, socket);
    }

    /** Removes a socket; false if another thread has removed it. */
    boolean remove(int sid, S socket) {
        return sockets.compareAndSet(sid, socket, null);
    }

    /** The socket of an id, which may be any number; null if there is none. */
    S get(int sid) {
        return sid >= 0 && sid < sockets.length() ? sockets.get(sid) : null;
    }

    void forEach(Consumer<S> action) {
        for (int i = 0; i < sockets.length(); i++) {
            S socket = sockets.get(i);
            if (socket != null) {
                action.accept(socket);
            }
        }
    }

    /** Makes every sleeping thread look again: what it waits for will not come. */
    void wakeAll() {
        forEach(EventTarget::wakeAll);
    }
}
