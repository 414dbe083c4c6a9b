package dev.pinion.core.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs with which lines are exchanged. */
class ProgramDialogueTest {
  private static final long WAIT_SECONDS = 60;

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  @TempDir private Path folder;
  private @Nullable ProgramDialogues opened;
  private volatile @Nullable ProgramDialogue begun;

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
  }

  private ProgramDialogues dialogues(Map<String, Integer> limits) {
    ProgramDialogues made =
        new ProgramDialogues(
            EngineLimits.defaults().with(limits).program(),
            Set.of(Program.Kind.MCP),
            new ProgramSearch(List.of(folder, Path.of("/usr/bin"), Path.of("/bin"))),
            ThreadSetup.NONE);
    opened = made;
    return made;
  }

  private ProgramDialogue begin(ProgramDialogues dialogues, String script, String... arguments)
      throws IOException {
    Path program = folder.resolve("server");
    Files.writeString(program, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return begin(dialogues, new Program.Server("server"), arguments);
  }

  private ProgramDialogue begin(ProgramDialogues dialogues, Program program, String... arguments) {
    ProgramRun run =
        new ProgramRun(
            program,
            List.of(arguments),
            new TreeMap<>(Map.of("WORD", "hello")),
            null,
            ProgramRun.Returns.NONE,
            null);
    return dialogues.begin(
        run,
        new ProgramDialogue.LineListener() {
          @Override
          public void onBegin(ProgramDialogue started) {
            begun = started;
            told.add("begun");
          }

          @Override
          public void onLine(String line) {
            told.add("line " + line);
          }

          @Override
          public void onEnd(String problem) {
            told.add("end " + problem);
          }
        });
  }

  private String next() throws InterruptedException {
    return Objects.requireNonNull(told.poll(WAIT_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void shouldExchangeLines() throws Exception {
    begin(
        dialogues(Map.of()),
        "while read line; do echo \"$1 $WORD $line\"; done; echo done >&2; exit 3\n",
        "a b");

    assertEquals("begun", next());
    ProgramDialogue program = Objects.requireNonNull(begun);
    program.send("one é");
    assertEquals("line a b hello one é", next());
    program.send("two");
    assertEquals("line a b hello two", next());
    program.finish();
    assertEquals("end expected run mcp to answer, found its end with exit code 3: done", next());
  }

  @Test
  void shouldKillAProgramThatIgnoresTheEndOfItsInput() throws Exception {
    begin(dialogues(Map.of()), "exec sleep 600\n");

    assertEquals("begun", next());
    Objects.requireNonNull(begun).finish();

    assertTrue(next().startsWith("end expected run mcp to answer"));
  }

  @Test
  void shouldBoundWhatAProgramWrites() throws Exception {
    begin(
        dialogues(Map.of("program.maxOutputBytes", 1_024)),
        "while true; do echo 0123456789012345678901234567890123456789; done\n");

    String last = next();
    while (!last.startsWith("end")) {
      last = next();
    }
    assertEquals(
        "end expected run mcp to write at most 1024 bytes to each output (program.maxOutputBytes),"
            + " found more",
        last);
  }

  @Test
  void shouldBoundTheTimeOfAProgram() throws Exception {
    begin(dialogues(Map.of("program.timeoutSeconds", 1)), "exec sleep 600\n");

    assertEquals("begun", next());
    assertEquals(
        "end expected run mcp to end within 1 s (program.timeoutSeconds), found it running",
        next());
  }

  @Test
  void shouldTellThatAProgramIsMissing() throws Exception {
    begin(dialogues(Map.of()), new Program.Server("no-such-program"));
    assertTrue(next().startsWith("end expected no-such-program in "));
    begin(dialogues(Map.of()), new Program.Server("../server"));
    assertEquals(
        "end expected the name of a program or its absolute path, found ../server", next());
  }

  @Test
  void shouldLeaveTheQueueWhenItIsKilledBeforeItsTurn() throws Exception {
    ProgramDialogues one = dialogues(Map.of("program.maxRunning", 1));
    ProgramDialogue first = begin(one, "exec sleep 600\n");
    assertEquals("begun", next());
    ProgramDialogue second = begin(one, new Program.Server("server"));

    second.kill();
    first.kill();

    assertTrue(next().startsWith("end expected run mcp to answer"));
    one.close();
    assertTrue(told.isEmpty(), told::toString);
  }

  @Test
  void shouldAllowKindsByName() {
    ProgramDialogues dialogues = dialogues(Map.of());

    assertTrue(dialogues.allows(Program.Kind.MCP));
    assertFalse(dialogues.allows(Program.Kind.SHELL));
  }
}
