// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The owners of the Unix sockets that listen in this network namespace. */
public final class UnixListeners {
    /**
     * The most sockets that are checked, because other users can create as many as their limit of descriptors allows.
     */
    private static final int MOST = 4096;

    private static final int ROOM = 32 * 1024;
    private static final int TCP_LISTEN = 10;

    // struct unix_diag_req, and struct unix_diag_msg
    private static final int REQUEST_LENGTH = 24;
    private static final int STATES = 4;
    private static final int SHOW = 12;
    private static final int SHOW_NAME = 0x1;
    private static final int SHOW_UID = 0x40;
    private static final int ANSWER_LENGTH = 16;

    // Attributes of an answer.
    private static final int NAME = 0;
    private static final int UID = 7;

    private UnixListeners() {}

    /**
     * Finds the users that own abstract names with a common prefix. The time grows with the number of Unix sockets in
     * the namespace.
     *
     * @param prefix with which the names begin
     * @return the users of the names, as this process's user namespace sees them; without users that the kernel does
     *     not report (before Linux 5.3 it reports none), and after at most {@link #MOST} sockets
     * @throws LinuxException EAFNOSUPPORT, EPROTONOSUPPORT, EACCES, ENOENT if the kernel cannot be queried; EMFILE,
     *     ENFILE
     */
    public static Map<String, Integer> users(String prefix) throws LinuxException {
        Map<String, Integer> users = new HashMap<>();
        try (SockDiag diag = SockDiag.open(ROOM)) {
            write(diag.question(REQUEST_LENGTH));
            diag.ask(true, REQUEST_LENGTH);
            MemorySegment answer = diag.next();
            for (int i = 0; answer != null && i < MOST; i++) {
                take(answer, prefix, users);
                answer = diag.next();
            }
        }
        return users;
    }

    private static void write(MemorySegment request) {
        request.set(ValueLayout.JAVA_BYTE, 0, (byte) SocketCalls.AF_UNIX);
        request.set(INT, STATES, 1 << TCP_LISTEN);
        request.set(INT, SHOW, SHOW_NAME | SHOW_UID);
    }

    private static void take(MemorySegment answer, String prefix, Map<String, Integer> users) {
        if (answer.byteSize() < ANSWER_LENGTH) {
            return;
        }
        MemorySegment attributes = answer.asSlice(ANSWER_LENGTH);
        MemorySegment name = NetlinkSocket.attribute(attributes, NAME);
        MemorySegment uid = NetlinkSocket.attribute(attributes, UID);
        String abstractName = name == null ? null : abstractName(name);
        if (abstractName != null && abstractName.startsWith(prefix) && uid != null && uid.byteSize() >= Integer.BYTES) {
            users.put(abstractName, uid.get(INT, 0));
        }
    }

    /** An abstract name follows a byte of 0, which a path does not have. */
    private static String abstractName(MemorySegment data) {
        if (data.byteSize() == 0 || data.get(ValueLayout.JAVA_BYTE, 0) != 0) {
            return null;
        }
        byte[] bytes = new byte[(int) data.byteSize() - 1];
        MemorySegment.copy(data, ValueLayout.JAVA_BYTE, 1, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
