package dev.pinion.core.program;

import dev.pinion.core.limits.ProgramLimits;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.stage.AncillaryThreadFactory;
import dev.pinion.core.stage.ThreadSetup;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Programs with which a client exchanges lines of text, within the bounds of other programs. Runs
 * at most {@code program.maxRunning} at one moment; the queue of the others is bounded by the
 * permits of their calls. For any thread.
 */
public final class ProgramDialogues implements AutoCloseable {
  private final ProgramLimits limits;
  private final Set<Program.Kind> allowed;
  private final ProgramCommands commands;
  private final ThreadPoolExecutor readers;
  private final ProgramGuard guard;
  private final ExecutorService streams;
  private final Set<ProgramDialogue> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Dialogues of a replica.
   *
   * @param allowed kinds that may run
   * @param search folders in which programs are found
   */
  public ProgramDialogues(
      ProgramLimits limits, Set<Program.Kind> allowed, ProgramSearch search, ThreadSetup threads) {
    this.limits = limits;
    this.allowed = allowed.isEmpty() ? Set.of() : EnumSet.copyOf(allowed);
    this.commands = new ProgramCommands(limits, search);
    this.guard = new ProgramGuard(search, ContainerCommands.environment(search));
    // They never end by themselves: a program dies with the thread that began it (prctl(2)).
    this.readers =
        new ThreadPoolExecutor(
            limits.maxRunning(),
            limits.maxRunning(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new AncillaryThreadFactory("dialogue", threads));
    this.streams =
        Executors.newCachedThreadPool(new AncillaryThreadFactory("dialogue-stream", threads));
  }

  /** Whether programs of a kind may run. */
  public boolean allows(Program.Kind kind) {
    return allowed.contains(kind);
  }

  /** Begins a dialogue with a program of a kind that may run. */
  public ProgramDialogue begin(ProgramRun run, ProgramDialogue.LineListener lineListener) {
    ProgramDialogue dialogue =
        new ProgramDialogue(run, limits, commands, guard, streams, lineListener);
    Runnable turn = () -> perform(dialogue);
    dialogue.onWithdrawal(() -> readers.remove(turn));
    try {
      readers.execute(turn);
    } catch (RejectedExecutionException e) {
      lineListener.onEnd("the engine stopped before the program began");
    }
    return dialogue;
  }

  private void perform(ProgramDialogue dialogue) {
    running.add(dialogue);
    try {
      if (closed) {
        dialogue.kill();
      }
      dialogue.perform();
    } finally {
      running.remove(dialogue);
    }
  }

  /** Kills every program. */
  @Override
  public void close() {
    closed = true;
    running.forEach(ProgramDialogue::kill);
    readers.shutdownNow();
    streams.shutdown();
    guard.close();
  }
}
