package dev.pinion.core.program;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ProgramCaller;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.stage.AncillaryThreadFactory;
import dev.pinion.core.stage.ThreadSetup;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The programs that the tasks of a replica run. Runs at most {@code program.maxRunning} at one
 * moment; the queue of the others is bounded by the permits of their calls, since one that is
 * cancelled leaves it. For any thread.
 */
public final class LocalPrograms implements AutoCloseable {
  private final EngineLimits limits;
  private final Set<Program.Kind> allowed;
  private final ProgramHost host;
  private final ThreadPoolExecutor runners;
  private final Set<ProgramProcess> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Programs of a replica.
   *
   * @param allowed kinds that may run
   * @param search folders in which interpreters are found
   */
  public LocalPrograms(
      EngineLimits limits, Set<Program.Kind> allowed, ProgramSearch search, ThreadSetup threads) {
    this.limits = limits;
    this.allowed = allowed.isEmpty() ? Set.of() : EnumSet.copyOf(allowed);
    // They never end by themselves: a program dies with the thread that began it (prctl(2)).
    this.runners =
        new ThreadPoolExecutor(
            limits.program().maxRunning(),
            limits.program().maxRunning(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new AncillaryThreadFactory("program", threads));
    this.host =
        new ProgramHost(
            new ProgramCommands(limits.program(), search),
            new ProgramGuard(search, ContainerCommands.environment(search)),
            new ProgramKills(),
            Executors.newCachedThreadPool(new AncillaryThreadFactory("program-stream", threads)));
  }

  /**
   * A runner whose listeners are called on an event loop.
   *
   * @param loop runs tasks on it
   */
  public ProgramCaller caller(Executor loop) {
    return (run, callListener) -> run(run, loop, callListener);
  }

  private ServiceCaller.OngoingCall run(
      ProgramRun run, Executor loop, ServiceCaller.CallListener callListener) {
    Program.Kind kind = run.program().kind();
    ProgramProcess process = new ProgramProcess(run, limits, host, loop, callListener);
    if (!allowed.contains(kind)) {
      callListener.onOutcome(
          CallFailures.of(
              ErrorType.AUTHORIZATION,
              "expected a program that the setting programs allows, found " + kind.word()));
    } else if (!closed) {
      Runnable turn = () -> perform(process);
      process.onWithdrawal(() -> runners.remove(turn));
      runners.execute(turn);
    }
    return process;
  }

  private void perform(ProgramProcess process) {
    running.add(process);
    try {
      if (!closed) {
        process.perform();
      }
    } finally {
      running.remove(process);
    }
  }

  /** Counts the programs that were killed. */
  public ProgramKills kills() {
    return host.kills();
  }

  /** Number of runs that wait for their turn. */
  int waiting() {
    return runners.getQueue().size();
  }

  /** Kills every program. */
  @Override
  public void close() {
    closed = true;
    running.forEach(ProgramProcess::kill);
    runners.shutdownNow();
    host.streams().shutdown();
    host.guard().close();
  }
}
