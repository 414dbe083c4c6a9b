package dev.pinion.bootstrap.cli.profile;

import dev.pinion.bootstrap.cli.AdminClient;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.ProgressLine;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
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
 * Lets processes of an engine record themselves concurrently, and waits for their recordings: in a
 * private folder that is deleted afterwards, however this ends. A process that finds the folder
 * deleted or this process ended stops recording.
 */
final class ProfileSession implements AutoCloseable {
  /** Time between two checks for recordings. */
  private static final long LOOK_MILLIS = 100;

  private final Path folder;
  private final Thread cleanUp;
  private final LongSupplier nanos;

  /**
   * Prepares the folder.
   *
   * @param nanos a monotonic clock
   */
  ProfileSession(LongSupplier nanos) throws IOException {
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
   * Result of a run.
   *
   * @param recordings by process
   * @param notes reasons for missing ones, each a sentence
   */
  record RecordedFiles(SortedMap<ProfiledProcess, Path> recordings, List<String> notes) {}

  /**
   * Records.
   *
   * @param processes processes to record
   * @param progress terminal for a bar, or null
   */
  RecordedFiles record(
      AdminClient admin,
      List<ProfiledProcess> processes,
      int seconds,
      @Nullable PrintWriter progress)
      throws CommandException, InterruptedException, IOException {
    ProfileRequest order = new ProfileRequest(seconds, ProcessHandle.current().pid(), folder);
    String token = UUID.randomUUID().toString();
    Files.writeString(folder.resolve(ProfileRequest.TOKEN), token);
    for (ProfiledProcess process : processes) {
      admin.profile(process, order, token);
    }
    long begun = nanos.getAsLong();
    long limit = TimeUnit.SECONDS.toNanos(seconds) + ProfileRequest.GRACE.toNanos();
    CountDownLatch never = new CountDownLatch(1);
    while (!allIn(order, processes) && nanos.getAsLong() - begun < limit) {
      never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      draw(progress, nanos.getAsLong() - begun, TimeUnit.SECONDS.toNanos(seconds));
    }
    ProgressLine.clear(progress);
    return collected(order, processes);
  }

  /** Draws how far a recording is, unless there is no terminal. */
  static void draw(@Nullable PrintWriter terminal, long done, long all) {
    String left = TimeUnit.NANOSECONDS.toSeconds(all - done) + " s left";
    ProgressLine.draw(terminal, "profiling", done, all, done < all ? left : "reading");
  }

  private static boolean allIn(ProfileRequest order, List<ProfiledProcess> processes) {
    return processes.stream()
        .allMatch(each -> Files.exists(order.recording(each)) || Files.exists(order.refusal(each)));
  }

  private static RecordedFiles collected(ProfileRequest order, List<ProfiledProcess> processes)
      throws IOException, CommandException {
    SortedMap<ProfiledProcess, Path> recordings = new TreeMap<>();
    List<String> notes = new ArrayList<>();
    for (ProfiledProcess process : processes) {
      if (Files.exists(order.recording(process))) {
        recordings.put(process, order.recording(process));
      } else {
        notes.add(
            "The profile of "
                + process.name()
                + " is missing: "
                + reason(order.refusal(process))
                + ".");
      }
    }
    if (recordings.isEmpty()) {
      throw new CommandException(ExitStatus.FAILURE, String.join(" ", notes));
    }
    return new RecordedFiles(recordings, notes);
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
      // the JVM is about to end, and does the same again
    }
  }

  /** A process may still write: it deletes later files itself when it finds the folder deleted. */
  private void delete() {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      // deleted already, or being written to: the writer notices that this process ends
    }
  }
}
