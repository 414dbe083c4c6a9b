package dev.pinion.broker.lp;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A solver on a separate thread, so that one that hangs or throws costs only its answer. Native
 * code cannot be interrupted: while a call hangs, further ones fail at once, and the bound is one
 * lost thread. One call at a time.
 */
public final class GuardedSolver implements LpSolver, AutoCloseable {
  /** Time by which a solver may exceed its limit, which it checks only now and then. */
  private final Duration grace;

  private final LpSolver solver;
  private final ExecutorService thread;
  private @Nullable Future<Solution> hanging;

  /** A solver whose thread starts at the first call. */
  public GuardedSolver(LpSolver solver, Duration grace) {
    this.solver = solver;
    this.grace = grace;
    thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("lp-solver").daemon(true).factory());
  }

  @Override
  public String name() {
    return solver.name();
  }

  @Override
  public void warmUp() {
    solver.warmUp();
  }

  @Override
  public Solution solve(LinearProgram program, Duration limit) {
    Future<Solution> before = hanging;
    if (before != null && !before.isDone()) {
      return new Solution.Failed("an earlier call has not come back yet");
    }
    Future<Solution> call = thread.submit(() -> solver.solve(program, limit));
    hanging = call;
    return await(call, limit.plus(grace));
  }

  private static Solution await(Future<Solution> call, Duration patience) {
    try {
      return Objects.requireNonNullElseGet(
          call.get(patience.toNanos(), TimeUnit.NANOSECONDS),
          () -> new Solution.Failed("the solver returned nothing"));
    } catch (TimeoutException e) {
      return new Solution.TimedOut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Solution.Failed("interrupted while waiting for the solver");
    } catch (ExecutionException e) {
      return new Solution.Failed("the solver threw " + e.getCause());
    }
  }

  /** Lets the thread end; a hanging call is abandoned. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
