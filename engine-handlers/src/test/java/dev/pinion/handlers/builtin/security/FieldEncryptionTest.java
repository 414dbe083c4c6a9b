package dev.pinion.handlers.builtin.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.CompressionAlgorithm;
import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.crypto.DirectDecrypter;
import com.nimbusds.jose.crypto.DirectEncrypter;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields that one handler encrypts and another decrypts. */
class FieldEncryptionTest {
  private static final String BODY = "{\"card\":{\"number\":\"4111\",\"cvc\":7},\"total\":1}";

  @TempDir Path folder;
  private final AtomicReference<String> variable = new AtomicReference<>(keys("new"));

  private static String key(char filling, int bytes) {
    return Base64.getEncoder()
        .encodeToString(String.valueOf(filling).repeat(bytes).getBytes(StandardCharsets.UTF_8));
  }

  private static String keys(String active) {
    return "{\"active\": \"%s\", \"keys\": {\"old\": \"%s\", \"new\": \"%s\"}}"
        .formatted(active, key('o', 16), key('n', 32));
  }

  private static String settings(String pointer, String more) {
    return "{\"pointer\": \"" + pointer + "\", \"keys\": {\"environment\": \"KEYS\"}" + more + "}";
  }

  private Handler encrypt(String pointer, String more) throws Exception {
    return HandlerTrial.handler(
        new EncryptFactory(name -> "KEYS".equals(name) ? variable.get() : null),
        settings(pointer, more));
  }

  private Handler decrypt(String pointer, String more) throws Exception {
    return HandlerTrial.handler(new DecryptFactory(_ -> variable.get()), settings(pointer, more));
  }

  private static Message message(String json) {
    return HandlerTrial.message(Map.of(), HandlerTrial.json(json));
  }

  private static String text(Message message) {
    return HandlerTrial.text(message.body());
  }

  /** The encrypted text at {@code /card}. */
  private static String sealed(Message message) throws Exception {
    return message.body().json(HandlerTrial.CODEC).json().path("card").textValue();
  }

  @Test
  void shouldTakeBackWhatItDid() throws Exception {
    for (String pointer : new String[] {"/card", "/card/number", "/card/cvc", "/total", ""}) {
      try (Handler encrypt = encrypt(pointer, "");
          Handler decrypt = decrypt(pointer, "")) {
        Message hidden = HandlerTrial.after(encrypt, message(BODY));
        assertFalse(text(hidden).equals(BODY), "it is changed");
        assertEquals(BODY, text(HandlerTrial.after(decrypt, hidden)));
      }
    }
    try (Handler encrypt = encrypt("/card", "")) {
      String hidden = text(HandlerTrial.after(encrypt, message(BODY)));
      assertFalse(hidden.contains("4111") || hidden.contains("number"), hidden);
      assertTrue(hidden.endsWith(",\"total\":1}"), hidden);
      assertEquals("{\"a\":1}", text(HandlerTrial.after(encrypt, message("{\"a\":1}"))));
    }
  }

  @Test
  void shouldBeReadableByWhoeverReadsJsonWebEncryption() throws Exception {
    try (Handler encrypt = encrypt("/card", "")) {
      JWEObject object = JWEObject.parse(sealed(HandlerTrial.after(encrypt, message(BODY))));
      assertEquals("new", object.getHeader().getKeyID());
      assertEquals(EncryptionMethod.A256GCM, object.getHeader().getEncryptionMethod());
      assertEquals(12, object.getIV().decode().length);
      assertEquals(16, object.getAuthTag().decode().length);
      object.decrypt(new DirectDecrypter("n".repeat(32).getBytes(StandardCharsets.UTF_8)));
      assertEquals("{\"number\":\"4111\",\"cvc\":7}", object.getPayload().toString());
    }
  }

  @Test
  void shouldReadOldKeysAndWriteTheActiveOne() throws Exception {
    Path file = Files.writeString(folder.resolve("keys.json"), keys("old"));
    String settings =
        "{\"pointer\": \"/card\", \"keys\": {\"file\": " + Payload.of(file.toString()) + "}}";
    Message before;
    try (Handler encrypt = HandlerTrial.handler(new EncryptFactory(), settings)) {
      before = HandlerTrial.after(encrypt, message(BODY));
    }
    Files.writeString(file, keys("new"));
    try (Handler encrypt = HandlerTrial.handler(new EncryptFactory(), settings);
        Handler decrypt = HandlerTrial.handler(new DecryptFactory(), settings)) {
      assertEquals("old", JWEObject.parse(sealed(before)).getHeader().getKeyID());
      assertEquals(BODY, text(HandlerTrial.after(decrypt, before)));
      Message after = HandlerTrial.after(encrypt, message(BODY));
      assertEquals("new", JWEObject.parse(sealed(after)).getHeader().getKeyID());
      assertEquals(BODY, text(HandlerTrial.after(decrypt, after)));
    }
  }

  @Test
  void shouldNeverUseANonceTwice() throws Exception {
    Set<String> nonces = new HashSet<>();
    try (Handler encrypt = encrypt("/card", "")) {
      Message same = message(BODY);
      for (int i = 0; i < 500; i++) {
        assertTrue(nonces.add(sealed(HandlerTrial.after(encrypt, same)).split("\\.", -1)[2]));
      }
    }
  }

  @Test
  void shouldStopWhenAKeyIsUsedUp() throws Exception {
    try (Handler encrypt = encrypt("/card", ", \"maxMessagesPerKey\": 2")) {
      HandlerTrial.after(encrypt, message(BODY));
      HandlerTrial.after(encrypt, message(BODY));
      for (int i = 0; i < 2; i++) {
        String stopped = HandlerTrial.stopped(encrypt, message(BODY));
        assertTrue(stopped.startsWith("503 ") && stopped.contains("\"new\" used up"), stopped);
      }
      HandlerTrial.after(encrypt, message("{\"nothing\": \"to encrypt\"}"));
    }
    KeyUsageCounter uses = new KeyUsageCounter(1);
    for (int i = 0; i < KeyUsageCounter.MAX_KEYS; i++) {
      assertTrue(uses.use("k" + i));
    }
    assertFalse(uses.use("k0"), "used up");
    assertFalse(uses.use("one more"), "not counted any more");
  }

  @Test
  void shouldRefuseWhatWasChangedOrMoved() throws Exception {
    try (Handler encrypt = encrypt("/card", "");
        Handler decrypt = decrypt("/card", "");
        Handler elsewhere = decrypt("/total", "")) {
      String sealed = sealed(HandlerTrial.after(encrypt, message(BODY)));
      String[] parts = sealed.split("\\.", -1);
      for (int part : new int[] {0, 2, 3, 4}) {
        String[] changed = parts.clone();
        char first = changed[part].charAt(0);
        changed[part] = (first == 'A' ? 'B' : 'A') + changed[part].substring(1);
        refused(decrypt, "\"" + String.join(".", changed) + "\"", "does not fit");
      }
      refused(decrypt, "\"" + sealed.substring(0, sealed.length() - 4) + "\"", "does not fit");
      refused(decrypt, "\"no token\"", "does not fit");
      refused(decrypt, "7", "another value");
      assertTrue(HandlerTrial.stopped(decrypt, message("{}")).contains("found none"));
      String moved = HandlerTrial.stopped(elsewhere, message("{\"total\": \"" + sealed + "\"}"));
      assertTrue(moved.startsWith("400 ") && moved.contains("does not fit"), moved);
      variable.set(keys("new").replace(key('n', 32), key('x', 32)));
      try (Handler other = decrypt("/card", "")) {
        refused(other, "\"" + sealed + "\"", "does not fit");
      }
    }
  }

  @Test
  void shouldRefuseOtherAlgorithmsAndBombsBehindAGoodTag() throws Exception {
    SecretKeySpec key = new SecretKeySpec("n".repeat(32).getBytes(StandardCharsets.UTF_8), "AES");
    try (Handler decrypt = decrypt("/card", "")) {
      for (EncryptionMethod method :
          new EncryptionMethod[] {EncryptionMethod.A256GCM, EncryptionMethod.A128CBC_HS256}) {
        JWEHeader header =
            new JWEHeader.Builder(JWEAlgorithm.DIR, method)
                .keyID("new")
                .customParam("ptr", "/card")
                .compressionAlgorithm(
                    method.equals(EncryptionMethod.A256GCM) ? CompressionAlgorithm.DEF : null)
                .build();
        JWEObject object = new JWEObject(header, new com.nimbusds.jose.Payload("[1]"));
        object.encrypt(new DirectEncrypter(key));
        refused(decrypt, "\"" + object.serialize() + "\"", "does not fit");
      }
    }
  }

  private static void refused(Handler decrypt, String card, String reason) throws Exception {
    String stopped = HandlerTrial.stopped(decrypt, message("{\"card\": " + card + "}"));
    assertTrue(stopped.startsWith("400 ") && stopped.contains(reason), stopped);
  }

  @Test
  void shouldBindToTheMessageIfAsked() throws Exception {
    try (Handler encrypt = encrypt("/card", ", \"bindMessage\": true");
        Handler bound = decrypt("/card", ", \"bindMessage\": true");
        Handler unbound = decrypt("/card", "")) {
      Message one = HandlerTrial.after(encrypt, message(BODY));
      assertEquals(BODY, text(HandlerTrial.after(bound, one)));
      Message replayed = message(text(one));
      assertTrue(HandlerTrial.stopped(bound, replayed).contains("does not fit"));
      assertTrue(HandlerTrial.stopped(unbound, one).contains("does not fit"));
    }
  }

  @Test
  void shouldLetMissingFieldsThroughIfAsked() throws Exception {
    try (Handler decrypt = decrypt("/card", ", \"required\": false")) {
      assertEquals("{}", text(HandlerTrial.after(decrypt, message("{}"))));
      refused(decrypt, "null", "another value");
    }
  }

  @Test
  void shouldSayWhatIsWrongWithKeysWithoutShowingThem() throws Exception {
    String same = key('s', 32);
    for (String[] each :
        new String[][] {
          {
            "{\"active\": \"a\", \"keys\": {\"a\": \"" + key('a', 31) + "\"}}",
            "found \"a\" with 31 B"
          },
          {
            "{\"active\": \"a\", \"keys\": {\"a\": \"" + same + "\", \"b\": \"" + same + "\"}}",
            "found that of \"b\" twice"
          },
          {"[", "found no JSON"}
        }) {
      String problems =
          HandlerTrial.problems(new EncryptFactory(_ -> each[0]), settings("/card", ""));
      assertTrue(problems.contains("/settings/keys/environment: "), problems);
      assertTrue(problems.contains(each[1]), problems);
      assertFalse(problems.contains(same) || problems.contains(key('a', 31)), problems);
    }
    String unset = HandlerTrial.problems(new EncryptFactory(_ -> null), settings("card", ""));
    assertTrue(unset.contains("it is not set"), unset);
    assertTrue(unset.contains("expected a JSON pointer"), unset);
    String nothing = HandlerTrial.problems(new DecryptFactory(), "{\"pointer\": \"/a\"}");
    assertTrue(nothing.contains("/settings/keys"), nothing);
  }
}
