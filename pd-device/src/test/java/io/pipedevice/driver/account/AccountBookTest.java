// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;

class AccountBookTest {
    private final AccountBook book = new AccountBook(2);

    private Statement statement(String container) {
        return book.statements(99).stream()
                .filter(each -> each.container().equals(container))
                .findFirst()
                .orElseThrow();
    }

    private Account used(String container, int pid, long bytes, long seconds) {
        Account account = book.enter(container, null, pid, seconds);
        account.add(Tally.DEVICE_SENT, bytes);
        account.leave(pid, seconds);
        return account;
    }

    @Test
    void processesOfOneContainerHaveOneAccountAlsoAfterTheirEnd() {
        Account first = book.enter("a", "pod", 1, 10);
        assertSame(first, book.enter("a", "pod", 1, 11));
        assertSame(first, book.enter("a", "pod", 2, 12));
        first.add(Tally.DEVICE_SENT, 5);
        assertEquals(2, statement("a").processes());
        first.leave(1, 20);
        assertEquals(2, statement("a").processes());
        first.leave(1, 21);
        first.leave(2, 22);
        assertSame(first, book.enter("a", "pod", 3, 30));
        first.add(Tally.DEVICE_SENT, 6);
        assertEquals(11, statement("a").total(Tally.DEVICE_SENT));
        assertEquals(1, statement("a").processes());
        assertEquals(10, statement("a").since());
        assertEquals("pod", statement("a").pod());
    }

    @Test
    void theAccountThatWasUsedLeastLatelyIsAddedToTheOthers() {
        used("old", 1, 1, 10);
        used("older", 2, 2, 5);
        used("new", 3, 4, 20);
        assertEquals(
                List.of("old", "new", AccountBook.OTHERS),
                book.statements(99).stream().map(Statement::container).toList());
        assertEquals(2, statement(AccountBook.OTHERS).total(Tally.DEVICE_SENT));
        used("newer", 4, 8, 30);
        assertEquals(3, statement(AccountBook.OTHERS).total(Tally.DEVICE_SENT));
    }

    @Test
    void withoutRoomContainersAreCountedAmongTheOthers() {
        book.enter("a", null, 1, 1);
        book.enter("b", null, 2, 2);
        Account others = book.enter("c", null, 3, 3);
        others.add(Tally.INTRODUCED, 7);
        assertEquals(7, statement(AccountBook.OTHERS).total(Tally.INTRODUCED));
        assertEquals(1, statement(AccountBook.OTHERS).processes());
        assertEquals(3, book.statements(99).size());
    }

    @Test
    void restoredAccountsGoOn() {
        used("a", 1, 10, 5);
        used("b", 2, 20, 6);
        used("c", 3, 30, 7);
        AccountBook next = new AccountBook(2);
        next.restore(book.statements(50));
        assertEquals(book.statements(99), next.statements(99));
        Account again = next.enter("c", null, 4, 60);
        again.add(Tally.DEVICE_SENT, 1);
        assertEquals(
                31,
                next.statements(99).stream()
                        .filter(each -> each.container().equals("c"))
                        .findFirst()
                        .orElseThrow()
                        .total(Tally.DEVICE_SENT));
    }

    @Test
    void aBookWithLessRoomLosesNothing() {
        used("a", 1, 10, 5);
        used("b", 2, 20, 6);
        AccountBook next = new AccountBook(1);
        next.restore(book.statements(50));
        assertEquals(
                30,
                next.statements(99).stream()
                        .mapToLong(each -> each.total(Tally.DEVICE_SENT))
                        .sum());
    }

    @Test
    void longNamesAreCutAndStayDifferent() {
        String name = "x".repeat(1000);
        book.enter(name + "1", null, 1, 1);
        book.enter(name + "2", null, 2, 2);
        List<Statement> both = book.statements(99);
        assertEquals(AccountBook.LONGEST_NAME, both.get(0).container().length());
        assertNotEquals(both.get(0).container(), both.get(1).container());
    }

    @Test
    void aTotalStopsAtItsEnd() {
        Account account = book.enter("a", null, 1, 1);
        account.add(Tally.DEVICE_SENT, Long.MAX_VALUE - 1);
        account.add(Tally.DEVICE_SENT, 5);
        assertEquals(Long.MAX_VALUE, statement("a").total(Tally.DEVICE_SENT));
    }
}
