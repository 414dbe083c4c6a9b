package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Field fault 21: a full disk is detected by a text of the operating system, which translates it.
 */
@DisabledOnOs(OS.WINDOWS)
class PipedProcessTest {
  private static Map<String, String> changed(Map<String, String> environment) {
    Map<String, String> changed = new TreeMap<>(environment);
    PipedProcess.setEnglishMessages(changed);
    return changed;
  }

  @Test
  void shouldChangeTheLanguageOfMessagesOnly() {
    assertEquals(
        Map.of("LC_CTYPE", "de_DE.UTF-8", "LC_MESSAGES", "C"),
        changed(Map.of("LC_ALL", "de_DE.UTF-8", "LC_CTYPE", "C", "LC_MESSAGES", "fr_FR.UTF-8")));
    assertEquals(
        Map.of("LANG", "de_DE.UTF-8", "LC_MESSAGES", "C"), changed(Map.of("LANG", "de_DE.UTF-8")));
    assertEquals(
        Map.of("LC_CTYPE", "ja_JP.UTF-8", "LC_MESSAGES", "C"),
        changed(Map.of("LC_ALL", "", "LC_CTYPE", "ja_JP.UTF-8")));
  }

  @Test
  void shouldStartChildrenSo() throws Exception {
    CompletableFuture<String> told = new CompletableFuture<>();
    var _ =
        PipedProcess.start(
            List.of("sh", "-c", "echo \"$LC_MESSAGES/$LC_ALL\""),
            "",
            ReplicaStarter.ProcessListener.of(
                told::complete,
                _ -> told.completeExceptionally(new IOException("it said nothing"))));

    assertEquals("C/", told.get(20, TimeUnit.SECONDS));
  }
}
