// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountFileTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1764039615), ZoneOffset.UTC);

    @TempDir
    private Path directory;

    private static Statement statement(String container, long sent) {
        return new Statement(container, "", 5, 6, 1, 2, Map.of(Tally.DEVICE_SENT, sent, Tally.ENGINE_NS, 1L));
    }

    private Path file() {
        return directory.resolve(AccountFile.NAME);
    }

    private static String with(String lines) {
        return with(lines, 2);
    }

    private static String with(String lines, int version) {
        String head = "{\"pipedevice_accounts\":" + version + ",\"written\":1}\n" + lines;
        CRC32C sum = new CRC32C();
        sum.update(head.getBytes(StandardCharsets.UTF_8));
        return head + String.format("{\"crc32c\":\"%08x\"}\n", sum.getValue());
    }

    private void store(Statement... statements) {
        try (AccountStore store = AccountStore.open(directory, CLOCK)) {
            store.write(List.of(statements), List.of());
        }
    }

    private List<Statement> restored() {
        try (AccountStore store = AccountStore.open(directory, CLOCK)) {
            return store.restored().statements();
        }
    }

    @Test
    void whatWasStoredIsRestored() throws IOException {
        Statement first = statement("/a\"b\\c\u0001\u00fc\n", Long.MAX_VALUE);
        Statement second = new Statement(AccountBook.OTHERS, "0f3-pod", 0, 0, 0, 0, Map.of());
        store(first, second);
        assertEquals(List.of(first, second), restored());
        assertEquals(1764039615, AccountFile.read(file()).written());
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(file())),
                "only its user reads it");
    }

    @Test
    void aFileOfTheMostAccountsIsRead() throws IOException {
        List<Statement> most = new ArrayList<>();
        for (int i = 0; i <= AccountBook.MOST; i++) {
            most.add(statement(("\u00fc".repeat(AccountBook.LONGEST_NAME - 5) + i), Long.MAX_VALUE));
        }
        store(most.toArray(new Statement[0]));
        assertEquals(most.size(), restored().size());
    }

    @Test
    void whatIsCountedOfLinksIsRestored() throws IOException {
        List<LinkMark> marks = new ArrayList<>();
        for (int i = 0; i < AccountFile.MOST_LINKS; i++) {
            LinkMark.Key key = new LinkMark.Key(i, Long.MAX_VALUE - i, Long.MAX_VALUE);
            marks.add(new LinkMark(key, Long.MAX_VALUE, i, 3));
        }
        try (AccountStore store = AccountStore.open(directory, CLOCK)) {
            store.write(List.of(statement("a", 1)), marks);
        }
        assertEquals(List.of(statement("a", 1)), restored());
        assertEquals(marks, AccountFile.read(file()).links());
    }

    @Test
    void aFileOfTheFirstVersionIsRead() throws IOException {
        String text = with("{\"container\":\"a\",\"pod\":\"\",\"device_sent_bytes\":5}\n", 1);
        AccountFile file = AccountFile.parse(text);
        assertEquals(5, file.statements().get(0).total(Tally.DEVICE_SENT));
        assertEquals(List.of(), file.links());
        assertThrows(IOException.class, () -> AccountFile.parse(with("", 3)));
    }

    @Test
    void moreLinksThanADriverCountsAreRefused() {
        String many = with("{\"memory\":1,\"pid\":1}\n".repeat(AccountFile.MOST_LINKS + 1));
        assertThrows(IOException.class, () -> AccountFile.parse(many));
    }

    @Test
    void aDamagedFileIsKeptAsideAndTheAccountsBeginAtZero() throws IOException {
        String text = new AccountFile(1, List.of(statement("a", 7), statement("b", 8)), List.of()).text();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(7));
            Files.write(file(), bytes);
            assertEquals(List.of(), restored(), "seed " + seed);
            assertFalse(Files.exists(file()), "seed " + seed);
            assertTrue(Files.exists(directory.resolve(AccountFile.NAME + ".damaged")));
        }
        Files.writeString(file(), text.substring(0, text.length() / 2));
        assertEquals(List.of(), restored());
        Files.writeString(file(), "");
        assertEquals(List.of(), restored());
        store(statement("c", 1));
        assertEquals(1, restored().size());
    }

    @Test
    void aNumberBelowZeroOrTooLargeIsDamage() throws IOException {
        String good = "{\"container\":\"a\",\"pod\":\"\",\"device_sent_bytes\":%s}\n";
        assertEquals(
                5,
                AccountFile.parse(with(String.format(good, "5")))
                        .statements()
                        .get(0)
                        .total(Tally.DEVICE_SENT));
        for (String bad : List.of("-1", "1e3", "9223372036854775808", "\"1\"", "[1]")) {
            String text = with(String.format(good, bad));
            assertThrows(IOException.class, () -> AccountFile.parse(text), bad);
        }
    }

    @Test
    void moreAccountsThanADriverHasAreRefused() throws IOException {
        String many = with("{\"container\":\"a\",\"pod\":\"\"}\n".repeat(AccountBook.MOST + 2));
        assertThrows(IOException.class, () -> AccountFile.parse(many));
    }

    @Test
    void aDirectoryInItsPlaceIsKeptAside() throws IOException {
        Files.createDirectory(file());
        assertEquals(List.of(), restored());
        store(statement("a", 1));
        assertEquals(1, restored().size());
    }

    @Test
    void aLinkInItsPlaceIsNotFollowed() throws IOException {
        Path target = directory.resolve("target");
        Files.writeString(target, new AccountFile(1, List.of(statement("b", 1)), List.of()).text());
        Files.createSymbolicLink(file(), target);
        assertEquals(List.of(), restored());
        store(statement("a", 1));
        assertEquals("a", restored().get(0).container());
        assertEquals("b", AccountFile.read(target).statements().get(0).container());
    }
}
