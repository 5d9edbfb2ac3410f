// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.BellLink;
import io.pipedevice.peer.wait.PeerSource;
import io.pipedevice.peer.wait.SlotBell;
import java.util.function.Consumer;

/** A source that the peer of one link makes ready: it is armed in the words of its slot. Thread safe. */
abstract class SlotSource extends PeerSource {
    final PeerSlot slot;

    SlotSource(PeerSlot slot) {
        this.slot = slot;
    }

    @Override
    protected boolean arm(int direction, Bell bell, long generation, int cookie) {
        int number = slot.link.numberOf(bell);
        slot.ownWord(armOffset(direction), PeerArmWord.of(number, generation, cookie));
        // If the peer is gone there is nothing to wait for.
        return number != RingLink.NO_BELL || slot.link.isBroken();
    }

    @Override
    protected SlotBell slotBell(int direction) {
        return slot.isMet() ? slot.bell(direction) : null;
    }

    @Override
    protected void armInSlot(int direction, long generation) {
        slot.ownWord(armOffset(direction), PeerArmWord.inSlot(direction == PdEpoll.IN, generation));
    }

    @Override
    protected void disarm(int direction) {
        slot.ownWord(armOffset(direction), PeerArmWord.DISARMED);
    }

    private static int armOffset(int direction) {
        return direction == PdEpoll.IN ? LinkMemoryDescriptor.READ_ARM_OFFSET : LinkMemoryDescriptor.WRITE_ARM_OFFSET;
    }

    @Override
    protected boolean sharesProcessor(int processor) {
        slot.tellProcessor(processor);
        return slot.isPeerOn(processor);
    }

    @Override
    protected long wakeUpNanos() {
        return slot.link.wakeUpCost().nanos();
    }

    @Override
    protected void woken(long asleepSince, long now) {
        slot.woken(asleepSince, now);
    }

    @Override
    protected boolean isOf(BellLink link) {
        return slot.link.equals(link);
    }

    @Override
    protected void forEachLink(Consumer<BellLink> visitor) {
        visitor.accept(slot.link);
    }
}
