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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends observations of this replica to the broker once a second, on a separate thread. One message
 * is under way at a time; later observations are in the next. A message that does not arrive is
 * lost: monitors work with samples, and the broker may be unavailable for long.
 */
final class ObservationSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ObservationSender.class);

  /** Time between two messages. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Observations observations;
  private final BrokerFront broker;
  private final String replica;

  /** Whether the latest message was lost. */
  private boolean lost;

  /** Whether dropped observations were logged. */
  private boolean dropped;

  private final CountDownLatch closed = new CountDownLatch(1);

  ObservationSender(Observations observations, BrokerFront broker, int replica) {
    this.observations = observations;
    this.broker = broker;
    this.replica = Integer.toString(replica);
  }

  /** Starts to send to the broker that listens on a socket, now or later. */
  static ObservationSender start(Observations observations, Path socket, int replica) {
    ObservationSender sender =
        new ObservationSender(observations, BrokerClient.at(socket, PATIENCE), replica);
    Thread.ofPlatform().daemon().name("observations").start(sender::send);
    return sender;
  }

  private void send() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        sendOrTell();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends a message. Its failures do not prevent the next one. */
  private void sendOrTell() {
    try {
      boolean arrived = sendOnce();
      if (arrived == lost) {
        lost = !arrived;
        LOG.warn(
            arrived
                ? "the broker receives the observations of this replica again"
                : "the broker does not receive observations of this replica: it did not answer"
                    + " and plans by its present knowledge meanwhile");
      }
    } catch (RuntimeException e) {
      LOG.error("expected to send observations to the broker; the next message follows", e);
    }
  }

  /** Sends observations, if any; returns whether they arrived. */
  boolean sendOnce() {
    Batch batch = observations.take();
    if (batch.dropped() > 0 && !dropped) {
      dropped = true;
      LOG.warn(
          "more than {} classes and services are observed: {} observations of others were dropped, and"
              + " further ones are; a restart of the replica resets them",
          Observations.MAX_CELLS,
          batch.dropped());
    }
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
