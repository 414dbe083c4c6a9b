package dev.pinion.core.program;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Small commands around programs, such as the removal of a container. */
final class CommandRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);

  private CommandRunner() {}

  /**
   * Starts a command and does not wait for it; an empty one does nothing.
   *
   * @param environment all its environment variables: the others of the engine may be secret
   */
  static void run(List<String> words, Map<String, String> environment) {
    if (words.isEmpty()) {
      return;
    }
    ProcessBuilder command =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    command.environment().clear();
    command.environment().putAll(environment);
    try {
      command.start();
    } catch (IOException e) {
      LOG.warn("could not run {}: {}", words.getFirst(), e.getMessage());
    }
  }

  /** Starts a command after a time, if this process still runs then. */
  static void runLater(List<String> words, Map<String, String> environment, long delayNanos) {
    if (delayNanos == 0) {
      run(words, environment);
    } else if (!words.isEmpty()) {
      CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS)
          .execute(() -> run(words, environment));
    }
  }
}
