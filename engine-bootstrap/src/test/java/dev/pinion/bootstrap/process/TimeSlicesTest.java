package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.bootstrap.topology.DirectoryTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Slices of threads of this JVM and of its child processes, read back from the system. */
@EnabledOnOs(
    value = OS.LINUX,
    architectures = {"amd64", "aarch64"})
class TimeSlicesTest {
  private static final Duration USUAL = Duration.ZERO;

  private final TimeSlices slices = TimeSlices.ofSystem().orElseThrow();

  @BeforeEach
  void needsKernelWithSlices() {
    assumeTrue(slices.of(0).isPositive(), "skipped: Linux before 6.12 knows no slices");
  }

  @Test
  void shouldLetAThreadTakeLongSlicesAndUsualOnesAgain() {
    Duration before = slices.of(0);

    assertTrue(slices.setSlice(0, TimeSlices.LONG));
    assertEquals(TimeSlices.LONG, slices.of(0));
    assertTrue(slices.setSlice(0, USUAL));
    assertEquals(before, slices.of(0));
  }

  @Test
  void shouldStartAProcessUnderLongSlicesOnly() throws Exception {
    Duration before = slices.of(0);

    Process process = slices.startLong(() -> new ProcessBuilder("cat").start());

    try {
      assertEquals(TimeSlices.LONG, slices.of((int) process.pid()));
      assertEquals(before, slices.of(0));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void shouldGiveLongSlicesToCompilersAndUsualOnesToOthers() throws Exception {
    CompletableFuture<Integer> loop = new CompletableFuture<>();
    CountDownLatch ended = new CountDownLatch(1);
    Thread thread = Thread.ofPlatform().name("fused-0").start(() -> tellNumber(loop, ended));
    try {
      int tid = loop.get();
      Duration usual = slices.of(tid);
      slices.setSlice(tid, TimeSlices.LONG);

      slices.assign(DirectoryTree.live(), ProcessHandle.current().pid());

      assertEquals(usual, slices.of(tid));
      assertEquals(TimeSlices.LONG, slices.of(compiler()));
    } finally {
      ended.countDown();
      thread.join();
      slices.setSlice(compiler(), USUAL);
    }
  }

  @Test
  void shouldTellThatAThreadIsGone() {
    assertFalse(slices.setSlice(Integer.MAX_VALUE, TimeSlices.LONG));
  }

  private static void tellNumber(CompletableFuture<Integer> number, CountDownLatch ended) {
    try {
      Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
      number.complete(Integer.parseInt(self.getFileName().toString()));
      ended.await();
    } catch (Exception e) { // the test waits for either
      number.completeExceptionally(e);
    }
  }

  private static int compiler() {
    DirectoryTree files = DirectoryTree.live();
    String tasks = "proc/" + ProcessHandle.current().pid() + "/task";
    for (String tid : files.names(tasks)) {
      String name = files.read(tasks + "/" + tid + "/comm");
      if (name != null && name.startsWith("C1 Compiler")) {
        return Integer.parseInt(tid);
      }
    }
    throw new AssertionError("expected a compiler's thread in this JVM");
  }
}
