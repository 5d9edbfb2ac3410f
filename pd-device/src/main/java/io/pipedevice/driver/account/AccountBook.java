// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The accounts of all containers, of which there are not more than a fixed number: one more takes the place of the
 * account that has been without a process for the longest time, whose totals are added to those of {@link #OTHERS}. If
 * all have processes, further containers are counted there too. Nothing that was counted is lost. Belongs to the
 * driver's thread.
 */
public final class AccountBook {
    /** The account of those that have none of their own. */
    public static final String OTHERS = "others";

    /** The most accounts, without that of the others. */
    public static final int MOST = 1024;

    /** The longest name of a container or a pod, in characters. */
    static final int LONGEST_NAME = 256;

    private final Map<String, Account> accounts = new LinkedHashMap<>();
    private final int most;

    /** Null until it is needed. */
    private Account others;

    /** Creates a book without accounts. */
    public AccountBook() {
        this(MOST);
    }

    AccountBook(int most) {
        this.most = most;
    }

    /** Continues the accounts of an earlier driver. Called once, before others. */
    void restore(List<Statement> statements) {
        for (Statement each : statements) {
            if (each.container().equals(OTHERS)) {
                others(each.since()).add(each);
            } else if (accounts.size() < most && !accounts.containsKey(each.container())) {
                accounts.put(each.container(), new Account(each));
            } else {
                others(each.since()).add(each);
            }
        }
    }

    /**
     * The account of a container, which a process begins to use.
     *
     * @param container its name; of a longer one than {@value #LONGEST_NAME} characters the end is replaced by a hash
     * @param pod null for none
     * @param nowSeconds since 1970
     * @param pid the process
     * @return until {@link Account#leave}
     */
    Account enter(String container, String pod, int pid, long nowSeconds) {
        Account account = find(shortened(container), pod == null ? "" : shortened(pod), nowSeconds);
        account.enter(pid);
        return account;
    }

    private static String shortened(String name) {
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        String hash = "#" + Integer.toHexString(name.hashCode());
        return name.substring(0, LONGEST_NAME - hash.length()) + hash;
    }

    private Account find(String container, String pod, long nowSeconds) {
        Account account = accounts.get(container);
        if (account != null) {
            return account;
        }
        if (accounts.size() >= most) {
            Account oldest = accounts.values().stream()
                    .filter(each -> !each.isUsed())
                    .min(Comparator.comparingLong(Account::last))
                    .orElse(null);
            if (oldest == null) {
                return others(nowSeconds);
            }
            accounts.remove(oldest.container());
            others(nowSeconds).add(oldest.statement(nowSeconds));
        }
        account = new Account(container, pod, nowSeconds);
        accounts.put(container, account);
        return account;
    }

    private Account others(long nowSeconds) {
        if (others == null) {
            others = new Account(OTHERS, "", nowSeconds);
        }
        return others;
    }

    /** All accounts, that of the others last. */
    List<Statement> statements(long nowSeconds) {
        List<Statement> statements = new ArrayList<>(accounts.size() + 1);
        accounts.values().forEach(each -> statements.add(each.statement(nowSeconds)));
        if (others != null) {
            statements.add(others.statement(nowSeconds));
        }
        return List.copyOf(statements);
    }
}
