package dev.pinion.core.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.model.call.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramGuardTest {
  private static final long WAIT_SECONDS = 60;
  private static final ProgramSearch SEARCH =
      new ProgramSearch(List.of(Path.of("/usr/bin"), Path.of("/bin")));

  private final List<Process> begun = new ArrayList<>();
  private final ProgramGuard guard = new ProgramGuard(SEARCH, Map.of("PATH", "/usr/bin:/bin"));
  @TempDir private Path folder;

  @BeforeEach
  void findSessions() {
    assumeTrue(SEARCH.find(List.of("setsid")) != null, "needs setsid");
  }

  @AfterEach
  void end() {
    guard.close();
    begun.forEach(Process::destroyForcibly);
  }

  /** A program that runs in a session of its own. */
  private Process program() throws IOException {
    Process program =
        new ProcessBuilder("setsid", "sh", "-c", "echo begun; exec sleep 1000").start();
    begun.add(program);
    assertEquals('b', program.getInputStream().read());
    return program;
  }

  private static void awaitEnd(Process program) throws InterruptedException {
    assertTrue(program.waitFor(WAIT_SECONDS, TimeUnit.SECONDS), "killed");
  }

  @Test
  void shouldKillWhatHasNotEndedWhenTheEngineHas() throws Exception {
    Process first = program();
    Process second = program();
    Process third = program();
    String entry = guard.began(first.pid(), null);
    String ended = guard.began(second.pid(), null);
    guard.began(third.pid(), null);
    guard.ended(ended);

    guard.close(); // its input ends as when the engine is killed
    awaitEnd(first);
    awaitEnd(third);
    assertTrue(second.isAlive(), "guarded no longer");
    assertEquals(Long.toString(first.pid()), entry);
  }

  @Test
  void shouldKillContainersByTheIdsThatTheirEngineHasWritten() throws Exception {
    Process container = program();
    Process client = program();
    Path engine = folder.resolve("an engine");
    Files.writeString(engine, "#!/bin/sh\n[ \"$1\" = kill ] && kill -s KILL \"$2\"\n");
    Files.setPosixFilePermissions(engine, PosixFilePermissions.fromString("rwx------"));
    Path id = folder.resolve("container-id");
    guard.began(
        client.pid(),
        new StartedContainer(engine.toString(), Map.of(), id, Program.Container.NEVER));
    Files.writeString(id, Long.toString(container.pid()));

    guard.close();
    awaitEnd(client);
    awaitEnd(container);
  }
}
