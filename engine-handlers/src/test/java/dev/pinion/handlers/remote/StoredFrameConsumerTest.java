package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.FrameStore;
import dev.pinion.handlers.remote.transport.FrameTransport;
import dev.pinion.handlers.remote.transport.StoreLimits;
import dev.pinion.handlers.remote.transport.Subjects;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rule by which a host considers the effect of another one as lost, for stored messages. The
 * other host is simulated by its row and its heartbeats only.
 */
class StoredFrameConsumerTest {
  private static final long SILENCE_MILLIS = RemoteTimeouts.DEFAULTS.silence().toMillis();
  private static final long STEP_MILLIS = 100;
  private static final UUID OTHER = new UUID(7, 7);
  private static final Frame.Run RUN =
      new Frame.Run(
          new UUID(1, 1),
          1,
          1,
          List.of(),
          3_600_000,
          new HandlerTask(
              HandlerOperation.HANDLE,
              "chain",
              "step",
              "count",
              Payload.EMPTY_OBJECT,
              Message.of(new MessageId(1, 1), Point.REQUEST_IN, Map.of(), Body.EMPTY)));

  @TempDir private Path folder;

  private final AtomicInteger calls = new AtomicInteger();
  private final RemoteHarness remoteHarness = new RemoteHarness(RemoteLimits.DEFAULTS, 1);
  private final Server server = new Server();
  private HandlerHost host;

  @BeforeEach
  void begin() throws Exception {
    String database = "jdbc:sqlite:" + folder.resolve("effects.db");
    try (JdbcEffectTable table = new JdbcEffectTable(database, remoteHarness.clock)) {
      table.begin(EffectKey.of(RUN), OTHER, List.of());
    }
    host =
        remoteHarness.host(
            database,
            RemoteHarness.kind(
                "count",
                EffectClass.TRANSACTIONAL,
                (handlerOperation, view) -> {
                  calls.incrementAndGet();
                  return Verdict.UNCHANGED;
                }));
    host.takeStored(server, StoreLimits.DEFAULTS);
  }

  @AfterEach
  void end() {
    remoteHarness.close();
  }

  /** Lets time pass while the other host lives. */
  private void passTogether(long millis) throws Exception {
    for (long i = 0; i < millis; i += STEP_MILLIS) {
      remoteHarness.network.send(
          new Subjects(HostSettings.PREFIX).heartbeats(),
          remoteHarness.codec.write(new Frame.Heartbeat(OTHER, false)));
      remoteHarness.pass(STEP_MILLIS);
    }
  }

  /** Delivers the other host's message to this one. */
  private void take() throws Exception {
    Given given = server.give(remoteHarness.codec.write(RUN), 2);
    remoteHarness.until(() -> host.statistics().inFlight() == 0);
    assertEquals(List.of(), given.redeliveries, "the handler does not fail");
  }

  private void assertTakenOver(int count) {
    remoteHarness.until(() -> host.statistics().inFlight() == 0);
    assertEquals(count, host.statistics().takenOver());
    assertEquals(count, calls.get());
  }

  @Test
  void shouldTakeOverWhatAHostHadThatIsSilent() throws Exception {
    passTogether(2 * SILENCE_MILLIS);
    take();
    assertTakenOver(0);

    remoteHarness.pass(2 * SILENCE_MILLIS);
    assertTakenOver(1);
  }

  @Test
  void shouldTrustHostsAgainAfterATimeWithoutAConnection() throws Exception {
    passTogether(2 * SILENCE_MILLIS);
    remoteHarness.network.connected = false;
    remoteHarness.pass(3 * SILENCE_MILLIS);
    take();
    assertTakenOver(0);

    remoteHarness.network.connected = true;
    remoteHarness.pass(SILENCE_MILLIS / 2);
    assertTakenOver(0);
    passTogether(3 * SILENCE_MILLIS);
    assertTakenOver(0);

    remoteHarness.pass(2 * SILENCE_MILLIS);
    assertTakenOver(1);
  }

  @Test
  void shouldTrustHostsWhileItDoesNotHearItself() throws Exception {
    passTogether(2 * SILENCE_MILLIS);
    remoteHarness.network.losing(
        frame -> frame instanceof Frame.Heartbeat); // a silently broken connection
    remoteHarness.pass(3 * SILENCE_MILLIS);
    take();
    assertTakenOver(0);
  }

  @Test
  void shouldTrustHostsAfterItStoodStill() throws Exception {
    passTogether(2 * SILENCE_MILLIS);
    remoteHarness.clock.advance(
        Duration.ofMinutes(1).toNanos()); // frames of the meantime are not read yet
    take();
    assertTakenOver(0);
  }

  @Test
  void shouldLeaveAMessageOfAnotherReleaseToAnotherHost() throws Exception {
    byte[] frame = remoteHarness.codec.write(RUN);
    frame[2]++; // the version
    int most = StoreLimits.DEFAULTS.maxDeliveries();

    Given left = server.give(frame, most - 1);
    assertEquals(List.of(StoreLimits.DEFAULTS.silence()), left.redeliveries);
    assertEquals(0, left.acknowledgements.get());

    Given dropped = server.give(frame, most);
    assertEquals(List.of(), dropped.redeliveries);
    assertEquals(1, dropped.acknowledgements.get());
    assertEquals(2, host.statistics().garbage());
  }

  @Test
  void shouldDropAMalformedMessage() throws Exception {
    byte[] frame = remoteHarness.codec.write(RUN);

    Given dropped = server.give(Arrays.copyOf(frame, frame.length - 1), 1);
    assertEquals(List.of(), dropped.redeliveries);
    assertEquals(1, dropped.acknowledgements.get());
    assertEquals(1, host.statistics().garbage());
  }

  /** Delivers messages as the test says. */
  private static final class Server implements FrameStore {
    private StoredFrameReceiver storedFrameReceiver = frame -> {};

    Given give(byte[] frame, long deliveries) {
      Given given = new Given(frame, deliveries);
      storedFrameReceiver.received(given);
      return given;
    }

    @Override
    public CompletableFuture<?> publish(String subject, String id, byte[] frame) {
      throw new AssertionError("a host keeps nothing");
    }

    @Override
    public FrameTransport.Subscription take(String kind, int atOnce, StoredFrameReceiver taking) {
      storedFrameReceiver = taking;
      return () -> {};
    }
  }

  private static final class Given implements FrameStore.StoredFrame {
    private final byte[] frame;
    private final long deliveries;
    final List<Duration> redeliveries = new CopyOnWriteArrayList<>();
    final AtomicInteger acknowledgements = new AtomicInteger();

    Given(byte[] frame, long deliveries) {
      this.frame = frame.clone();
      this.deliveries = deliveries;
    }

    @Override
    public byte[] frame() {
      return frame.clone();
    }

    @Override
    public long deliveries() {
      return deliveries;
    }

    @Override
    public void inProgress() {}

    @Override
    public void acknowledge() {
      acknowledgements.incrementAndGet();
    }

    @Override
    public void redeliver(Duration after) {
      redeliveries.add(after);
    }
  }
}
