// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.policy.Policy;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends each participant the rate at which it may send on direct connections: the rate of its container, in equal parts
 * for all its participants, and no more than the driver's option allows each process. Belongs to the driver's thread.
 */
final class DirectRates {
    private final Policy policy;

    /** In bytes per second; 0 for no limit. */
    private final long mostOfEach;

    private final ControlMessage message = new ControlMessage();

    /** Whether rates may have changed, or could not be sent. */
    private boolean open;

    DirectRates(Policy policy, long mostOfEach) {
        this.policy = policy;
        this.mostOfEach = mostOfEach;
    }

    /** The participants of a container. */
    private static final class Group {
        private final long rate;
        private int size;

        Group(long rate) {
            this.rate = rate;
        }
    }

    /** The participants, or the policy, have changed. */
    void changed() {
        open = true;
    }

    /** Whether {@link #settle} has to be called. */
    boolean isOpen() {
        return open;
    }

    /** Sets and sends the rates that have changed, after the answers to their participants. */
    void settle(List<Participant> participants, long nowNs) {
        if (!open) {
            return;
        }
        open = false;
        Map<String, Group> groups = new HashMap<>();
        for (Participant each : participants) {
            // As for the device, the limits are those of the first process.
            groups.computeIfAbsent(
                            each.identity.container(),
                            name -> new Group(policy.limits(each.identity).bytesPerSecond()))
                    .size++;
        }
        for (Participant each : participants) {
            each.rate.set(part(groups.get(each.identity.container())), nowNs);
            open |= !sendRate(each);
        }
    }

    private long part(Group group) {
        if (group.rate == 0) {
            return mostOfEach;
        }
        long part = Math.max(1, group.rate / group.size);
        return mostOfEach == 0 ? part : Math.min(part, mostOfEach);
    }

    /** Sends a participant its rate, unless it knows it. False if that is not possible now. */
    private boolean sendRate(Participant to) {
        long rate = to.rate.bytesPerSecond();
        if (rate == to.sentRate || !to.session.isOpen()) {
            return true;
        }
        if (!to.send(message.request(IntroductionMessage.RATE, 0).argument(rate))) {
            return false;
        }
        to.sentRate = rate;
        return true;
    }
}
