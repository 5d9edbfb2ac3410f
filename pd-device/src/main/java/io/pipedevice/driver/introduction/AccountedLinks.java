// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.account.LinkMark;
import io.pipedevice.driver.account.LinkMeter;
import io.pipedevice.driver.account.ShownLink;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * The direct links whose ends participants show, for their accounts. Each costs a descriptor; a part of them is
 * withheld from each user, so that no user can keep the links of others from being counted. Belongs to the driver's
 * thread.
 */
final class AccountedLinks {
    private static final System.Logger LOG = new LazyLogger(AccountedLinks.class).get();

    private final LimitedLog full = LimitedLog.warning(
            AccountedLinks.class,
            "user {0} has used its share of the {1} ends of direct links that the driver counts; data of"
                    + " further links are not in the accounts");
    private static final long MOST = 4096;

    /** The reciprocal of the share of this process's descriptors. */
    private static final int SHARE_OF_DESCRIPTORS = 4;

    private final Accounts accounts;
    private final SharedQuota quota = new SharedQuota(most());
    private final ControlMessage message = new ControlMessage();

    AccountedLinks(Accounts accounts) {
        this.accounts = accounts;
    }

    private static long most() {
        try {
            return Math.min(MOST, ProcessFacts.openFilesLimit(0) / SHARE_OF_DESCRIPTORS);
        } catch (IOException e) {
            throw new AssertionError("the own process exists", e);
        }
    }

    /** The process that shows a link. */
    private final class Owner implements ShownLink.Owner {
        private final Participant process;

        Owner(Participant process) {
            this.process = process;
        }

        @Override
        public void cut(long memory, String why) {
            message.request(IntroductionMessage.CUT, 0).argument(memory).text(why);
            try {
                if (process.session.isOpen()) {
                    process.session.socket.send(message.memory(), 0, ControlMessage.LENGTH);
                }
            } catch (LinuxException e) {
                LOG.log(Level.DEBUG, "process {0} is gone: {1}", process.identity.pid(), e.getMessage());
            }
        }

        @Override
        public boolean hasSent(long bytes, long sinceNs, long nowNs) {
            return process.rate.sent(bytes, sinceNs, nowNs);
        }

        @Override
        public void close(Fd memory) {
            quota.give(process.identity.uid(), process.identity.networkNamespace(), 1);
            process.session.close(memory);
        }
    }

    /** A participant shows its end of a link. */
    void show(Participant from, ControlMessage shown, ReceivedFds fds, long nowNs) {
        if (fds.count() != 1) {
            return;
        }
        Fd fd = fds.take(0);
        try {
            SharedRegion.check(fd, LinkPages.length());
        } catch (IOException e) {
            from.session.dispose(fd);
            LOG.log(Level.DEBUG, "process {0} shows no link: {1}", from.identity.pid(), e.getMessage());
            return;
        }
        boolean taken = false;
        try {
            long memory = Memory.status(fd).inode();
            Identity process = from.identity;
            if (from.links.containsKey(memory)) {
                return;
            }
            if (!quota.take(process.uid(), process.networkNamespace(), 1)) {
                full.log(Integer.toUnsignedString(process.uid()), quota.stock());
                return;
            }
            if (from.shows == null) {
                from.shows = new Owner(from);
            }
            LinkMark.Key key = new LinkMark.Key(process.pid(), process.startTime(), memory);
            ShownLink link = new ShownLink(key, shown.argument(), fd, shown.value() == 1, from.shows);
            from.links.put(
                    memory,
                    accounts.show(
                            link, process.container(), process.controlGroup().podUid(), nowNs));
            taken = true;
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "process {0} shows no link: {1}", from.identity.pid(), e.getMessage());
        } finally {
            if (!taken) {
                from.session.close(fd);
            }
        }
    }

    /** A link of a participant has ended. */
    void hide(Participant from, ControlMessage hidden) {
        LinkMeter meter = from.links.remove(hidden.argument());
        if (meter != null) {
            accounts.hide(meter);
        }
    }

    /** A participant has ended. */
    void left(Participant participant) {
        participant.links.values().forEach(accounts::hide);
        participant.links.clear();
    }
}
