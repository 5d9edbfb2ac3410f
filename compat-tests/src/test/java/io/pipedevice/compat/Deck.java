// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Draws the next event: at random, but each kind of event happens at least once in two decks. One thread. */
final class Deck {
    private final Set<Trouble> kinds;
    private final RandomGenerator random;
    private final Deque<Trouble> left = new ArrayDeque<>();

    Deck(Set<Trouble> kinds, RandomGenerator random) {
        this.kinds = kinds;
        this.random = random;
    }

    Trouble draw() {
        if (left.isEmpty()) {
            List<Trouble> cards = new ArrayList<>();
            kinds.forEach(kind -> cards.addAll(Collections.nCopies(kind.cards, kind)));
            Collections.shuffle(cards, random);
            left.addAll(cards);
        }
        return left.remove();
    }
}
