package dev.pinion.bootstrap.profile.recording;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.spi.ProfilingHook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records this JVM. */
class SelfProfilerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final DefinitionKey DEFINITION = new DefinitionKey("d", "busy", "1.0.0");
  private static final ProfiledProcess PROCESS = ProfiledProcess.replica(3);

  @TempDir private Path base;
  private Path folder = Path.of("");
  private final SelfProfiler duty = new SelfProfiler(PROCESS);

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(base.resolve("client"));
  }

  @AfterEach
  void shouldLeaveNothingRunning() {
    await().atMost(PATIENCE).until(SelfProfilerTest::nothingRecords);
  }

  private static boolean nothingRecords() {
    return FlightRecorder.getFlightRecorder().getRecordings().stream()
        .noneMatch(each -> each.getName().equals("pinion-profile"));
  }

  @Test
  void shouldRecordSamplesWorkAndThreadTimes() throws IOException {
    ProfileRequest order = order(1, ProcessHandle.current().pid());

    assertTrue(duty.handle(order.line()));
    AtomicInteger worked = new AtomicInteger();
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              int look = ProfilingHook.samples();
              burn();
              ProfilingHook.record(
                  look, ProfilingHook.Component.KERNEL, DEFINITION, "/do/0/burn", "gold");
              worked.incrementAndGet();
              return Files.exists(order.recording(PROCESS));
            });

    List<RecordedEvent> events = RecordingFile.readAllEvents(order.recording(PROCESS));
    assertEquals(1, count(events, RecordingStartEvent.NAME));
    assertTrue(
        events.stream()
            .filter(each -> each.getEventType().getName().equals(TaskWorkEvent.NAME))
            .anyMatch(each -> "gold".equals(each.getString("serviceClass"))),
        worked + " works, none heard of");
    assertTrue(count(events, "jdk.CPUTimeSample") + count(events, "jdk.ExecutionSample") > 0);
    assertTrue(count(events, ThreadCpuEvent.NAME) > 0 || !Files.exists(Path.of("/proc/self/task")));
    await().atMost(PATIENCE).until(() -> left().equals(List.of("replica-3.jfr")));
  }

  private static void burn() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private static long count(List<RecordedEvent> events, String name) {
    return events.stream().filter(each -> each.getEventType().getName().equals(name)).count();
  }

  @Test
  void shouldStopAtOnceWhenTheFolderIsGone() throws IOException {
    ProfileRequest order = order(ProfileRequest.MAX_SECONDS, ProcessHandle.current().pid());
    assertTrue(duty.handle(order.line()));
    await().atMost(PATIENCE).until(() -> !nothingRecords());

    deleteFolder();

    await().atMost(PATIENCE).until(SelfProfilerTest::nothingRecords);
    await().atMost(PATIENCE).until(() -> !Files.exists(folder));
  }

  @Test
  void shouldStopAndDeleteTheFolderWhenTheClientIsGone() throws Exception {
    Process client = new ProcessBuilder("sleep", "600").start();
    ProfileRequest order = order(ProfileRequest.MAX_SECONDS, client.pid());
    assertTrue(duty.handle(order.line()));
    await().atMost(PATIENCE).until(() -> !nothingRecords());

    client.destroyForcibly().waitFor();

    await().atMost(PATIENCE).until(SelfProfilerTest::nothingRecords);
    await().atMost(PATIENCE).until(() -> !Files.exists(folder));
  }

  @Test
  void shouldRefuseASecondProfileAtATimeAndTakeOneAfterIt() throws IOException {
    ProfileRequest first = order(ProfileRequest.MAX_SECONDS, ProcessHandle.current().pid());
    assertTrue(duty.handle(first.line()));
    Path other = Files.createDirectory(base.resolve("other"));
    ProfileRequest second = new ProfileRequest(1, ProcessHandle.current().pid(), other);

    assertTrue(duty.handle(second.line()));

    assertTrue(Files.readString(second.refusal(PROCESS)).contains("at the same time, found one"));
    deleteFolder();
    Files.delete(second.refusal(PROCESS));
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              if (Files.deleteIfExists(second.refusal(PROCESS)) || nothingRecords()) {
                assertTrue(duty.handle(second.line()));
              }
              return Files.exists(second.recording(PROCESS));
            });
  }

  @Test
  void shouldTakeOtherLinesForNoOrder() {
    assertFalse(duty.handle("@drain"));
  }

  private ProfileRequest order(int seconds, long client) {
    return new ProfileRequest(seconds, client, folder);
  }

  private List<String> left() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private void deleteFolder() {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                  Files.deleteIfExists(each);
                }
              } catch (IOException | UncheckedIOException e) {
                return false; // the recorder writes at the same time
              }
              return true;
            });
  }
}
