// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.jdk.Literals;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UnixRulesTest {
    private static void finds(String path, UnixRules rules, InetSocketAddress to) {
        UnixDomainSocketAddress found = rules.find(to, Placement.UNBOUNDED, false);
        assertEquals(path, found == null ? null : found.getPath().toString());
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(Literals.address(address), port);
    }

    /** An address as a resolver returns it, with the name that it was asked for. */
    private static InetSocketAddress named(String name, String address, int port) throws UnknownHostException {
        return new InetSocketAddress(
                InetAddress.getByAddress(name, Literals.address(address).getAddress()), port);
    }

    @Test
    void addressAndPortAreThoseOfTheRule() {
        UnixRules rules = UnixRules.of("127.0.0.1:6379=/run/redis.sock,[2001:db8::1]:5432=/run/.s.PGSQL.5432");
        finds("/run/redis.sock", rules, at("127.0.0.1", 6379));
        finds(null, rules, at("127.0.0.1", 6380));
        finds(null, rules, at("127.0.0.2", 6379));
        finds("/run/.s.PGSQL.5432", rules, at("2001:db8::1", 5432));
        finds(null, rules, at("2001:db8::2", 5432));
    }

    @Test
    void theFirstOfTwoRulesHolds() {
        finds("/a", UnixRules.of("127.0.0.1:80=/a,127.0.0.1:80=/b"), at("127.0.0.1", 80));
    }

    @Test
    void localhostIsBothLoopbackAddresses() {
        UnixRules rules = UnixRules.of("localhost:80=/a");
        finds("/a", rules, at("127.0.0.1", 80));
        finds("/a", rules, at("::1", 80));
        finds(null, rules, at("127.0.0.2", 80));
    }

    @Test
    void aNameThatTheProgramUsesTooNeedsNoLookUp() throws UnknownHostException {
        UnixRules rules = UnixRules.of("db.invalid:5432=/a");
        finds("/a", rules, named("DB.invalid", "192.0.2.1", 5432));
        finds(null, rules, named("other.invalid", "192.0.2.1", 5432));
    }

    @Test
    void aNameIsLookedUpForAnAddressWithoutOne() throws UnknownHostException {
        InetAddress own = InetAddress.getLocalHost();
        UnixRules rules = UnixRules.of(own.getHostName() + ":80=/a");
        InetSocketAddress to = new InetSocketAddress(InetAddress.getByAddress(own.getAddress()), 80);
        UnixDomainSocketAddress found = null;
        while (found == null) {
            found = rules.find(to, Placement.UNBOUNDED, true);
        }
        assertEquals("/a", found.getPath().toString());
    }

    @Test
    void severalThreadsMayAskWhileANameIsLookedUp() throws Exception {
        InetAddress own = InetAddress.getLocalHost();
        UnixRules rules = UnixRules.of(own.getHostName() + ":80=/a");
        InetSocketAddress to = new InetSocketAddress(InetAddress.getByAddress(own.getAddress()), 80);
        List<FutureTask<UnixDomainSocketAddress>> askers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            FutureTask<UnixDomainSocketAddress> asker = new FutureTask<>(() -> {
                UnixDomainSocketAddress found = null;
                while (found == null) {
                    found = rules.find(to, Placement.UNBOUNDED, true);
                }
                return found;
            });
            askers.add(asker);
            Thread.ofPlatform().start(asker);
        }
        for (FutureTask<UnixDomainSocketAddress> asker : askers) {
            assertEquals("/a", asker.get().getPath().toString());
        }
    }

    @Test
    void withoutThePropertyThereAreNone() {
        assertNull(UnixRules.read());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127.0.0.1:80",
                "127.0.0.1=/a",
                "127.0.0.1:=/a",
                "127.0.0.1:0=/a",
                "127.0.0.1:65536=/a",
                "127.0.0.1:+80=/a",
                "127.0.0.1:80=a",
                "127.0.0.1:80=",
                ":80=/a",
                "::1:80=/a",
                "[::1:80=/a",
                "[127.0.0.1]:80=/a",
                "[::g]:80=/a",
                "127.0.0.256:80=/a",
                "127.1:80=/a",
                "-a:80=/a",
                "a b:80=/a",
                "127.0.0.1:80=/a,",
                "127.0.0.1:80=/a,/b",
                "127.0.0.1:80=/\0",
                "127.0.0.1:80=/23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678"
            })
    void anythingElseIsRefusedWithTheAllowedForm(String text) {
        assertEquals(
                "pipedevice.unix = " + text + "; allowed: HOST:PORT=/path[,HOST:PORT=/path...]",
                assertThrows(IllegalArgumentException.class, () -> UnixRules.of(text))
                        .getMessage());
    }
}
