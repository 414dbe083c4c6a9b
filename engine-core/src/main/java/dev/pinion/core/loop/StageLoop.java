package dev.pinion.core.loop;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PauseGrace;
import dev.pinion.core.stage.Stage;
import dev.pinion.core.stage.Wakeup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that runs Netty's I/O and the duty cycles of the stages it hosts, in turn:
 *
 * <pre>
 *   ┌─▶ wait for I/O, a signal or the next deadline ─▶ I/O handlers ─▶ each stage's doWork ─▶ Netty's tasks ─┐
 *   └─────────────────────────────────────────────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>I/O handlers put messages into lanes and stages take them out in the same turn, so stages that
 * share a loop need no wake-up between them; a stage on another loop is woken by its lane. The
 * clock is read once per turn.
 *
 * <p>A loop that polls instead of sleeping does so for a while after the last turn in which a stage
 * had work, and sleeps from then on, so that an idle engine leaves its CPUs to others. I/O alone is
 * no work: timers and signals that wake the loop are I/O too, and their messages are work of a
 * stage in the same turn.
 *
 * <p>I/O that came before a deadline is handled before the deadline is enforced. A process that
 * stood still (the machine was suspended, its group frozen) continues with sockets full of
 * responses and with deadlines long past; and a wait for I/O that a stop has interrupted reports
 * none, even if there is some. So a turn that comes long after the last one does its I/O once more,
 * and one whose deadline passed long ago has the stages enforce deadlines a second later.
 *
 * <p>An exception of a stage is logged, and the stage continues with the next turn: a stage must
 * leave itself usable. An error ends the loop.
 */
public final class StageLoop extends SingleThreadIoEventLoop implements Wakeup {
  private static final Logger LOG = LoggerFactory.getLogger(StageLoop.class);

  /** Loop of this thread, if it shares its CPU. */
  private static final FastThreadLocal<StageLoop> SHARING = new FastThreadLocal<>();

  /** Most pauses handled in one turn. */
  private static final int MOST_PAUSES = 3;

  private final Clock clock;
  private final IdleStrategy idleStrategy;
  private final long spinNanos;
  private final IoHandlerContext context = new TurnContext();
  private final PauseGrace grace = new PauseGrace();
  private boolean mayBlock = true;

  /** Loops to wake at the end of the turn; filled and emptied by this loop's thread only. */
  private final List<StageLoop> toWake = new ArrayList<>();

  private Stage[] stages = {};
  private long nettyOffsetNanos;

  /** Times of the latest turn, and of the latest one in which a stage had work. */
  private long turnNanos;

  private long workNanos;
  private volatile long turns;

  StageLoop(
      IoEventLoopGroup parent,
      Executor executor,
      IoHandlerFactory ioHandler,
      Clock clock,
      IdleStrategy idleStrategy,
      int spinMillis) {
    super(parent, executor, ioHandler);
    this.clock = clock;
    this.idleStrategy = idleStrategy;
    this.spinNanos = TimeUnit.MILLISECONDS.toNanos(spinMillis);
  }

  /** Sets the stages of the loop, in the order of their work, and starts its thread. Call once. */
  public void host(List<? extends Stage> hosted) {
    Stage[] array = hosted.toArray(new Stage[0]);
    execute(
        () -> {
          turnNanos = clock.nanoTime();
          workNanos = turnNanos;
          nettyOffsetNanos = ticker().nanoTime() - turnNanos;
          stages = array;
          if (idleStrategy == IdleStrategy.SHARE) {
            SHARING.set(this);
          }
        });
  }

  /** Makes sure that another turn follows. Any thread. */
  @Override
  public void signal() {
    StageLoop sharing = idleStrategy == IdleStrategy.SHARE ? SHARING.getIfExists() : null;
    if (sharing == null) {
      wakeup(false);
    } else if (sharing != this && !sharing.toWake.contains(this)) {
      sharing.toWake.add(this);
    }
  }

  /**
   * Number of turns so far; grows as long as the loop is alive and has something to do. Any thread.
   */
  public long turns() {
    return turns;
  }

  @Override
  protected int runIo() {
    int handled = ioHandler().run(context);
    long nowNanos = clock.nanoTime();
    if (nowNanos - turnNanos > PauseGrace.LATE_NANOS) {
      nowNanos = readBeforeJudging(nowNanos);
    }
    long epochMillis = clock.epochMillis();
    int worked = 0;
    for (Stage stage : stages) {
      worked += work(stage, nowNanos, epochMillis);
    }
    boolean _ = grace.isUnderWay(nowNanos); // deadlines are enforced once it has ended
    turnNanos = nowNanos;
    if (worked > 0) {
      workNanos = nowNanos;
    }
    countTurn();
    if (idleStrategy == IdleStrategy.SHARE) {
      wakeOthers();
    }
    if (letsOthersRun(handled)) {
      yieldCpu();
    }
    return handled;
  }

  /** Handles the I/O that came before now, and defers deadlines; returns the time after that. */
  private long readBeforeJudging(long firstNanos) {
    long beforeNanos = turnNanos;
    long nowNanos = firstNanos;
    for (int i = 0; i < MOST_PAUSES && nowNanos - beforeNanos > PauseGrace.LATE_NANOS; i++) {
      beforeNanos = nowNanos;
      mayBlock = false;
      try {
        int _ = ioHandler().run(context);
      } finally {
        mayBlock = true;
      }
      nowNanos = clock.nanoTime();
    }
    if (grace.begin(Math.max(earliestDeadline(), turnNanos), nowNanos)) {
      putDeadlinesOff(nowNanos);
    }
    return nowNanos;
  }

  private void putDeadlinesOff(long nowNanos) {
    if (grace.endNanos() - nowNanos == PauseGrace.MOST_NANOS) {
      LOG.info("the process stood still: deadlines that passed meanwhile are enforced in a second");
    }
    for (Stage stage : stages) {
      stage.onPause(grace.endNanos());
    }
  }

  private void wakeOthers() {
    for (StageLoop other : toWake) {
      other.wakeup(false);
    }
    toWake.clear();
  }

  private boolean letsOthersRun(int handled) {
    return switch (idleStrategy) {
      case PARK, SPIN -> false;
      case SHARE -> !context.canBlock();
      case YIELD -> handled == 0 && !stagesHaveWork();
    };
  }

  @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it: a reader finds a batch
  private static void yieldCpu() {
    Thread.yield();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // written by this loop's thread only
  private void countTurn() {
    turns++;
  }

  private static int work(Stage stage, long nowNanos, long epochMillis) {
    try {
      return stage.doWork(nowNanos, epochMillis);
    } catch (RuntimeException | OutOfMemoryError e) { // a full heap ends the process
      LOG.error("{} failed in a duty cycle and continues", stage.role(), e);
      return 0;
    }
  }

  @Override
  protected boolean confirmShutdown() {
    boolean confirmed = super.confirmShutdown();
    if (confirmed) {
      closeStages();
    }
    return confirmed;
  }

  private void closeStages() {
    for (Stage stage : stages) {
      try {
        stage.onClose();
      } catch (RuntimeException e) {
        LOG.error("{} failed to close", stage.role(), e);
      }
    }
    stages = new Stage[0];
  }

  private boolean maySleep() {
    return switch (idleStrategy) {
      case PARK, SHARE -> true;
      case YIELD, SPIN -> turnNanos - workNanos >= spinNanos;
    };
  }

  private boolean stagesHaveWork() {
    for (Stage stage : stages) {
      if (stage.hasWork()) {
        return true;
      }
    }
    return false;
  }

  /** The earliest deadline of a hosted stage on Netty's scale, or null. */
  private @Nullable Long nextStageDeadline() {
    long earliest = earliestDeadline();
    return earliest == Stage.NO_DEADLINE ? null : Math.max(0, earliest + nettyOffsetNanos);
  }

  private long earliestDeadline() {
    long earliest = Stage.NO_DEADLINE;
    for (Stage stage : stages) {
      earliest = Math.min(earliest, stage.nextDeadlineNanos());
    }
    return earliest;
  }

  /** Limits of the I/O handler's wait. */
  private final class TurnContext implements IoHandlerContext {
    @Override
    public boolean canBlock() {
      return mayBlock
          && maySleep()
          && toWake.isEmpty()
          && !hasTasks()
          && !hasScheduledTasks()
          && !stagesHaveWork();
    }

    @Override
    public long delayNanos(long currentTimeNanos) {
      long netty = StageLoop.this.delayNanos(currentTimeNanos);
      Long deadline = nextStageDeadline();
      if (deadline == null) {
        return netty;
      }
      long onDeadlineScale = currentTimeNanos - ticker().initialNanoTime();
      return Math.min(netty, Math.max(0, deadline - onDeadlineScale));
    }

    @Override
    public long deadlineNanos() {
      long netty = StageLoop.this.deadlineNanos();
      Long deadline = nextStageDeadline();
      if (deadline == null) {
        return netty;
      }
      return netty < 0 ? deadline : Math.min(netty, deadline);
    }
  }
}
