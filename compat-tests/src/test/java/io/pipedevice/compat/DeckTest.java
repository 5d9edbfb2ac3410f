// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeckTest {
    private static final int CARDS =
            Stream.of(Trouble.values()).mapToInt(kind -> kind.cards).sum();

    private final Set<Trouble> all = EnumSet.allOf(Trouble.class);

    private List<Trouble> draw(Deck deck) {
        return Stream.generate(deck::draw).limit(CARDS).toList();
    }

    @Test
    void everyDeckHasAllKinds() {
        Deck deck = new Deck(all, new SplittableRandom(1));
        List<Trouble> first = draw(deck);
        List<Trouble> second = draw(deck);
        for (Trouble kind : all) {
            assertEquals(kind.cards, Collections.frequency(first, kind), kind::toString);
            assertEquals(kind.cards, Collections.frequency(second, kind), kind::toString);
        }
        assertNotEquals(first, second);
    }

    @Test
    void sameSeedDealsTheSame() {
        assertEquals(draw(new Deck(all, new SplittableRandom(2))), draw(new Deck(all, new SplittableRandom(2))));
    }

    @Test
    void whatIsOffIsNotDealt() {
        Deck deck = new Deck(EnumSet.of(Trouble.STOPPED), new SplittableRandom(3));
        assertEquals(Set.of(Trouble.STOPPED), Set.copyOf(draw(deck)));
    }
}
