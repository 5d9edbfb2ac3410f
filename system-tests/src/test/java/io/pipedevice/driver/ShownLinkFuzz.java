// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.test.Attack;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Links that a participant shows a driver, for its accounts, with an occasional error in a message or a position. */
final class ShownLinkFuzz {
    private static final int ONE_IN = 6;

    private static final List<Word> WORDS = List.of(
            new Word("USED_SLOTS", LinkMemoryDescriptor.USED_SLOTS_OFFSET),
            new Word("CONNECTIONS", LinkMemoryDescriptor.CONNECTIONS_OFFSET),
            new Word("TAIL", LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.TAIL_OFFSET),
            new Word("SENT_BEFORE", LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.SENT_BEFORE_OFFSET),
            new Word("HEAD", LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.HEAD_OFFSET),
            new Word("RECEIVED_BEFORE", LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.RECEIVED_BEFORE_OFFSET),
            new Word("STATE", LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.STATE_OFFSET));

    private ShownLinkFuzz() {}

    /** Shows the driver the memory of a link. */
    static void show(Attack attack, Participation client) throws IOException {
        try (SharedRegion own = SharedRegion.create("pd-link", LinkPages.length(), false)) {
            LinkPages.allocate(own, 0, LinkMemoryDescriptor.slot(1));
            own.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET, LinkMemoryDescriptor.MAGIC);
            own.memory().set(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET, LinkMemoryDescriptor.VERSION);
            own.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.USED_SLOTS_OFFSET, 1);
            long inode = Memory.status(own.fd()).inode();
            if (attack.isWrong(3)) {
                attack.log("a link whose " + attack.words.mutate(WORDS, own.memory(), 0));
            }
            client.send(attack.sometimes(ONE_IN, client.shows(own.fd(), inode + 1)));
            attack.reached("shown");
            attack.pause();
            if (attack.isWrong(3)) {
                attack.log("a shown link whose " + attack.words.mutate(WORDS, own.memory(), 0));
            }
            if (!attack.isWrong(2)) {
                client.send(attack.sometimes(ONE_IN, client.hides(inode)));
            }
        }
    }
}
