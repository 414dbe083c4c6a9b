package dev.pinion.bootstrap.replica;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.assembly.FakeEngine;
import dev.pinion.bootstrap.child.ParentPipe;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.warmup.WarmUp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaProgramTest {
  private static EffectiveSettings settings(String runDirectory) {
    return EffectiveSettings.defaults(Path.of("a \"folder\" \u00e9\n"))
        .put(SettingKey.HISTORY, "none")
        .put(SettingKey.DURABILITY, "async")
        .put(SettingKey.TRUST, "/some/certificates.pem")
        .put(SettingKey.SHUTDOWN_TIMEOUT, 1)
        .put(ReplicaKey.INDEX, 3)
        .put(ReplicaKey.SLOTS, 4)
        .put(ReplicaKey.ASSIGNMENT, "7 0 1 3 3")
        .put(ReplicaKey.DISPATCH, DispatchMode.HANDOVER.label())
        .put(ReplicaKey.RUN_DIRECTORY, runDirectory)
        .put(ReplicaKey.LAYOUT, "pipelined:1+1+1")
        .put(ReplicaKey.PINS, "kernel-0=2,request-0=1")
        .put(ReplicaKey.ANCILLARY_CPUS, "0,2")
        .limits(Map.of("kernel.maxCalls", 5))
        .build();
  }

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final CountDownLatch gone = new CountDownLatch(1);

  @Test
  void shouldSayReadyThenBeatThenEndWhenDrained(@TempDir Path run) throws Exception {
    // given
    PipedOutputStream parent = new PipedOutputStream();
    ReplicaProgram program = program(Set.of(), new PipedInputStream(parent));
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Integer> status = thread.submit(program::run);

      // when
      write(parent, settings(run.toString()).lines());
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> text().contains("\n" + new Heartbeat(1, 2, 3, 4, false, "").line() + "\n"));
      write(parent, ReplicaProtocol.DRAIN);

      // then
      assertEquals(0, status.get(20, TimeUnit.SECONDS));
      String first = ReplicaProtocol.JOINS + "\n" + ReplicaProtocol.READY + " ";
      assertTrue(text().startsWith(first), text());
      parent.close();
      assertTrue(gone.await(20, TimeUnit.SECONDS), "the end of its input means the parent is gone");
    }
  }

  @Test
  void shouldEndWhenItIsToldNothing() throws InterruptedException {
    int status = program(Set.of(), new ByteArrayInputStream(new byte[0])).run();

    assertEquals(ReplicaProtocol.EXIT_ORPHANED, status);
  }

  @Test
  void shouldRefuseWhatItCannotUnderstand() throws InterruptedException {
    byte[] nonsense = "nonsense\n\n".getBytes(StandardCharsets.UTF_8);

    int status = program(Set.of(), new ByteArrayInputStream(nonsense)).run();

    assertEquals(ReplicaProtocol.EXIT_CANNOT_START, status);
    assertEquals(1, text().lines().count(), text());
    assertTrue(text().startsWith(ReplicaProtocol.REFUSED + " expected settings as lines"), text());
  }

  private ReplicaProgram program(Set<String> traits, InputStream in) {
    return new ReplicaProgram(
        new FakeEngine(traits),
        WarmUp.ofThisProcess(),
        new ParentPipe(in, new PrintStream(said, true, StandardCharsets.UTF_8), gone::countDown),
        () -> 0);
  }

  private static void write(PipedOutputStream parent, String line) throws IOException {
    parent.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    parent.flush();
  }

  private String text() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
