// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.account.AccountFile;
import io.pipedevice.driver.account.Statement;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The accounts that a driver keeps of real processes. The processes of a test are one container. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class AccountsTest {
    @TempDir
    private Path directory;

    /** The only account, or one of nothing before it is written. */
    private Statement account() {
        return account(directory);
    }

    private static Statement account(Path of) {
        try {
            return AccountFile.read(of.resolve(AccountFile.NAME)).statements().get(0);
        } catch (IOException e) {
            return new Statement("", "", 0, 0, 0, 0, Map.of());
        }
    }

    /** Streams from one process to another for a moment; returns how many bytes. */
    private long stream(long seed) throws IOException {
        try (ChildJvm server = StreamProcess.start(directory, 0, seed, 0)) {
            int port = Integer.parseInt(server.expect("PORT"));
            try (ChildJvm client = StreamProcess.start(directory, seed, 0, port)) {
                client.expect("READY");
                client.send("connect");
                client.expect("CONNECTED");
                long before = account().total(Tally.DEVICE_SENT);
                TestDriver.await("an account of a part", () -> account().total(Tally.DEVICE_SENT) > before);
                assertEquals(2, account().processes());
                assertEquals(2, account().open());
                client.send("stop");
                long sent = Long.parseLong(client.expect("SENT").split(" ", -1)[0]);
                server.expect("SENT 0 RECEIVED " + sent);
                return sent;
            }
        }
    }

    private void awaitTotal(long bytes) {
        TestDriver.await(
                "the account of " + bytes + " bytes",
                () -> account().total(Tally.DEVICE_SENT) == bytes && account().processes() == 0,
                () -> "it is " + account());
        assertEquals(bytes, account().total(Tally.DEVICE_RECEIVED));
    }

    @Test
    void whatProcessesSentStaysCountedAfterThemAndAfterTheDriver() throws Exception {
        long bytes;
        try (ChildJvm driver = DriverProcess.start(directory)) {
            bytes = stream(1);
            awaitTotal(bytes);
            assertEquals(2, account().total(Tally.DEVICE_CONNECTIONS));
            assertTrue(account().total(Tally.DEVICE_MESSAGES) > 0);
            assertTrue(account().total(Tally.ENGINE_NS) > 0);
            assertTrue(account().total(Tally.MEMORY) > 0);
            driver.kill();
        }
        try (ChildJvm driver = DriverProcess.start(directory)) {
            bytes += stream(2);
            awaitTotal(bytes);
            assertEquals(4, account().total(Tally.DEVICE_CONNECTIONS));
            driver.send("end");
            driver.awaitEnd();
        }
        assertEquals(bytes, account().total(Tally.DEVICE_SENT));
        assertEquals(
                1,
                AccountFile.read(directory.resolve(AccountFile.NAME))
                        .statements()
                        .size());
    }

    @Test
    void refusalsAreCountedByTheirKind() throws Exception {
        try (TestDriver driver = new TestDriver(new DriverContext().maxSockets(1))) {
            try (RawClient client = driver.attach()) {
                client.socket();
                assertEquals(Errno.ENOBUFS, assertThrows(RawException.class, client::socket).errno);
                TestDriver.await(
                        "the refusal in the account",
                        () -> account(driver.directory).total(Tally.REFUSED_BY_LIMIT) == 1);
            }
        }
    }
}
