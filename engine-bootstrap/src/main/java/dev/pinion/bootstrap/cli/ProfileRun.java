package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.process.ProfileOrder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has replicas record themselves at the same time, and waits for what they write: in a private
 * folder that is gone afterwards, however this ends. A replica that finds the folder or this
 * process gone stops to record.
 */
final class ProfileRun implements AutoCloseable {
  /** Time between two looks whether recordings are there. */
  private static final long LOOK_MILLIS = 100;

  private final Path folder;
  private final Thread cleanUp;
  private final LongSupplier nanos;

  /**
   * Prepares the folder.
   *
   * @param nanos a monotonic clock
   */
  ProfileRun(LongSupplier nanos) throws IOException {
    this.nanos = nanos;
    this.folder =
        Files.createTempDirectory(
                "pinion-profile-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
            .toAbsolutePath();
    this.cleanUp = new Thread(this::delete, "profile-clean-up");
    Runtime.getRuntime().addShutdownHook(cleanUp);
  }

  /**
   * What came of it.
   *
   * @param recordings by replica
   * @param notes why some are missing, each a sentence
   */
  record Recorded(SortedMap<Integer, Path> recordings, List<String> notes) {}

  /**
   * Records.
   *
   * @param replicas which ones
   * @param progress where a bar is drawn, or null
   */
  Recorded record(
      AdminClient admin, List<Integer> replicas, int seconds, @Nullable PrintWriter progress)
      throws CommandFailure, InterruptedException, IOException {
    ProfileOrder order = new ProfileOrder(seconds, ProcessHandle.current().pid(), folder);
    String token = UUID.randomUUID().toString();
    Files.writeString(folder.resolve(ProfileOrder.TOKEN), token);
    for (int replica : replicas) {
      admin.profile(replica, order, token);
    }
    long begun = nanos.getAsLong();
    long limit = TimeUnit.SECONDS.toNanos(seconds) + ProfileOrder.GRACE.toNanos();
    CountDownLatch never = new CountDownLatch(1);
    while (!allIn(order, replicas) && nanos.getAsLong() - begun < limit) {
      never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      ProgressLine.draw(progress, nanos.getAsLong() - begun, TimeUnit.SECONDS.toNanos(seconds));
    }
    ProgressLine.clear(progress);
    return collected(order, replicas);
  }

  private static boolean allIn(ProfileOrder order, List<Integer> replicas) {
    return replicas.stream()
        .allMatch(each -> Files.exists(order.recording(each)) || Files.exists(order.refusal(each)));
  }

  private static Recorded collected(ProfileOrder order, List<Integer> replicas)
      throws IOException, CommandFailure {
    SortedMap<Integer, Path> recordings = new TreeMap<>();
    List<String> notes = new ArrayList<>();
    for (int replica : replicas) {
      if (Files.exists(order.recording(replica))) {
        recordings.put(replica, order.recording(replica));
      } else {
        notes.add("Replica " + replica + " is missing: " + reason(order.refusal(replica)) + ".");
      }
    }
    if (recordings.isEmpty()) {
      throw new CommandFailure(ExitStatus.FAILURE, String.join(" ", notes));
    }
    return new Recorded(recordings, notes);
  }

  private static String reason(Path refusal) throws IOException {
    return Files.exists(refusal)
        ? Files.readString(refusal)
        : "expected its recording in time, found none";
  }

  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(cleanUp);
    } catch (IllegalStateException e) {
      // the JVM is about to end, and does the same once more
    }
  }

  /** A replica may still write: what it adds, it deletes itself when it finds the folder gone. */
  private void delete() {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      // gone already, or being written to: the replica sees that this process ends
    }
  }
}
