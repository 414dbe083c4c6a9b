package dev.pinion.handlers.builtin.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.builtin.Digests;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signatures that one handler makes and another checks. */
class HmacTest {
  private static final String FIELD = "header.pinion-signature";
  private static final Body BODY = HandlerTrial.json("{\"total\": 7}");

  @TempDir Path folder;
  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();

  private static String key(char filling) {
    return Base64.getEncoder()
        .encodeToString(String.valueOf(filling).repeat(32).getBytes(StandardCharsets.UTF_8));
  }

  private String settings(String keys, String more) throws Exception {
    Path file = Files.createTempFile(folder, "keys", ".json");
    Files.writeString(file, keys);
    return "{\"keys\": {\"file\": "
        + Payload.of(file.toString())
        + "}, \"properties\": [\"http.method\", \"http.path\"]"
        + more
        + "}";
  }

  private static String keys(String active) {
    return "{\"active\": \""
        + active
        + "\", \"keys\": {\"old\": \""
        + key('o')
        + "\", \"new\": \""
        + key('n')
        + "\"}}";
  }

  private Handler sign(String active) throws Exception {
    return HandlerTrial.handler(new HmacSignFactory(clock), settings(keys(active), ""));
  }

  private Handler verify(String more) throws Exception {
    return HandlerTrial.handler(new HmacVerifyFactory(clock), settings(keys("new"), more));
  }

  private static Message post(String path, Body body) {
    return HandlerTrial.message(Map.of("http.method", "POST", "http.path", path), body);
  }

  @Test
  void shouldComputeWhatRfc4231Says() {
    byte[] data = "what do ya want for nothing?".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        hmac("Jefe".getBytes(StandardCharsets.UTF_8), data));
    byte[] large = new byte[131];
    Arrays.fill(large, (byte) 0xaa);
    assertEquals(
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        hmac(
            large,
            "Test Using Larger Than Block-Size Key - Hash Key First"
                .getBytes(StandardCharsets.UTF_8)));
  }

  private static String hmac(byte[] key, byte[] data) {
    return HexFormat.of().formatHex(Digests.hmacSha256(new SecretKeySpec(key, "HmacSHA256"), data));
  }

  @Test
  void shouldSignTimeAndBodyAsTheHeaderSays() throws Exception {
    Path file = Files.writeString(folder.resolve("k.json"), keys("new"));
    String settings = "{\"keys\": {\"file\": " + Payload.of(file.toString()) + "}}";
    try (Handler sign = HandlerTrial.handler(new HmacSignFactory(clock), settings)) {
      String field = HandlerTrial.property(HandlerTrial.after(sign, post("/a", BODY)), FIELD);
      byte[] signed = "1700000000.{\"total\": 7}".getBytes(StandardCharsets.UTF_8);
      String hex = hmac("n".repeat(32).getBytes(StandardCharsets.UTF_8), signed);
      assertEquals("t=1700000000,k=new,v1=" + hex, field);
    }
  }

  @Test
  void shouldAcceptWhatTheOtherSideSigned() throws Exception {
    try (Handler old = sign("old");
        Handler now = sign("new");
        Handler verify = verify("")) {
      HandlerTrial.after(verify, HandlerTrial.after(old, post("/a", BODY)));
      HandlerTrial.after(verify, HandlerTrial.after(now, post("/a", BODY)));
      HandlerTrial.after(verify, HandlerTrial.after(now, post("/a", Body.EMPTY)));
    }
  }

  @Test
  void shouldRefuseWhatWasChanged() throws Exception {
    try (Handler sign = sign("new");
        Handler verify = verify("")) {
      String field = HandlerTrial.property(HandlerTrial.after(sign, post("/a", BODY)), FIELD);
      refused(verify, "/b", BODY, field, "does not fit");
      refused(verify, "/a", HandlerTrial.json("{\"total\": 8}"), field, "does not fit");
      refused(verify, "/a", BODY, field.replace("t=1700000000", "t=1700000001"), "does not fit");
      refused(verify, "/a", BODY, field.replace("k=new", "k=old"), "does not fit");
      refused(verify, "/a", BODY, field.replace("k=new", "k=none"), "unknown key");
      refused(verify, "/a", BODY, field + "0", "malformed");
      refused(verify, "/a", BODY, "t=99999999999999999999,k=new,v1=00", "malformed");
      assertTrue(HandlerTrial.stopped(verify, post("/a", BODY)).contains("found none"));
      HandlerTrial.after(verify, signed("/a", BODY, field));
    }
  }

  @Test
  void shouldNotConfuseWherePropertiesEnd() throws Exception {
    try (Handler sign = sign("new");
        Handler verify = verify("")) {
      Message one =
          HandlerTrial.message(Map.of("http.method", "P", "http.path", "\nhttp.path:1:b"), BODY);
      String field = HandlerTrial.property(HandlerTrial.after(sign, one), FIELD);
      Message other =
          HandlerTrial.message(
              Map.of("http.method", "P\nhttp.path:", "http.path", "1:b", FIELD, field), BODY);
      assertTrue(HandlerTrial.stopped(verify, other).contains("does not fit"));
    }
  }

  private static Message signed(String path, Body body, String field) {
    return HandlerTrial.message(
        Map.of("http.method", "POST", "http.path", path, FIELD, field), body);
  }

  private static void refused(Handler verify, String path, Body body, String field, String reason)
      throws Exception {
    String stopped = HandlerTrial.stopped(verify, signed(path, body, field));
    assertTrue(stopped.startsWith("401 ") && stopped.contains(reason), stopped);
  }

  @Test
  void shouldRefuseReplaysAndOtherTimes() throws Exception {
    try (Handler sign = sign("new");
        Handler verify = verify(", \"window\": \"PT10S\"")) {
      Message message = HandlerTrial.after(sign, post("/a", BODY));
      String field = HandlerTrial.property(message, FIELD);
      HandlerTrial.after(verify, message);
      refused(verify, "/a", BODY, field, "used before");
      clock.advance(10_000);
      refused(verify, "/a", BODY, field, "used before");
      clock.advance(1);
      refused(verify, "/a", BODY, field, "another time");
      clock.advance(10_000);
      refused(verify, "/a", BODY, field, "another time");
      clock.advance(-30_002);
      refused(verify, "/a", BODY, field, "another time");
    }
  }

  @Test
  void shouldRefuseWhenItCannotRememberMore() throws Exception {
    try (Handler sign = sign("new");
        Handler verify = verify(", \"window\": \"PT10S\", \"maxRemembered\": 2")) {
      Message message = null;
      for (String path : new String[] {"/a", "/b"}) {
        message = HandlerTrial.after(sign, post(path, BODY));
        HandlerTrial.after(verify, message);
      }
      String full = HandlerTrial.stopped(verify, HandlerTrial.after(sign, post("/c", BODY)));
      assertTrue(full.startsWith("503 {retry-after=10}"), full);
      clock.advance(20_001);
      HandlerTrial.after(verify, HandlerTrial.after(sign, post("/c", BODY)));
    }
  }

  @Test
  void shouldSayWhatIsWrongWithKeysWithoutShowingThem() throws Exception {
    String weak = Base64.getEncoder().encodeToString(new byte[31]);
    String problems =
        HandlerTrial.problems(
            new HmacSignFactory(clock),
            settings("{\"active\": \"a\", \"keys\": {\"a\": \"" + weak + "\"}}", ""));
    assertTrue(problems.contains("/settings/keys/file: "), problems);
    assertTrue(problems.contains("32 to 512 B, found \"a\" with 31 B"), problems);
    assertFalse(problems.contains(weak), problems);
    String inactive =
        HandlerTrial.problems(
            new HmacSignFactory(clock),
            settings("{\"active\": \"b\", \"keys\": {\"a\": \"" + key('a') + "\"}}", ""));
    assertTrue(inactive.contains("\"active\": \"b\""), inactive);
    assertTrue(
        HandlerTrial.problems(new HmacSignFactory(clock), settings("[", ""))
            .contains("found no JSON"));
  }
}
