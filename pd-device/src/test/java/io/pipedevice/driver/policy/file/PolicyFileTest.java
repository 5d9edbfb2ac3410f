// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.Limits;
import io.pipedevice.driver.policy.RulePolicy;
import io.pipedevice.driver.policy.Sameness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFileTest {
    private static final Path FILE = Path.of("p.yaml");

    /** With the keys of docs/policy.md. */
    private static final String WHOLE = """
            # comment
            containers:
              shop:
                cgroup: [/kubepods.slice/**, /shop.slice/*.scope]
                user: [1000, root]
              db: {pod: 2f0b1c6e-7a54-4d7b-9f3e-0a1b2c3d4e5f}
              batch: {container: 4f1c2d3e}
              host: {network-namespace: driver, user-namespace: driver}
              office: {address: [10.1.0.0/16, "fd00::/8"]}
            rules:
              - {from: shop, to: [db, batch], path: direct}
              - from: office
                to: any
                path: kernel
              - same: [user, network-namespace]
                path: device
            default: kernel
            limits:
              - of: [batch, shop]
                connections: 100
                memory: 256m
                rate: 10 Gbit/s
                share: 4
              - {of: any, rate: 1000000}
            """;

    private static RulePolicy parse(String text) throws PolicyException {
        return PolicyFile.parse(FILE, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String refusal(String text) {
        return assertThrows(PolicyException.class, () -> parse(text)).getMessage();
    }

    @Test
    void everyKeyIsRead() throws PolicyException {
        RulePolicy policy = parse(WHOLE);
        assertEquals(
                List.of(
                        "shop: cgroup /kubepods.slice/** or /shop.slice/*.scope, user 1000 or 0",
                        "db: pod 2f0b1c6e-7a54-4d7b-9f3e-0a1b2c3d4e5f",
                        "batch: container 4f1c2d3e"),
                policy.groups().subList(0, 3).stream().map(Object::toString).toList());
        assertEquals(
                "office: address 10.1.0.0/16 or fd00:0:0:0:0:0:0:0/8",
                policy.groups().get(4).toString());
        List<RulePolicy.Rule> rules = policy.rules();
        assertEquals(
                List.of(11, 12, 15, 17),
                rules.stream().map(RulePolicy.Rule::line).toList());
        assertEquals(List.of("shop"), names(rules.get(0).from()));
        assertEquals(List.of("db", "batch"), names(rules.get(0).to()));
        assertEquals(DataPath.DIRECT, rules.get(0).ruling().path());
        assertEquals(List.of(), rules.get(1).to());
        assertTrue(rules.get(1).ruling().reason().contains("line 12"));
        assertEquals(
                Set.of(Sameness.USER, Sameness.NETWORK_NAMESPACE), rules.get(2).same());
        assertEquals(DataPath.DEVICE, rules.get(2).ruling().path());
        assertEquals(
                new Limits(100, 256 << 20, 1_250_000_000, 4),
                policy.limits().get(0).limits());
        assertEquals(new Limits(0, 0, 1_000_000, 1), policy.limits().get(1).limits());
        assertEquals(19, policy.limits().get(0).line());
    }

    private static List<String> names(List<io.pipedevice.driver.policy.Group> groups) {
        return groups.stream().map(io.pipedevice.driver.policy.Group::name).toList();
    }

    @Test
    void theExampleOfTheDocumentationIsValid() throws IOException, PolicyException {
        String page = Files.readString(Path.of("../docs/policy.md"));
        String example = page.substring(page.indexOf("    containers:"), page.indexOf("## Containers"));
        RulePolicy policy = parse(example.replaceAll("(?m)^ {4}", ""));
        assertEquals(5, policy.groups().size());
        assertEquals(5, policy.rules().size());
        assertEquals(2, policy.limits().size());
    }

    @Test
    void aRuleMayPermitSomeOperationsOnRegions() throws PolicyException {
        RulePolicy policy = parse("rules:\n- path: device\n  regions: [read, atomic]\n- path: direct\n  regions: none\n"
                + "- path: direct\ndefault: kernel");
        assertEquals(
                List.of(RegionMessage.READ | RegionMessage.ATOMIC, 0, RegionMessage.ALL, 0),
                policy.rules().stream().map(rule -> rule.ruling().regions()).toList());
    }

    @Test
    void aDefaultIsEnough() throws PolicyException {
        assertEquals(
                DataPath.DEVICE,
                parse("default: device").rules().get(0).ruling().path());
    }

    /** {@code |} stands for the end of a line. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            ``                                       ; 1: the file has no text; allowed are containers, rules, default, limits
            rules: []                                ; 1: default is missing
            rules: []|default: fast                  ; 2: default of the policy: fast; allowed: direct, device, kernel
            default: kernel|rule: []                 ; 2: unknown key rule in the policy; allowed: containers, rules, default, limits
            default: kernel|default: direct          ; 2: default stands twice in the policy
            [kernel]                                 ; 1: the policy is a mapping
            default: kernel|rules: x                 ; 2: rules of the policy is a list
            default: kernel|rules:|- direct          ; 3: a rule is a mapping: lines of KEY: VALUE, with the keys from, to, same, path
            default: kernel|rules:|- from: any       ; 3: path of a rule is missing; allowed: direct, device, kernel
            default: kernel|rules:|- {path: ring}    ; 3: path of a rule: ring; allowed: direct, device, kernel
            default: kernel|rules:|- {path: [direct]} ; 3: path of a rule is one word
            default: kernel|rules:|- path: direct|  form: any ; 4: unknown key form in a rule; allowed: from, to, same, path
            default: kernel|rules:|- path: direct|  to: shop  ; 4: to of a rule: shop; allowed: any
            default: kernel|containers:|  a: {user: 1}|rules:|- {path: direct, from: b} ; 5: from of a rule: b; allowed: any, a
            default: kernel|containers:|  a: {user: 1}|rules:|- {path: direct, from: [a, any]} ; 5: from of a rule has other names
            default: kernel|rules:|- {path: direct, from: []} ; 3: from of a rule is a list of 1 to
            default: kernel|rules:|- {path: direct, from: [[any]]} ; 3: from of a rule is one word or a list of words
            default: kernel|rules:|- {path: direct, same: group} ; 3: same of a rule: group; allowed: user, pod, container, network-namespace
            default: kernel|containers: a            ; 2: containers is a mapping
            default: kernel|containers:|  any: {user: 1} ; 3: containers cannot be named any
            default: kernel|containers:|  a b: {user: 1} ; 3: containers cannot be named a b
            default: kernel|containers:|  a: {}      ; 3: containers without a condition; allowed: cgroup, pod, container, user
            default: kernel|containers:|  a: {image: x} ; 3: unknown key image in containers a; allowed: cgroup
            default: kernel|containers:|  a: {cgroup: x} ; 3: cgroup of containers a: x; allowed: paths
            default: kernel|containers:|  a: {pod: x} ; 3: pod of containers a: x; allowed: UIDs
            default: kernel|containers:|  a: {container: shop} ; 3: container of containers a: shop; allowed: 8 to 64 digits
            default: kernel|containers:|  a: {user: no-such-user} ; 3: user of containers a: no-such-user; allowed: numbers, and names
            default: kernel|containers:|  a: {user: 65534} ; 3: user of containers a: 65534; allowed: users that the kernel can tell
            default: kernel|containers:|  a: {network-namespace: host} ; 3: network-namespace of containers a: host; allowed: driver, and the number
            default: kernel|containers:|  a: {address: 10.1.0.1/16} ; 3: address of containers a: 10.1.0.1/16; allowed: the range begins at 10.1.0.0/16
            default: kernel|containers:|  a: {address: 10.1.0.0/33} ; 3: address of containers a: 10.1.0.0/33; allowed: a prefix of this address has 0 to 32 bits
            default: kernel|containers:|  a: {address: shop} ; 3: address of containers a: shop; allowed: write an address as
            default: kernel|limits:|- {rate: 1}      ; 3: of of a limit is missing
            default: kernel|limits:|- {of: any, rate: fast} ; 3: rate of a limit: fast; allowed: bytes per second, or with a unit
            default: kernel|limits:|- {of: any, rate: 0} ; 3: rate of a limit: 0; allowed
            default: kernel|limits:|- {of: any, memory: 1m} ; 3: memory of a limit: 1m; allowed: 4m to 65536g
            default: kernel|limits:|- {of: any, connections: many} ; 3: connections of a limit: many; allowed: 1 to 65535
            default: kernel|limits:|- {of: any, share: 101} ; 3: share of a limit: 101; allowed: 1 to 100
            default: kernel|containers:|  a: {address: 10.0.0.0/8}|limits:|- {of: a, rate: 1} ; 5: of of a limit names a, which depends on the address
            default: kernel|rules: [                 ; no YAML
            default: kernel|  rules: []              ; 2: no YAML
            default: &a kernel|x: *b                 ; no YAML
            """)
    void anErrorNamesTheLineTheKeyAndWhatIsAllowed(String text, String message) {
        String refusal = refusal(text == null ? "" : text.replace('|', '\n'));
        assertTrue(
                refusal.startsWith("p.yaml:" + message) || (refusal.startsWith("p.yaml:") && refusal.contains(message)),
                refusal);
    }

    @Test
    void theInputIsBounded() {
        assertTrue(refusal("default: " + "[".repeat(100_000)).contains("p.yaml:1: more than 16 levels"));
        assertTrue(refusal("a: &a x\nb: [" + "*a, ".repeat(101) + "x]").contains("p.yaml:2: more than 100 aliases"));
        byte[] long1 = " ".repeat(PolicyFile.MOST_BYTES + 1).getBytes(StandardCharsets.UTF_8);
        assertTrue(long1.length > PolicyFile.MOST_BYTES);
    }

    @Test
    void anchorsMayBeUsed() throws PolicyException {
        RulePolicy policy = parse("containers: {a: {user: &us [1, 2]}, b: {user: *us}}\ndefault: kernel");
        assertEquals("b: user 1 or 2", policy.groups().get(1).toString());
    }

    @Test
    void aFileThatCannotBeReadIsAnError(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("policy.yaml");
        assertTrue(assertThrows(PolicyException.class, () -> PolicyFile.read(file))
                .getMessage()
                .startsWith(file + ": cannot be read"));
        Files.write(file, new byte[PolicyFile.MOST_BYTES + 1]);
        assertTrue(assertThrows(PolicyException.class, () -> PolicyFile.read(file))
                .getMessage()
                .startsWith(file + ": is longer"));
        Files.write(file, new byte[] {(byte) 0xFF});
        assertEquals(
                file + ": is not in UTF-8",
                assertThrows(PolicyException.class, () -> PolicyFile.read(file)).getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "10 Gbit/s, 1250000000",
        "40Gbit/s, 5000000000",
        "500 Mbit/s, 62500000",
        "1.25 GB/s, 1250000000",
        "100 MiB/s, 104857600",
        "8 bit/s, 1",
        "12 kB/s, 12000",
        "12 KB/s, 12000",
        "125000000, 125000000",
        "1 iB/s, -1",
        "10 Gbit, -1",
        "Gbit/s, -1",
        "-1, -1",
        "1e9, -1",
        "999999999999999999 TB/s, -1"
    })
    void ratesHaveUnits(String text, long bytesPerSecond) {
        assertEquals(bytesPerSecond, Rate.parse(text));
    }
}
