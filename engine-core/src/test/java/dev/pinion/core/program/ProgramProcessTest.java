package dev.pinion.core.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgramProcessTest {
  private static final ProgramSearch SEARCH =
      new ProgramSearch(List.of(Path.of("/usr/bin"), Path.of("/bin")));

  private final EngineLimits limits = EngineLimits.defaults();
  private final List<CallOutcome> outcomes = new ArrayList<>();

  /** A process that may have no more threads. */
  private static final class NoThreads extends ThreadPoolExecutor {
    NoThreads() {
      super(0, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
    }

    @Override
    public void execute(Runnable work) {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  @Test
  void shouldFailWhenThereIsNoThreadForTheOutput() {
    ProgramRun run =
        new ProgramRun(
            new Program.Shell("exec sleep 1000"),
            List.of(),
            new TreeMap<>(),
            null,
            ProgramRun.Returns.STDOUT,
            null);
    try (ProgramGuard guard = new ProgramGuard(SEARCH, Map.of());
        NoThreads threads = new NoThreads()) {
      ProgramHost host =
          new ProgramHost(
              new ProgramCommands(limits.program(), SEARCH), guard, new ProgramKills(), threads);
      new ProgramProcess(run, limits, host, Runnable::run, outcomes::add).perform();
    }

    WorkflowError error = assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst()).error();
    assertEquals(ErrorType.RUNTIME.uri(), error.type());
    assertTrue(String.valueOf(error.detail()).startsWith("the engine failed to run shell: "));
    assertEquals(1, outcomes.size());
  }
}
