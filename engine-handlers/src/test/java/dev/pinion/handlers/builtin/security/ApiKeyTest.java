package dev.pinion.handlers.builtin.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.builtin.Digests;
import dev.pinion.handlers.builtin.FileSnapshot;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** API keys whose hashes are in a file. */
class ApiKeyTest {
  @TempDir Path folder;

  private static String line(String subject, String key) {
    byte[] hash = Digests.sha256(key.getBytes(StandardCharsets.UTF_8));
    return subject + " " + HexFormat.of().formatHex(hash) + "\n";
  }

  private String settings(String content) throws Exception {
    Path file = Files.writeString(folder.resolve("keys"), content);
    return "{\"file\": " + Payload.of(file.toString()) + "}";
  }

  @Test
  void shouldHashAsOthersDo() {
    // FIPS 180-2, appendix B.1
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        HexFormat.of().formatHex(Digests.sha256("abc".getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void shouldLetKnownKeysThroughAndTakeThemOut() throws Exception {
    String file = "# keys\n\n" + line("north", "k-1") + line("south", "k-2") + line("north", "k-3");
    try (Handler handler = HandlerTrial.handler(new ApiKeyFactory(), settings(file))) {
      for (String key : new String[] {"k-1", "k-3"}) {
        Message after =
            HandlerTrial.after(handler, HandlerTrial.message(Map.of("header.x-api-key", key)));
        assertEquals("north", after.properties().get("auth.subject"));
        assertNull(after.properties().get("header.x-api-key"));
      }
      Message south =
          HandlerTrial.after(handler, HandlerTrial.message(Map.of("header.x-api-key", "k-2")));
      assertEquals("south", south.properties().get("auth.subject"));
    }
  }

  @Test
  void shouldRefuseOthersWithoutRepeatingTheKey() throws Exception {
    try (Handler handler =
        HandlerTrial.handler(new ApiKeyFactory(), settings(line("north", "k-1")))) {
      String unknown =
          HandlerTrial.stopped(handler, HandlerTrial.message(Map.of("header.x-api-key", "sesame")));
      assertTrue(unknown.startsWith("401 {www-authenticate=ApiKey"), unknown);
      assertFalse(unknown.contains("sesame"), unknown);
      assertTrue(
          HandlerTrial.stopped(handler, HandlerTrial.message(Map.of())).contains("found none"));
      String hash = line("", "k-1").strip();
      HandlerTrial.stopped(handler, HandlerTrial.message(Map.of("header.x-api-key", hash)));
    }
  }

  @Test
  void shouldNotLookAtKeysThatAreTooLong() {
    String most = "k".repeat(ApiKeys.MAX_KEY_CHARS);
    String file = line("north", most) + line("south", most + "k");
    ApiKeys keys = ApiKeys.parse(file.getBytes(StandardCharsets.UTF_8));
    assertEquals("north", keys.subject(most));
    assertNull(keys.subject(most + "k"));
  }

  @Test
  void shouldHoldTheNumberOfKeys() {
    String most = line("north", "k").repeat(ApiKeys.MAX_KEYS);
    ApiKeys.parse(most.getBytes(StandardCharsets.UTF_8));
    byte[] more = (most + line("north", "k")).getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> ApiKeys.parse(more));
  }

  @Test
  void shouldSayWhereAFileIsWrongAndNotShowIt() throws Exception {
    String problems =
        HandlerTrial.problems(
            new ApiKeyFactory(), settings(line("north", "k-1") + "south secret\n"));
    assertTrue(problems.contains("/settings/file: "), problems);
    assertTrue(problems.contains("in line 2"), problems);
    assertFalse(problems.contains("secret"), problems);
    String missing = HandlerTrial.problems(new ApiKeyFactory(), "{\"file\": \"/none/such\"}");
    assertTrue(missing.contains("NoSuchFile"), missing);
    assertTrue(HandlerTrial.problems(new ApiKeyFactory(), "{}").contains("\"file\""));
  }

  @Test
  void shouldReadAFileAgainAndKeepTheLastGoodContent() throws Exception {
    Path file = Files.writeString(folder.resolve("keys"), line("north", "k-1"));
    Settings settings =
        new Settings(Payload.object(Map.of("file", Payload.of(file.toString()))), "");
    try (FileSnapshot<ApiKeys> keys = FileSnapshot.opened(settings, 200, ApiKeys::parse)) {
      Files.writeString(file, line("north", "k-1") + line("south", "k-2"));
      keys.check();
      assertEquals("south", keys.content().subject("k-2"));
      Files.writeString(file, "rubbish");
      keys.check();
      assertEquals("south", keys.content().subject("k-2"));
      Files.writeString(file, line("south", "k-2") + "#".repeat(200));
      keys.check();
      assertEquals("north", keys.content().subject("k-1"), "too large a file is not taken");
      Files.delete(file);
      keys.check();
      assertEquals("north", keys.content().subject("k-1"));
    }
  }
}
