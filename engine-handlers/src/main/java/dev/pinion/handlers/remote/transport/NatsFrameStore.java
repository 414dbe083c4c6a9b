package dev.pinion.handlers.remote.transport;

import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.ConsumerContext;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.PublishOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frames in a stream of JetStream, which hosts create when there is none. */
final class NatsFrameStore implements FrameStore {
  private static final Logger LOG = LoggerFactory.getLogger(NatsFrameStore.class);
  // Longer than a requester tries to give a frame to the server.
  private static final Duration DUPLICATES = Duration.ofMinutes(15);
  // Of each kind, to all hosts together; frames without room in a host wait there.
  private static final long MAX_GIVEN = 1_000;
  private static final long BYTES_OF_A_MEBIBYTE = 1 << 20;

  private final Connection connection;
  private final Subjects subjects;
  private final StoreLimits limits;
  private final String stream;

  NatsFrameStore(Connection connection, Subjects subjects, StoreLimits limits) {
    this.connection = connection;
    this.subjects = subjects;
    this.limits = limits;
    this.stream = subjects.stream();
  }

  @Override
  public CompletableFuture<?> publish(String subject, String id, byte[] frame) {
    try {
      return connection
          .jetStream()
          .publishAsync(
              subject,
              frame,
              PublishOptions.builder().expectedStream(stream).messageId(id).build());
    } catch (IOException | IllegalStateException e) { // no connection now
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public FrameTransport.Subscription take(
      String kind, int atOnce, StoredFrameReceiver storedFrameReceiver) throws IOException {
    try {
      make();
      ConsumerContext consumer =
          connection
              .getStreamContext(stream)
              .createOrUpdateConsumer(
                  ConsumerConfiguration.builder()
                      .durable(Subjects.GROUP + "-" + kind)
                      .filterSubject(subjects.stored(kind))
                      .ackPolicy(AckPolicy.Explicit)
                      .ackWait(limits.silence())
                      .maxAckPending(MAX_GIVEN)
                      .build());
      MessageConsumer taking =
          consumer.consume(
              ConsumeOptions.builder().batchSize(atOnce).build(),
              message -> storedFrameReceiver.received(new NatsStoredFrame(message)));
      return () -> end(taking);
    } catch (JetStreamApiException | IllegalArgumentException e) {
      throw new IOException(
          "expected a NATS server that keeps messages (JetStream), found: " + e.getMessage(), e);
    }
  }

  private void make() throws IOException, JetStreamApiException {
    JetStreamManagement management = connection.jetStreamManagement();
    if (management.getStreamNames(subjects.stored("*")).contains(stream)) {
      return; // its maker's settings count
    }
    management.addStream(
        StreamConfiguration.builder()
            .name(stream)
            .subjects(subjects.stored("*"))
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .storageType(StorageType.File)
            .discardPolicy(DiscardPolicy.New)
            .maxBytes(limits.maxMebibytes() * BYTES_OF_A_MEBIBYTE)
            .replicas(limits.replicas())
            .duplicateWindow(DUPLICATES)
            .build());
  }

  private static void end(MessageConsumer taking) {
    try {
      taking.close();
    } catch (Exception e) { // the server delivers its frames to others
      LOG.debug("messages were not given back", e);
    }
  }

  private record NatsStoredFrame(Message message) implements StoredFrame {
    @Override
    public byte[] frame() {
      return message.getData();
    }

    @Override
    public long deliveries() {
      return message.metaData().deliveredCount();
    }

    @Override
    public void inProgress() {
      acknowledged(message::inProgress);
    }

    @Override
    public void acknowledge() {
      acknowledged(message::ack);
    }

    @Override
    public void redeliver(Duration after) {
      acknowledged(() -> message.nakWithDelay(after));
    }

    /** Ignores a failed report: the server then delivers to a host again. */
    private static void acknowledged(Runnable what) {
      try {
        what.run();
      } catch (IllegalStateException e) {
        LOG.debug("a report on a stored message did not reach the server", e);
      }
    }
  }
}
