package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a command that does nothing as a process of this machine. */
public final class CommandProbe implements Confinement.Probe {
  /** Longest time of a command that does nothing, in seconds. */
  private static final long PATIENCE_SECONDS = 5;

  /** Most bytes read of its output. */
  private static final int MAX_BYTES = 1_000;

  @Override
  public Optional<String> complaint(List<String> words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return Optional.of("it did not end within " + PATIENCE_SECONDS + " s");
      }
      if (process.exitValue() == 0) {
        return Optional.empty();
      }
      String text = new String(said.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip();
      return Optional.of(
          text.isEmpty() ? "status " + process.exitValue() : text.replace('\n', ' '));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted while it was tried");
    } finally {
      process.destroyForcibly();
    }
  }
}
