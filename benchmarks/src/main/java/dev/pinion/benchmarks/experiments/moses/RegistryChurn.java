package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.core.model.Clock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Changes the price of a service repeatedly, through the interface of providers. Changes are due at
 * equal intervals; one that is due while {@value #MOST_AT_ONCE} are under way is counted as
 * refused. Two prices take turns, so every change has an effect; or the price stays the same, which
 * costs the engine the same requests and means nothing to the broker.
 */
final class RegistryChurn implements AutoCloseable {
  /** Most changes under way, well within the queue of the front desk. */
  private static final int MOST_AT_ONCE = 32;

  private static final double PRICE = 1;
  private static final double OTHER_PRICE = 1.5;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final URI engine;
  private final URI stub;
  private final double otherPrice;
  private final long intervalNanos;
  private final Clock clock = Clock.system();
  private final long beganNanos = clock.nanoTime();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Semaphore room = new Semaphore(MOST_AT_ONCE);
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Thread thread;
  private volatile boolean over;
  private volatile double seconds;

  private RegistryChurn(URI engine, BrokerVariant.Churn churn) {
    this.engine = engine;
    this.stub = churn.stub();
    this.otherPrice = churn.changing() ? OTHER_PRICE : PRICE;
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / churn.perSecond();
    this.thread = Thread.ofPlatform().daemon().name("registry-storm").unstarted(this::run);
  }

  /** Starts the storm. */
  static RegistryChurn begin(URI engine, BrokerVariant.Churn churn) {
    RegistryChurn begun = new RegistryChurn(engine, churn);
    begun.thread.start();
    return begun;
  }

  private void run() {
    for (long number = 0; !over; number++) {
      long due = beganNanos + number * intervalNanos;
      for (long left = due - clock.nanoTime(); left > 0 && !over; left = due - clock.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      if (room.tryAcquire()) {
        send(number % 2 == 0 ? otherPrice : PRICE);
      } else {
        refused.incrementAndGet();
      }
    }
  }

  private void send(double cost) {
    HttpRequest change =
        HttpRequest.newBuilder(engine.resolve("/v1/broker/services/cheap1"))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(BrokerScenario.cheap(1, stub, cost)))
            .build();
    var _ =
        http.sendAsync(change, HttpResponse.BodyHandlers.discarding())
            .whenComplete(
                (answer, failure) -> {
                  boolean success = failure == null && answer.statusCode() < 300;
                  (success ? taken : refused).incrementAndGet();
                  room.release();
                });
  }

  /** Acknowledged changes per second; once the storm is closed. */
  double takenPerSecond() {
    return taken.get() / seconds;
  }

  /** Changes without acknowledgement; once the storm is closed. */
  long refused() {
    return refused.get();
  }

  /** Ends the storm, and waits for requests under way. */
  @Override
  public void close() {
    over = true;
    LockSupport.unpark(thread);
    seconds = (clock.nanoTime() - beganNanos) / 1e9;
    try {
      thread.join(PATIENCE);
      if (!room.tryAcquire(MOST_AT_ONCE, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        refused.addAndGet(MOST_AT_ONCE - (long) room.availablePermits());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.shutdownNow();
  }
}
