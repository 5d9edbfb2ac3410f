// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Timeout(60)
class PipeDeviceCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine line = pipedevice();

    /** The commands of this module, and two commands of this test. */
    private CommandLine pipedevice() {
        List<CommandModule> modules = new ArrayList<>();
        ServiceLoader.load(CommandModule.class).forEach(modules::add);
        modules.add(Zoo::new);
        modules.add(Aquarium::new);
        return PipeDeviceCommand.commandLine(modules)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
    }

    @Test
    void everyCommandHasHelpAndVersion() {
        List<CommandLine> all = new ArrayList<>();
        collect(line, all);
        assertTrue(all.size() >= 5, all::toString);
        for (CommandLine command : all) {
            String[] path = command.getCommandSpec().qualifiedName().split(" ", -1);
            for (String option : List.of("--help", "-h", "--version", "-V")) {
                out.getBuffer().setLength(0);
                List<String> args = new ArrayList<>(List.of(path).subList(1, path.length));
                args.add(option);
                assertEquals(0, line.execute(args.toArray(String[]::new)), args::toString);
                String wanted = option.contains("h") ? "Exit codes:" : "pipedevice ";
                assertTrue(out.toString().contains(wanted), () -> args + " printed: " + out);
            }
        }
        assertEquals("", err.toString());
    }

    @Test
    void doctorSaysWhereTheOptionsOfAProgramBelong() {
        assertEquals(2, line.execute("doctor", "java", "-version"));
        assertTrue(err.toString().contains("Write -- before a program with options of its own"), err::toString);
    }

    @Test
    void helpListsCommandsOfModulesByName() {
        line.execute("--help");
        String help = out.toString();
        assertTrue(help.indexOf("aquarium") > 0 && help.indexOf("aquarium") < help.indexOf("zoo"), help);
        assertTrue(help.contains("Print a completion script"), help);
    }

    @Test
    void devicesListsWhatCanBeUsedHere() {
        assertEquals(0, line.execute("devices", "--all"), err::toString);
        String printed = out.toString();
        for (String part : List.of("IOMMU", "locked memory", "  emulator", "can be used", "  cuda:")) {
            assertTrue(printed.contains(part), printed);
        }
    }

    @Test
    void noCommandPrintsTheUsageAsAnError() {
        assertEquals(2, line.execute());
        assertTrue(err.toString().startsWith("Usage: pipedevice"), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void unknownCommandIsOneLineAndWhereToLook() {
        assertEquals(2, line.execute("zooo"));
        assertEquals(
                "pipedevice: unknown command 'zooo'|Did you mean: pipedevice zoo?|" + "Try 'pipedevice --help'.|",
                err.toString().replace(System.lineSeparator(), "|"));
    }

    @Test
    void unknownOptionNamesTheCommandToAsk() {
        assertEquals(2, line.execute("zoo", "feed", "--much"));
        assertTrue(err.toString().contains("Try 'pipedevice zoo feed --help'."), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "doctor"})
    void argumentsOfAProgramStayWhatTheyAre(String command, @TempDir Path dir) throws Exception {
        String argument = "@" + Files.writeString(dir.resolve("arguments"), "others");
        List<String> words =
                line.parseArgs(command, "--", "java", argument).subcommand().matchedPositionalValue(0, List.of());
        assertEquals(List.of("java", argument), words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stat --interval 0",
                "stat --interval 3601",
                "stat java",
                "stat --dir DIR 1",
                "driver --dir DIR --max-sockets 0",
                "driver --dir DIR --lanes many",
                "driver --dir DIR --policy none",
                "driver --dir DIR --device none"
            })
    void valueThatIsNotAllowedIsAUsageError(String words, @TempDir Path dir) {
        assertEquals(2, line.execute(words.replace("DIR", dir.toString()).split(" ", -1)), err::toString);
        assertTrue(err.toString().contains("Try 'pipedevice " + words.split(" ", -1)[0]), err::toString);
    }

    @Test
    void doctorTakesOneProcessAtATime() {
        assertEquals(2, line.execute("doctor", "1", "2"));
        assertTrue(err.toString().startsWith("pipedevice: one process at a time"), err::toString);
    }

    @Test
    void groupWithoutCommandIsAUsageError() {
        assertEquals(2, line.execute("zoo"));
        assertTrue(err.toString().contains("Try 'pipedevice zoo --help'."), err::toString);
    }

    @Test
    void failureIsOneLineAndStackTraceOnlyWhenAskedFor() {
        assertEquals(1, line.execute("zoo", "feed", "--animal=lion"));
        assertEquals("pipedevice: the lion is not hungry" + System.lineSeparator(), err.toString());

        for (String[] args : new String[][] {{"-v", "zoo", "feed"}, {"zoo", "feed", "--verbose"}}) {
            err.getBuffer().setLength(0);
            assertEquals(1, line.execute(args));
            assertTrue(err.toString().contains("\tat " + Feed.class.getName()), err::toString);
        }
    }

    @Test
    void failureWithoutMessageIsNamedByItsType() {
        assertEquals(1, line.execute("aquarium"));
        assertEquals("pipedevice: java.lang.IllegalStateException" + System.lineSeparator(), err.toString());
    }

    @Test
    void completionScriptIsReadByBashAndCompletesNestedCommands(@TempDir Path dir) throws Exception {
        assertEquals(0, line.execute("completion"));
        Path script = Files.writeString(dir.resolve("completion.sh"), out.toString());
        assertEquals("", bash("-n", script.toString()));
        // fill COMPREPLY exactly as bash does when the user presses tab after these words
        String tab =
                "source " + script + "; COMP_WORDS=(pipedevice zoo \"\"); COMP_CWORD=2; COMP_LINE='pipedevice zoo ';"
                        + " COMP_POINT=${#COMP_LINE}; _complete_pipedevice; echo \"${COMPREPLY[@]}\"";
        String offered = bash("-c", tab);
        assertTrue(offered.contains("feed"), offered);
        assertFalse(offered.contains("aquarium"), offered);
    }

    private static String bash(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash"));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), printed);
        return printed;
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().forEach(below -> collect(below, all));
    }

    @Command(name = "zoo", description = "Animals.", subcommands = Feed.class)
    static final class Zoo {}

    @Command(name = "feed", description = "Feeds one animal.")
    static final class Feed implements Runnable {
        @Option(names = "--animal", defaultValue = "lion", description = "Which one.")
        private String animal;

        @Override
        public void run() {
            throw new IllegalStateException("the " + animal + " is not hungry");
        }
    }

    @Command(name = "aquarium", description = "Fish.")
    static final class Aquarium implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException();
        }
    }
}
