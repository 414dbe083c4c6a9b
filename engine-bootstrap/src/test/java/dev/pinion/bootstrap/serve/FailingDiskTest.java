package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.bootstrap.serve.AcknowledgedStarts.Load;
import dev.pinion.bootstrap.serve.FaultTally.Fault;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole engines on disks that are full or fail to force. Needs namespaces for the former and strace
 * for the latter; reports where they are missing.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class FailingDiskTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int CLIENTS = 16;
  private static final long SLEEP_MILLIS = 4_000;
  private static final int UNBOUNDED = Integer.MAX_VALUE;
  private static final int FULL_DISKS = 20;
  private static final int FAILED_FORCES = Integer.getInteger("pinion.forces", 50);

  /** Exit status of a replica whose journal has failed: EX_IOERR of sysexits.h. */
  private static final int JOURNAL_FAILED = 74;

  /** Number of instances whose results certainly fit into 64 MiB. */
  private static final int RESULTS = 200;

  /** Small segments, which are soon full. */
  private static final String SMALL =
      "journal.segmentBytes=1048576,invoker.maxResponseBytes=4096,request.maxBodyBytes=65536,"
          + "definition.maxBytes=65536,kernel.maxRetryBytes=4096,kernel.maxEnded=1000000,kernel.maxHeldBytes=33554432,kernel.maxEndedBytes=22000000";

  @TempDir private Path folder;

  @Test
  void shouldRefuseStartsWhileTheDiskIsFullAndGoOnByItself() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    List<String> mounted =
        List.of(
            "unshare",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            "mount -t tmpfs -o size=64m none " + data + " && exec \"$@\"",
            "sh");
    assumeTrue(
        runs(List.of("unshare", "--map-root-user", "--mount", "true")),
        "no full disks are tried: this machine has no mount namespaces for this user");
    try (ServedEngine engine =
        ServedEngine.startUnder(mounted, data, "--replicas", "1", "--set", SMALL)) {
      Path filler = Path.of("/proc/" + engine.parent().pid() + "/root" + data, "filler");
      try (AcknowledgedStarts starts =
          new AcknowledgedStarts(() -> engine, new Load(CLIENTS, UNBOUNDED, 8_000, SLEEP_MILLIS))) {
        starts.begin();
        for (int i = 0; i < FULL_DISKS; i++) {
          starts.awaitLive(20);
          long nanos = System.nanoTime();
          starts.note(new Fault(nanos, nanos, Set.of(), 1));
          fill(filler);
          int before = starts.refused();
          await().atMost(PATIENCE).until(() -> starts.refused() > before);
          assertEquals(200, engine.get("/livez").status());
          assertEquals(200, engine.get("/v1/instances?limit=1").status());
          Files.delete(filler);
          int acknowledged = starts.count();
          await().atMost(PATIENCE).until(() -> starts.count() > acknowledged);
        }
        assertEquals(1, engine.replicas().size());
        starts.check(RESULTS);
      }
    }
  }

  /** Fills all remaining space. */
  private static void fill(Path filler) throws IOException {
    byte[] chunk = new byte[1 << 16];
    try (FileOutputStream out = new FileOutputStream(filler.toFile())) {
      for (int size = chunk.length; size > 0; ) {
        try {
          out.write(chunk, 0, size);
        } catch (IOException e) {
          size /= 2; // no space for this many
        }
      }
    }
  }

  @Test
  void shouldAcknowledgeNothingThatAFailedForceHasLost() throws Exception {
    assumeTrue(runs(List.of("strace", "-V")), "no forces fail: this machine has no strace");
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    String settings =
        "kernel.maxEnded=1000000,kernel.maxHeldBytes=33554432,kernel.maxEndedBytes=22000000";
    try (ServedEngine engine =
            ServedEngine.start(
                folder.resolve("data"),
                "--replicas",
                "1",
                "--restart-window",
                "1",
                "--set",
                settings);
        AcknowledgedStarts starts =
            new AcknowledgedStarts(() -> engine, new Load(CLIENTS, UNBOUNDED, 0, SLEEP_MILLIS))) {
      starts.begin();
      for (int i = 0; i < FAILED_FORCES; i++) {
        starts.awaitLive(60);
        long nanos = failAForce(engine, 1 + random.nextInt(20));
        starts.note(new Fault(nanos, nanos, Set.of(0), 1));
        await()
            .atMost(PATIENCE)
            .until(() -> !engine.replicas().isEmpty() && engine.get("/readyz").status() == 200);
      }
      starts.check();
    }
  }

  /**
   * Makes one force of the replica's journal fail, and waits for the replica's end.
   *
   * @return time of its end
   */
  private long failAForce(ServedEngine engine, int which) throws Exception {
    ProcessHandle replica = engine.replicas().getFirst();
    Path log = folder.resolve("strace.log");
    Process strace =
        new ProcessBuilder(
                "strace",
                "-f",
                "-qq",
                "-o",
                log.toString(),
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=fdatasync:error=EIO:when=" + which,
                "-p",
                Long.toString(replica.pid()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("strace.out").toFile())
            .start();
    long endedNanos;
    try {
      assertTrue(
          replica.onExit().thenApply(_ -> true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS),
          "the replica ends");
      endedNanos = System.nanoTime();
      assertTrue(strace.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "strace ends");
    } finally {
      strace.destroyForcibly();
    }
    assertTrue(Files.readString(log).contains("(INJECTED)"), "a force failed");
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              String shown =
                  ServedEngine.ask("GET", engine.admin().resolve("/admin/v1/replicas"), null)
                      .body();
              return shown.contains("status " + JOURNAL_FAILED);
            });
    return endedNanos;
  }

  private static boolean runs(List<String> command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
