package dev.pinion.bootstrap.replica;

import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.front.FrontDesk;
import dev.pinion.broker.monitor.Batch;
import dev.pinion.broker.monitor.Observations;
import dev.pinion.core.spi.BrokerFront;
import dev.pinion.core.spi.BrokerFront.Outcome;
import dev.pinion.core.spi.BrokerFront.Question;
import dev.pinion.core.spi.BrokerFront.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells the broker once a second what this replica has observed, on a thread of its own. One
 * message is under way at a time; what is observed meanwhile is in the next. A message that does
 * not arrive is lost: monitors work with samples, and the broker may be away for long.
 */
final class ObservationSender implements AutoCloseable {
  /** Time between two messages. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Observations observations;
  private final BrokerFront broker;
  private final String replica;
  private final CountDownLatch closed = new CountDownLatch(1);

  ObservationSender(Observations observations, BrokerFront broker, int replica) {
    this.observations = observations;
    this.broker = broker;
    this.replica = Integer.toString(replica);
  }

  /** Begins to send to the broker that listens at a socket, now or later. */
  static ObservationSender start(Observations observations, Path socket, int replica) {
    ObservationSender sender =
        new ObservationSender(observations, BrokerClient.at(socket, PATIENCE), replica);
    Thread.ofPlatform().daemon().name("observations").start(sender::send);
    return sender;
  }

  private void send() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        sendOnce();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends what there is; returns whether it arrived. */
  boolean sendOnce() {
    Batch batch = observations.take();
    if (batch.isEmpty()) {
      return true;
    }
    Question question =
        new Question(
            Verb.PUT, FrontDesk.OBSERVATIONS, replica, null, null, ObservationJson.batch(batch));
    return broker.ask(question).join().outcome() == Outcome.OK;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
