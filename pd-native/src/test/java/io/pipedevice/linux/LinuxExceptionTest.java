// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinuxExceptionTest {
    @Test
    void theMessageNamesTheCallAndTheErrno() {
        LinuxException e = new LinuxException("memfd_create", Errno.ENOMEM);
        assertEquals("memfd_create: ENOMEM (Cannot allocate memory)", e.getMessage());
        assertEquals("memfd_create", e.call());
        assertEquals(Errno.ENOMEM, e.errno());
        assertEquals("ENOMEM", e.errnoName());
    }

    @Test
    void takesASentenceMore() {
        LinuxException e = new LinuxException("mmap", Errno.EINVAL, "the file is too small");
        assertEquals("mmap: EINVAL (Invalid argument): the file is too small", e.getMessage());
    }

    @Test
    void carriesTheErrnoOfARealCall() {
        LinuxException e = assertThrows(
                LinuxException.class,
                () -> UnixSocket.connect(
                        UnixSocket.Type.STREAM, UnixAddress.abstractName("io.pipedevice.test.nobody")));
        assertEquals("connect: ECONNREFUSED (Connection refused): @io.pipedevice.test.nobody", e.getMessage());
    }

    @Test
    void reachingTheLimitOfOpenFilesIsReportedClearlyAndLeaksNothing() throws Exception {
        try (Child child = Child.java("ulimit -n 100", "--enable-native-access=ALL-UNNAMED", OpensTooMany.class)) {
            String output = child.output();
            String hint = "EMFILE (Too many open files): this process has reached its limit of open files, 100";
            assertTrue(output.contains("eventfd: " + hint), output);
            assertTrue(output.contains("memfd_create: " + hint), output);
            assertTrue(output.contains("accept4: " + hint), output);
            assertTrue(output.contains("recvmsg: " + hint), output);
            assertTrue(output.contains("leaked 0"), output);
            assertTrue(output.contains("accepted afterwards"), output);
        }
    }

    /** Opens descriptors until the limit is reached, then makes every call that needs one. */
    static final class OpensTooMany {
        private OpensTooMany() {}

        public static void main(String[] args) throws Exception {
            UnixAddress address = UnixAddress.abstractName(
                    "io.pipedevice.test.emfile." + ProcessHandle.current().pid());
            UnixSocket listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 4);
            UnixSocket client = UnixSocket.connect(UnixSocket.Type.SEQPACKET, address);
            UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
            ReceivedFds received = new ReceivedFds();
            Arena arena = Arena.global();
            var message = arena.allocate(8);
            pair[0].send(message, 0, 1, client.fd(), client.fd());
            // Load everything that a failure needs now: loading needs a descriptor.
            report(() -> Fd.own(1000).acquire());
            report(() -> Memory.status(Fd.own(1000)));
            report(() -> {
                throw new LinuxException("warm-up", Errno.EMFILE);
            });
            report(() -> Memory.memfd("warm-up", Memory.PageSize.NORMAL).close());
            List<EventFd> all = new ArrayList<>();
            report(() -> {
                while (true) {
                    all.add(EventFd.open());
                }
            });
            report(() -> Memory.memfd("too-many", Memory.PageSize.NORMAL));
            report(listener::accept);
            all.remove(0).close();
            // There is room for one descriptor, and two arrive: neither stays open.
            report(() -> pair[1].receive(message, 0, 8, received, false));
            all.add(EventFd.open());
            report(EventFd::open);
            all.forEach(EventFd::close);
            System.out.println("leaked " + received.count());
            UnixSocket accepted = listener.accept();
            System.out.println("accepted afterwards");
            accepted.close();
        }

        private interface Action {
            void run() throws IOException;
        }

        private static void report(Action action) {
            try {
                action.run();
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
