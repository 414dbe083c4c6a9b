package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallbacksTest {
  private static final InstanceId ID = InstanceId.next(1_700_000_000_000L, 7, null);
  private static final Callbacks.Call CALL = new Callbacks.Call(ID, 3, 9, "sky.2-x");

  private final Callbacks callbacks = new Callbacks(secret(1), "https://engine.example");

  private static byte[] secret(int value) {
    byte[] secret = new byte[Callbacks.SECRET_BYTES];
    Arrays.fill(secret, (byte) value);
    return secret;
  }

  @Test
  void shouldFindTheCallThatATokenNames() {
    String token = callbacks.token(CALL);

    assertEquals("https://engine.example/v1/callbacks/" + token, callbacks.address(CALL));
    assertTrue(token.matches("[A-Za-z0-9_-]+"), token);
    assertEquals(Optional.of(CALL), callbacks.call(token));
    String longest = "s".repeat(64);
    Callbacks.Call most = new Callbacks.Call(ID, Integer.MAX_VALUE, Integer.MAX_VALUE, longest);
    assertEquals(Optional.of(most), callbacks.call(callbacks.token(most)));
  }

  /** A token made again after a restart, or elsewhere, is the same. */
  @Test
  void shouldDependOnTheCallAndTheSecretAlone() {
    String token = callbacks.token(CALL);
    assertEquals(token, new Callbacks(secret(1), "").token(CALL));
    for (Callbacks.Call other :
        new Callbacks.Call[] {
          new Callbacks.Call(InstanceId.next(1_700_000_000_000L, 8, null), 3, 9, "sky.2-x"),
          new Callbacks.Call(ID, 4, 9, "sky.2-x"),
          new Callbacks.Call(ID, 3, 10, "sky.2-x"),
          new Callbacks.Call(ID, 3, 9, "sky.2-y")
        }) {
      assertNotEquals(token, callbacks.token(other));
    }
  }

  @Test
  void shouldNotKnowWhatItHasNotSealed() {
    String token = callbacks.token(CALL);
    assertEquals(Optional.empty(), new Callbacks(secret(2), "").call(token));
    byte[] sealed = Base64.getUrlDecoder().decode(token);
    for (int i = 0; i < sealed.length; i++) {
      byte[] forged = sealed.clone();
      forged[i] ^= 1;
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
      assertEquals(Optional.empty(), callbacks.call(text), "byte " + i);
      String cut = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sealed, i));
      assertEquals(Optional.empty(), callbacks.call(cut), i + " bytes");
    }
    for (String other : new String[] {"", "x", "not base64!", "A".repeat(257), "A".repeat(256)}) {
      assertEquals(Optional.empty(), callbacks.call(other), other);
    }
  }

  @Test
  void shouldRefuseShortSecretsAndStatusesThatEndNothing() {
    assertThrows(IllegalArgumentException.class, () -> new Callbacks(new byte[31], ""));
    byte[] bytes = "x".getBytes(StandardCharsets.US_ASCII);
    for (int status : new int[] {199, 202, 600}) {
      assertThrows(IllegalArgumentException.class, () -> LateAnswer.of(status, "", bytes));
    }
    assertEquals(200, LateAnswer.of(200, "", bytes).status());
    assertEquals("599 with 1 B", LateAnswer.of(599, "text/plain", bytes).toString());
  }
}
