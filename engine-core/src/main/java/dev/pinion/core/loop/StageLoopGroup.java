package dev.pinion.core.loop;

import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.ThreadSetup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A number of {@link StageLoop}s of one kind. Threads start when their loop is given its stages.
 */
public final class StageLoopGroup extends MultiThreadIoEventLoopGroup {
  private final List<StageLoop> loops;

  /**
   * Loops that are not started yet.
   *
   * @param name name of the threads, followed by a number
   * @param count number of loops
   * @param transport mechanism of their I/O
   * @param clock source of time
   * @param idleStrategy behaviour without work
   * @param spinMillis time after the last work in which loops that poll do so before they sleep;
   *     {@code loop.spinMillis} of the limits
   * @param setup preparation of each thread
   */
  public StageLoopGroup(
      String name,
      int count,
      Transport transport,
      Clock clock,
      IdleStrategy idleStrategy,
      int spinMillis,
      ThreadSetup setup) {
    super(count, threads(name, setup), transport.ioHandler(), clock, idleStrategy, spinMillis);
    List<StageLoop> children = new ArrayList<>(count);
    for (EventExecutor child : this) {
      children.add((StageLoop) child);
    }
    this.loops = List.copyOf(children);
  }

  /** Loops that sleep whenever there is nothing to do. */
  public static StageLoopGroup parked(
      String name, int count, Transport transport, Clock clock, ThreadSetup setup) {
    return new StageLoopGroup(name, count, transport, clock, IdleStrategy.PARK, 0, setup);
  }

  /** The loops, in order of their numbers. */
  public List<StageLoop> loops() {
    return loops;
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory ioHandler, Object... args) {
    return new StageLoop(
        this, executor, ioHandler, (Clock) args[0], (IdleStrategy) args[1], (Integer) args[2]);
  }

  private static ThreadFactory threads(String name, ThreadSetup setup) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      String role = name + "-" + number.getAndIncrement();
      Runnable prepared =
          () -> {
            setup.prepare(role, ThreadSetup.ThreadKind.CRITICAL);
            work.run();
          };
      return new FastThreadLocalThread(prepared, role);
    };
  }
}
