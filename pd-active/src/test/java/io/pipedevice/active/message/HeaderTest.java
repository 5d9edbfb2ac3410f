// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.pipedevice.active.bpf.Clang;
import io.pipedevice.active.bpf.elf.ObjectFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of an active function in README.md, with pd_active.h. */
@Timeout(120)
class HeaderTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    @TempDir
    private Path directory;

    private final LocalRegions local = LocalRegions.of(1, 4096);

    @BeforeEach
    void linkNodes() {
        for (int i = 1; i <= 10; i++) {
            long node = i * 64L;
            local.region(0).set(LONG, node, 100 + i);
            local.region(0).set(LONG, node + 8, 1000 + i);
            local.region(0).set(LONG, node + 16, i < 10 ? node + 64 : 0);
        }
    }

    private static String example(String function) throws IOException {
        String page = Files.readString(Path.of("README.md"));
        Matcher matcher =
                Pattern.compile("```c\n(#include.*?)```", Pattern.DOTALL).matcher(page);
        while (matcher.find()) {
            if (matcher.group(1).contains("PD_ACTIVE u64 " + function + "(")) {
                return matcher.group(1);
            }
        }
        return fail("the page has no function " + function);
    }

    private MessageFunction compile(String function, int messageLength) throws Exception {
        Path source = Files.writeString(directory.resolve("function.c"), example(function));
        Path object = Clang.compile(source, "-Isrc/main/c");
        return MessageFunction.of(ObjectFile.read(object).programIn("active"), messageLength, 1);
    }

    private MessageRun run(MessageFunction function, RegionAccess access, long key) {
        MessageRun run = new MessageRun(function);
        run.message().copyFrom(MemorySegment.ofArray(new long[] {key, 64, -1}));
        run.begin();
        while (true) {
            switch (run.run(access, 64)) {
                case WAITS -> local.complete(run.operation());
                case PAUSED -> {}
                default -> {
                    return run;
                }
            }
        }
    }

    @Test
    void aListInARegionIsFollowed() throws Exception {
        MessageFunction find = compile("find", 24);
        for (RegionAccess access : new RegionAccess[] {local, new LocalRegions(each -> true, local.region(0))}) {
            MessageRun found = run(find, access, 107);
            assertEquals(1, found.result());
            assertEquals(1007, found.message().get(LONG, 16));
            assertEquals(0, run(find, access, 99).result());
        }
    }

    @Test
    void aWordIsAddedTo() throws Exception {
        MessageRun run = new MessageRun(compile("add", 16));
        run.message().copyFrom(MemorySegment.ofArray(new long[] {1024 + 9, 5}));
        run.begin();
        assertEquals(MessageRun.State.ENDED, run.run(local, 1000));
        assertEquals(1001, run.result());
        assertEquals(1006, run.message().get(LONG, 0));
        assertEquals(1006, local.region(0).get(LONG, 72));
    }
}
