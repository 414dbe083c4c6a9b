package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingsException;
import dev.pinion.bootstrap.settings.SettingsLoader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ReadyLineTest {
  private static final String READY = "ready http://127.0.0.1:8080\n";

  @TempDir private Path folder;
  private final StringWriter printed = new StringWriter();
  private final BlockingQueue<String> errors = new LinkedBlockingQueue<>();

  @Test
  void shouldBeInItsFileWhenItIsPrinted() throws Exception {
    Path file = folder.resolve("ready");

    tell(file, Duration.ofSeconds(20));

    assertEquals(READY, printed.toString());
    assertEquals(READY, Files.readString(file));
  }

  // Field fault 20: a disk that hangs, here a pipe without a reader
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldBePrintedThoughItsFileHangs() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());

    tell(pipe, Duration.ofMillis(1));

    assertEquals(READY, printed.toString());
    assertEquals(READY, Files.readString(pipe), "it waits for the reader");
  }

  @Test
  void shouldTellWhyItsFileCannotBeWritten() throws Exception {
    Path missing = folder.resolve("missing").resolve("ready");

    tell(missing, Duration.ofSeconds(20));

    assertEquals(READY, printed.toString());
    String error = String.valueOf(errors.poll(20, TimeUnit.SECONDS));
    assertTrue(error.startsWith("cannot write the ready file " + missing), error);
  }

  private void tell(Path file, Duration longest) throws SettingsException {
    EffectiveSettings settings =
        SettingsLoader.load(
            Map.of(SettingKey.READY_FILE, file.toString()), Map.of("HOME", "/home"), null);
    new ReadyLine(settings, false, new PrintWriter(printed), errors::add)
        .announce(8080, null, List.of(), new ReadinessTasks(longest, System::nanoTime));
  }
}
