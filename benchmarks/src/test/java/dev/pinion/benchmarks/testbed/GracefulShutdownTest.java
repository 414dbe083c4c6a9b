package dev.pinion.benchmarks.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GracefulShutdownTest {
  private static final int SIGTERM_STATUS = 143;

  /** A JVM that holds a file while it works, until it is interrupted. */
  static final class Work {
    private Work() {}

    /**
     * Runs the work.
     *
     * @param args the file, and {@code deaf} when interrupts are to be ignored
     */
    public static void main(String[] args) throws Exception {
      Path file = Path.of(args[0]);
      boolean deaf = args.length > 1;
      Duration patience = deaf ? Duration.ofMillis(1) : Duration.ofSeconds(60);
      try (GracefulShutdown _ = new GracefulShutdown(BenchmarkJvm.starterEnds(), patience)) {
        work(file, deaf);
      }
    }

    private static void work(Path file, boolean deaf) throws IOException {
      Files.createFile(file);
      try {
        System.out.println("working");
        while (!Thread.interrupted() || deaf) {
          Thread.onSpinWait();
        }
      } finally {
        Files.delete(file);
      }
    }
  }

  @Test
  void shouldUnwindBeforeASignalEndsTheJvm(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("kept");
    Process work = work(List.of(), file.toString());

    work.toHandle().destroy(); // Process.destroy would close its output

    assertTrue(work.waitFor(60, TimeUnit.SECONDS));
    assertEquals(SIGTERM_STATUS, work.exitValue());
    assertFalse(Files.exists(file));
  }

  @Test
  void shouldNotWaitForeverForWorkThatDoesNotUnwind(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("kept");
    Process work = work(List.of(), file.toString(), "deaf");

    work.toHandle().destroy(); // Process.destroy would close its output

    String said = new String(work.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(work.waitFor(60, TimeUnit.SECONDS));
    assertEquals(SIGTERM_STATUS, work.exitValue());
    assertTrue(said.contains("temporary files may be left"), said);
    assertTrue(Files.exists(file));
  }

  @Test
  void shouldUnwindWhenTheStarterIsKilled(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("kept");
    Process starter = new ProcessBuilder("sleep", "600").start();
    Process work = work(List.of("-Dpinion.bench.starter=" + starter.pid()), file.toString());

    starter.destroyForcibly();

    assertTrue(work.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, work.exitValue());
    assertFalse(Files.exists(file));
  }

  @Test
  void shouldUnwindWhenTheStarterWasGoneBefore(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("kept");
    Process starter = new ProcessBuilder("true").start();
    starter.waitFor();
    Process work = work(List.of("-Dpinion.bench.starter=" + starter.pid()), file.toString());

    assertTrue(work.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, work.exitValue());
    assertFalse(Files.exists(file));
  }

  @Test
  void shouldNotInterruptWhatComesAfterTheWork() {
    CompletableFuture<Void> starterEnds = new CompletableFuture<>();
    new GracefulShutdown(starterEnds).close();

    starterEnds.complete(null);

    assertFalse(Thread.currentThread().isInterrupted());
  }

  private static Process work(List<String> flags, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Work.class.getName()));
    command.addAll(List.of(arguments));
    Process work = new ProcessBuilder(command).start();
    assertEquals("working", work.inputReader().readLine());
    return work;
  }
}
