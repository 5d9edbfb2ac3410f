// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.Limits;
import io.pipedevice.driver.share.Share;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.wait.TokenBucket;

/**
 * The use of all attachments of one container together, within the limits of the policy ({@link Identity#container}).
 * The options of the driver limit each attachment besides. A limit that becomes less than what is in use takes nothing
 * back. Belongs to the driver's thread.
 */
public final class ContainerUse {
    private static final int SMALLEST_PART = 64;

    /** The process whose limits these are: the first that attached. */
    private final Identity first;

    private Limits limits = Limits.NONE;
    private TokenBucket rate = new TokenBucket(TokenBucket.UNLIMITED, 0);
    private int attachments;
    private int ends;
    private long sendMemory;
    private long receiveMemory;

    /**
     * Nothing is in use, and nothing is limited.
     *
     * @param first process of the container
     */
    public ContainerUse(Identity first) {
        this.first = first;
    }

    Identity first() {
        return first;
    }

    /** Sets the limits, from now on. */
    void limit(Limits now, long nowNs) {
        if (now.bytesPerSecond() != limits.bytesPerSecond()) {
            rate = new TokenBucket(now.bytesPerSecond(), nowNs);
        }
        limits = now;
    }

    /** Counts attachments; the number that is left. */
    int attachments(int change) {
        attachments += change;
        return attachments;
    }

    /**
     * Whether another connection may begin.
     *
     * @param more how many of its ends would be this container's, 1 or 2
     * @return false if the policy's limit is reached
     */
    public boolean hasRoomFor(int more) {
        return limits.connections() == 0 || ends + more <= limits.connections();
    }

    /** Counts ends of connections. */
    void ends(int change) {
        ends += change;
    }

    /**
     * Takes memory for a send region of the container, which the driver maps.
     *
     * @param bytes how much
     * @throws QuotaExceededException if that exceeds the policy's limit
     */
    public void takeSendMemory(long bytes) throws QuotaExceededException {
        check(sendMemory, bytes);
        sendMemory += bytes;
    }

    /**
     * Gives back memory of a send region of the container.
     *
     * @param bytes how much
     */
    public void giveSendMemory(long bytes) {
        sendMemory -= bytes;
    }

    /** Takes memory that the driver allocates. */
    void takeReceiveMemory(long bytes) throws QuotaExceededException {
        check(receiveMemory, bytes);
        receiveMemory += bytes;
    }

    void giveReceiveMemory(long bytes) {
        receiveMemory -= bytes;
    }

    private void check(long used, long more) throws QuotaExceededException {
        if (limits.memory() != 0 && used + more > limits.memory()) {
            throw new QuotaExceededException(
                    "the policy allows the container " + limits.memory() + " bytes, of which " + used + " are in use");
        }
    }

    /** The rate of all attachments together. */
    TokenBucket rate() {
        return rate;
    }

    /**
     * The credit of an attachment in a duty cycle: its part of the container's share.
     *
     * @return in nanoseconds
     */
    public int turnNs() {
        return limits.equals(Limits.NONE)
                ? Share.TURN_NS
                : Math.max(Share.TURN_NS / SMALLEST_PART, Share.TURN_NS * limits.share() / Math.max(1, attachments));
    }
}
