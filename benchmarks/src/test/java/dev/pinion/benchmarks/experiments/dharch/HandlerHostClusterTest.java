package dev.pinion.benchmarks.experiments.dharch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Longest waits for other programs. */
class HandlerHostClusterTest {
  private static final Duration LITTLE = Duration.ofMillis(50);

  @TempDir private Path folder;

  @Test
  void shouldReadAVersion() throws Exception {
    Path server = program("echo nats-server: v2.10.7");

    assertEquals("nats-server: v2.10.7", HandlerHostCluster.version(server));
  }

  @Test
  void shouldNotWaitForAVersionWithoutBound() throws Exception {
    Path server = program("exec sleep 600");

    String told = failure(() -> HandlerHostCluster.version(server, LITTLE));

    assertTrue(told.endsWith("within PT0.05S, found silence"), told);
  }

  @Test
  void shouldNotWaitForAServerWithoutBound() throws Exception {
    Path server = program("echo beginning; exec sleep 600");

    String told = failure(() -> HandlerHostCluster.start(server, 1, List.of("tiny"), LITTLE));

    assertTrue(told.contains("found that it has not said so"), told);
  }

  @Test
  void shouldTellWhatAServerSaidThatEnded() throws Exception {
    Path server = program("echo no room");

    String told =
        failure(
            () ->
                HandlerHostCluster.start(server, 1, List.of("tiny"), HandlerHostCluster.PATIENCE));

    assertTrue(told.contains("no room"), told);
  }

  private static String failure(Executable action) {
    return String.valueOf(assertThrows(IOException.class, action).getMessage());
  }

  private Path program(String line) throws IOException {
    Path file = Files.writeString(folder.resolve("nats-server"), "#!/bin/sh\n" + line + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
