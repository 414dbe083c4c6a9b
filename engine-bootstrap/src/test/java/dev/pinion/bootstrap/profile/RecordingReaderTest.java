package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads a recording of waits for a lock: those of this test, and perhaps of others. */
class RecordingReaderTest {
  private static final int SAMPLES = 12;
  private static final ProfiledProcess PROCESS = ProfiledProcess.BROKER;

  @TempDir private static Path folder;
  private static Path file = Path.of("");

  /** Written by the recorder of a process when it begins. */
  @Name("dev.pinion.ProfileBegun")
  @Category("Test")
  @StackTrace(false)
  @SuppressWarnings("UnusedVariable") // the flight recorder reads the field
  private static final class Begun extends Event {
    private final long lookMillis = 5;
  }

  @BeforeAll
  static void record() throws IOException {
    file = folder.resolve("recording.jfr");
    ReentrantLock lock = new ReentrantLock();
    Thread waiter = new Thread(() -> park(lock), "waiter");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ThreadPark").withoutThreshold();
      recording.enable(Begun.class);
      recording.start();
      new Begun().commit();
      waiter.start();
      waiter.join();
      recording.stop();
      recording.dump(file);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Each park is one sample. */
  private static void park(ReentrantLock lock) {
    for (int i = 0; i < SAMPLES; i++) {
      LockSupport.parkNanos(lock, 1_000);
    }
  }

  @Test
  void shouldReadAsManySamplesAsThereMayBe() throws IOException {
    long all = samples(RecordingReader.MAX_SAMPLES);
    assertTrue(all >= SAMPLES, "expected " + SAMPLES + " waits, found " + all);

    assertEquals(all, samples(all));

    assertEquals(List.of(), leftOut(all));
  }

  @Test
  void shouldTellOfSamplesBeyondThat() throws IOException {
    long most = samples(RecordingReader.MAX_SAMPLES) - 1;

    assertEquals(most, samples(most));

    assertEquals(
        List.of(
            "Samples of broker that were left out: 1; at most "
                + most
                + " of a recording are read, profile for a shorter time."),
        leftOut(most));
  }

  @Test
  void shouldTellHowLongFilesWereForced() throws IOException {
    Path forced = folder.resolve("forced");
    Path forces = folder.resolve("forces.jfr");
    try (Recording recording = new Recording();
        FileChannel channel =
            FileChannel.open(forced, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      channel.force(false);
      channel.force(false);
      recording.stop();
      recording.dump(forces);
    }

    Profile.Builder builder = new Profile.Builder(new CallTree());
    RecordingReader.RecordingNotes _ = RecordingReader.read(forces, PROCESS, builder);

    List<ProfileRow> rows =
        builder
            .build(new Profile.Header("read", "2026-01-01T00:00:00Z", 1, "none", List.of()))
            .rows()
            .stream()
            .filter(profileRow -> profileRow.place().subject().equals(forced.toString()))
            .toList();
    assertEquals(2, rows.stream().mapToLong(ProfileRow::samples).sum());
    assertTrue(
        rows.stream().allMatch(profileRow -> profileRow.place().kind() == ProfileKind.DISK),
        rows::toString);
    assertTrue(rows.stream().mapToDouble(ProfileRow::amount).sum() > 0, rows::toString);
  }

  private static List<String> leftOut(long maxSamples) throws IOException {
    Profile.Builder builder = new Profile.Builder(new CallTree());
    return RecordingReader.read(file, PROCESS, builder, (int) maxSamples).notes().stream()
        .filter(each -> each.contains("that were left out"))
        .toList();
  }

  private static long samples(long maxSamples) throws IOException {
    Profile.Builder builder = new Profile.Builder(new CallTree());
    RecordingReader.RecordingNotes _ =
        RecordingReader.read(file, PROCESS, builder, (int) maxSamples);
    return builder
        .build(new Profile.Header("read", "2026-01-01T00:00:00Z", 1, "none", List.of()))
        .rows()
        .stream()
        .filter(profileRow -> profileRow.place().process().equals(PROCESS))
        .mapToLong(ProfileRow::samples)
        .sum();
  }
}
