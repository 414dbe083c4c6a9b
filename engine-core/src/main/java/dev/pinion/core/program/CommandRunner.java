package dev.pinion.core.program;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Small commands around programs, such as the removal of a container. */
final class CommandRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);

  private CommandRunner() {}

  /** Starts a command and does not wait for it; an empty one does nothing. */
  static void run(List<String> words) {
    if (words.isEmpty()) {
      return;
    }
    try {
      new ProcessBuilder(words)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      LOG.warn("could not run {}: {}", words.getFirst(), e.getMessage());
    }
  }

  /** Starts a command after a time, if this process still runs then. */
  static void runLater(List<String> words, long delayNanos) {
    if (delayNanos == 0) {
      run(words);
    } else if (!words.isEmpty()) {
      CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS).execute(() -> run(words));
    }
  }
}
