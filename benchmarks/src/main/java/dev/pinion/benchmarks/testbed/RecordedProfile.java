package dev.pinion.benchmarks.testbed;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.bootstrap.profile.ProfileRow;
import dev.pinion.bootstrap.profile.RecordingMerger;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A profile that the first replica of an engine records of itself, ordered like {@code profile}
 * does. It is read on demand only. Used by one thread.
 */
public final class RecordedProfile implements AutoCloseable {
  private static final ProfiledProcess REPLICA = ProfiledProcess.replica(0);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Time between two checks for the recording. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final ProfileRequest order;
  private final Clock clock = Clock.system();
  private final long orderedNanos = clock.nanoTime();

  private RecordedProfile(ProfileRequest order) {
    this.order = order;
  }

  /**
   * Orders a profile; it begins soon.
   *
   * @param seconds duration of the recording
   * @throws MeasurementException when the engine refuses the order
   */
  public static RecordedProfile begin(ServerProcess engine, int seconds)
      throws MeasurementException, InterruptedException {
    EngineClient operator = EngineClient.ofOperator(engine);
    RecordedProfile profile = prepared(seconds);
    try {
      profile.order(operator);
      return profile;
    } catch (IOException e) {
      profile.close();
      throw new MeasurementException(
          "expected " + engine.name() + " to take an order for a profile, found: " + e, e);
    } catch (MeasurementException e) {
      profile.close();
      throw e;
    }
  }

  private static RecordedProfile prepared(int seconds) throws MeasurementException {
    try {
      Path folder =
          Files.createTempDirectory(
              "pinion-profile-",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return new RecordedProfile(
          new ProfileRequest(seconds, ProcessHandle.current().pid(), folder.toAbsolutePath()));
    } catch (IOException e) {
      throw new MeasurementException("expected a folder for a profile, found: " + e, e);
    }
  }

  private void order(EngineClient operator) throws IOException, MeasurementException {
    String token = UUID.randomUUID().toString();
    Files.writeString(order.folder().resolve(ProfileRequest.TOKEN), token);
    String query =
        "seconds="
            + order.seconds()
            + "&client="
            + order.client()
            + "&token="
            + token
            + "&folder="
            + URLEncoder.encode(order.folder().toString(), StandardCharsets.UTF_8);
    Request post = Request.post("/admin/v1/replicas/0/profile?" + query, "");
    operator.require(202, "an order for a profile", post);
  }

  /**
   * Waits until the recording is written.
   *
   * @throws MeasurementException when the replica refuses or is late
   */
  public void await() throws MeasurementException, InterruptedException {
    Duration limit = Duration.ofSeconds(order.seconds()).plus(ProfileRequest.GRACE);
    while (!Files.exists(order.recording(REPLICA))) {
      if (Files.exists(order.refusal(REPLICA))) {
        throw new MeasurementException("expected a profile, found: " + refusal());
      }
      if (clock.nanoTime() - orderedNanos > limit.toNanos()) {
        throw new MeasurementException(
            "expected a profile within " + limit.toSeconds() + " s, found none");
      }
      LockSupport.parkNanos(this, LOOK.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * Reads the recording, which must have been awaited.
   *
   * @throws MeasurementException when it cannot be read
   */
  public List<ProfileRow> rows() throws MeasurementException {
    SortedMap<ProfiledProcess, Path> files =
        new TreeMap<>(Map.of(REPLICA, order.recording(REPLICA)));
    try {
      return RecordingMerger.read(files, "stages", "", order.seconds(), List.of()).rows();
    } catch (IOException e) {
      throw new MeasurementException("expected to read a profile, found: " + e, e);
    }
  }

  private String refusal() {
    try {
      return Files.readString(order.refusal(REPLICA));
    } catch (IOException e) {
      return "a refusal that cannot be read: " + e;
    }
  }

  /**
   * Deletes the recording; one under way ends by that.
   *
   * @throws MeasurementException when the replica continues to write there
   */
  @Override
  public void close() throws MeasurementException {
    long begunNanos = clock.nanoTime();
    while (!deleted()) {
      if (clock.nanoTime() - begunNanos > PATIENCE.toNanos()) {
        throw new MeasurementException(
            "expected to delete the profile in " + order.folder() + ", found it being written to");
      }
      LockSupport.parkNanos(this, LOOK.toNanos());
    }
  }

  /** Deletes once; the replica may write or delete there at the same time. */
  private boolean deleted() {
    try (Stream<Path> all = Files.walk(order.folder())) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      return !Files.exists(order.folder());
    }
    return true;
  }
}
