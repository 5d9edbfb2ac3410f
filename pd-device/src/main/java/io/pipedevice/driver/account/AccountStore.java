// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps a driver's accounts in its directory. A thread of its own writes, because a file system may be slow. Belongs to
 * the driver's thread.
 */
public final class AccountStore implements AutoCloseable {
    private static final System.Logger LOG = new LazyLogger(AccountStore.class).get();
    private static final String DAMAGED = AccountFile.NAME + ".damaged";
    private static final long CLOSE_SECONDS = 5;
    private static final AccountFile NOTHING = new AccountFile(0, List.of(), List.of());

    /** Null if the accounts are not kept. */
    private final Path file;

    private final Clock clock;
    private final AccountFile restored;
    private final ExecutorService writer;

    /** The accounts to write; null if there are none. */
    private final AtomicReference<AccountFile> pending = new AtomicReference<>();

    /** Whether the last attempt to write failed. The writer's. */
    private boolean failing;

    private AccountStore(Path file, Clock clock, AccountFile restored) {
        this.file = file;
        this.clock = clock;
        this.restored = restored;
        this.writer = file == null
                ? null
                : Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name("pd-accounts").daemon().factory());
    }

    /**
     * Reads the accounts of an earlier driver. A file that is damaged is renamed, with a warning.
     *
     * @param directory of the driver; null for accounts that end with it
     * @param clock the time of day
     * @return the store, which the caller closes
     */
    public static AccountStore open(Path directory, Clock clock) {
        if (directory == null) {
            return new AccountStore(null, clock, NOTHING);
        }
        Path file = directory.resolve(AccountFile.NAME);
        AccountFile restored = NOTHING;
        try {
            requireOwn(file);
            restored = AccountFile.read(file);
        } catch (NoSuchFileException e) {
            LOG.log(Level.DEBUG, "no accounts of an earlier driver");
        } catch (IOException e) {
            setAside(file, e);
        }
        return new AccountStore(file, clock, restored);
    }

    private static void requireOwn(Path file) throws IOException {
        int owner = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (owner != 0 && owner != ProcessFacts.effectiveUid()) {
            throw new IOException("it belongs to user " + owner);
        }
    }

    private static void setAside(Path file, IOException why) {
        String where;
        try {
            Path aside = file.resolveSibling(DAMAGED);
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            where = "kept as " + aside;
        } catch (IOException e) {
            where = "left there, until it is replaced: " + e.getMessage();
        }
        LOG.log(
                Level.WARNING,
                "the accounts of containers begin at 0, because {0} cannot be used: {1}; it is {2}",
                file,
                why.getMessage(),
                where);
    }

    /** The accounts that an earlier driver has stored. */
    AccountFile restored() {
        return restored;
    }

    /** Has the accounts written soon. */
    void write(List<Statement> statements, List<LinkMark> links) {
        AccountFile now = new AccountFile(clock.instant().getEpochSecond(), statements, links);
        if (file != null && pending.getAndSet(now) == null) {
            writer.execute(this::writePending);
        }
    }

    private void writePending() {
        try {
            pending.getAndSet(null).write(file);
            failing = false;
        } catch (IOException | RuntimeException e) {
            if (!failing) {
                LOG.log(Level.WARNING, "the accounts of containers cannot be written to {0}: {1}", file, e.toString());
            }
            failing = true;
        }
    }

    /** Waits until everything is written, for five seconds at most. */
    @Override
    public void close() {
        if (writer == null) {
            return;
        }
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "the accounts of containers were not written to {0} in time", file);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
