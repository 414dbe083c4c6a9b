package dev.pinion.core.model.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.InstanceId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallbackAddressesTest {
  private static final InstanceId ID = InstanceId.next(1_700_000_000_000L, 7, null);
  private static final CallbackAddresses.CallReference CALL =
      new CallbackAddresses.CallReference(ID, 3, 9, "sky.2-x");

  private final CallbackAddresses callbackAddresses =
      new CallbackAddresses(secret(1), "https://engine.example");

  private static byte[] secret(int value) {
    byte[] secret = new byte[CallbackAddresses.SECRET_BYTES];
    Arrays.fill(secret, (byte) value);
    return secret;
  }

  @Test
  void shouldFindTheCallThatATokenNames() {
    String token = callbackAddresses.token(CALL);

    assertEquals("https://engine.example/v1/callbacks/" + token, callbackAddresses.address(CALL));
    assertTrue(token.matches("[A-Za-z0-9_-]+"), token);
    assertEquals(Optional.of(CALL), callbackAddresses.resolve(token));
    String longest = "s".repeat(64);
    CallbackAddresses.CallReference most =
        new CallbackAddresses.CallReference(ID, Integer.MAX_VALUE, Integer.MAX_VALUE, longest);
    assertEquals(Optional.of(most), callbackAddresses.resolve(callbackAddresses.token(most)));
  }

  /** A token made again after a restart, or elsewhere, is the same. */
  @Test
  void shouldDependOnTheCallAndTheSecretAlone() {
    String token = callbackAddresses.token(CALL);
    assertEquals(token, new CallbackAddresses(secret(1), "").token(CALL));
    for (CallbackAddresses.CallReference other :
        new CallbackAddresses.CallReference[] {
          new CallbackAddresses.CallReference(
              InstanceId.next(1_700_000_000_000L, 8, null), 3, 9, "sky.2-x"),
          new CallbackAddresses.CallReference(ID, 4, 9, "sky.2-x"),
          new CallbackAddresses.CallReference(ID, 3, 10, "sky.2-x"),
          new CallbackAddresses.CallReference(ID, 3, 9, "sky.2-y")
        }) {
      assertNotEquals(token, callbackAddresses.token(other));
    }
  }

  @Test
  void shouldNotKnowWhatItHasNotSealed() {
    String token = callbackAddresses.token(CALL);
    assertEquals(Optional.empty(), new CallbackAddresses(secret(2), "").resolve(token));
    byte[] sealed = Base64.getUrlDecoder().decode(token);
    for (int i = 0; i < sealed.length; i++) {
      byte[] forged = sealed.clone();
      forged[i] ^= 1;
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
      assertEquals(Optional.empty(), callbackAddresses.resolve(text), "byte " + i);
      String cut = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sealed, i));
      assertEquals(Optional.empty(), callbackAddresses.resolve(cut), i + " bytes");
    }
    for (String other : new String[] {"", "x", "not base64!", "A".repeat(257), "A".repeat(256)}) {
      assertEquals(Optional.empty(), callbackAddresses.resolve(other), other);
    }
  }

  @Test
  void shouldRefuseShortSecretsAndStatusesThatEndNothing() {
    assertThrows(IllegalArgumentException.class, () -> new CallbackAddresses(new byte[31], ""));
    byte[] bytes = "x".getBytes(StandardCharsets.US_ASCII);
    for (int status : new int[] {199, 202, 600}) {
      assertThrows(IllegalArgumentException.class, () -> CallbackResponse.of(status, "", bytes));
    }
    assertEquals(200, CallbackResponse.of(200, "", bytes).status());
    assertEquals("599 with 1 B", CallbackResponse.of(599, "text/plain", bytes).toString());
  }
}
