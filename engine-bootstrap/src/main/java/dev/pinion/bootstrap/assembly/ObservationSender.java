package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.child.BrokerClient;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.monitor.ObservationBatch;
import dev.pinion.broker.monitor.ObservationCollector;
import dev.pinion.broker.service.BrokerService;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
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

  private final ObservationCollector observationCollector;
  private final BrokerGateway broker;
  private final String replica;

  /** Whether the latest message was lost. */
  private boolean lost;

  /** Whether dropped observations were logged. */
  private boolean dropped;

  private final CountDownLatch closed = new CountDownLatch(1);

  ObservationSender(ObservationCollector observationCollector, BrokerGateway broker, int replica) {
    this.observationCollector = observationCollector;
    this.broker = broker;
    this.replica = Integer.toString(replica);
  }

  /** Starts to send to the broker that listens on a socket, now or later. */
  static ObservationSender start(
      ObservationCollector observationCollector, Path socket, int replica) {
    ObservationSender sender =
        new ObservationSender(observationCollector, BrokerClient.at(socket, PATIENCE), replica);
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
    ObservationBatch observationBatch = observationCollector.take();
    if (observationBatch.dropped() > 0 && !dropped) {
      dropped = true;
      LOG.warn(
          "more than {} classes and services are observed: {} observations of others were dropped, and"
              + " further ones are; a restart of the replica resets them",
          ObservationCollector.MAX_CELLS,
          observationBatch.dropped());
    }
    if (observationBatch.isEmpty()) {
      return true;
    }
    BrokerRequest brokerRequest =
        new BrokerRequest(
            Verb.PUT,
            BrokerService.OBSERVATIONS,
            replica,
            null,
            null,
            ObservationJson.batch(observationBatch));
    return broker.send(brokerRequest).join().outcome() == BrokerStatus.OK;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
