package dev.pinion.bootstrap.child;

import dev.pinion.bootstrap.process.Signals;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The order to end after the work under way, by the parent or by a signal. For any thread. */
public final class DrainOrder {
  private final CountDownLatch given = new CountDownLatch(1);
  private volatile Runnable onGiven = () -> {};

  /** Gives the order; further times have no effect. */
  public void give() {
    given.countDown();
    onGiven.run();
  }

  /** Lets signals give the order, such as {@code TERM}. */
  public void giveBy(String... signals) {
    for (String signal : signals) {
      Signals.handle(signal, this::give);
    }
  }

  /**
   * Sets an action that ends a wait for other work.
   *
   * @param action run when the order is given, on any thread, perhaps more than once
   */
  public void onGiven(Runnable action) {
    onGiven = action;
    if (isGiven()) {
      action.run();
    }
  }

  /** Whether the order was given. */
  public boolean isGiven() {
    return given.getCount() == 0;
  }

  /** Waits for the order at most for some time; returns whether it was given. */
  public boolean await(Duration patience) throws InterruptedException {
    return given.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Repeats work on a daemon thread until the order is given.
   *
   * @param thread name of the thread
   * @param pause time between two turns; the first one is immediate
   * @param turn returns false to end earlier
   */
  public void repeatUntilGiven(String thread, Duration pause, BooleanSupplier turn) {
    Thread.ofPlatform().daemon().name(thread).start(() -> repeat(pause, turn));
  }

  private void repeat(Duration pause, BooleanSupplier turn) {
    try {
      boolean more = turn.getAsBoolean();
      while (more && !await(pause)) {
        more = turn.getAsBoolean();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
