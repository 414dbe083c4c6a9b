package dev.pinion.core.model.call;

import dev.pinion.core.model.InstanceId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Addresses for services that answer later. An address ends in a token that names the call and
 * cannot be guessed: it is sealed with a secret of the engine (HMAC-SHA-256, RFC 2104, its first
 * {@value #SEAL_BYTES} bytes as section 5 allows). Addresses are not stored, so one made before a
 * restart, or by another replica with the same secret, is valid for as long as its call waits.
 * Immutable; any thread.
 */
public final class CallbackAddresses {
  /** Path before the token. */
  public static final String PATH = "/v1/callbacks/";

  /** Header field with the address for the answer. */
  public static final String FIELD = "Pinion-Callback";

  /** Header field with the status of a late answer. */
  public static final String STATUS_FIELD = "Pinion-Status";

  /** Type of an event that is a late answer; its subject is the token. */
  public static final String EVENT_TYPE = "dev.pinion.call.answered";

  /** Attribute of such an event with the status. */
  public static final String STATUS_ATTRIBUTE = "pinionstatus";

  /** Least number of bytes of a secret. */
  public static final int SECRET_BYTES = 32;

  /** Most characters of a token. */
  public static final int MAX_TOKEN_CHARS = 256;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int SEAL_BYTES = 16;
  private static final int NUMBERS_BYTES = Long.BYTES + 2 * Integer.BYTES;

  private final SecretKeySpec secret;
  private final String base;

  /**
   * A call of one concrete service.
   *
   * @param id the instance that calls
   * @param activity the activity that calls
   * @param attempt the number of the call within the instance
   * @param service the concrete service
   */
  public record CallReference(InstanceId id, int activity, int attempt, String service) {}

  /**
   * Addresses of an engine.
   *
   * @param secret at least {@value #SECRET_BYTES} random bytes; copied
   * @param base URI before {@value #PATH}, without a trailing slash; empty when services know the
   *     engine's address
   * @throws IllegalArgumentException when the secret is too short
   */
  public CallbackAddresses(byte[] secret, String base) {
    if (secret.length < SECRET_BYTES) {
      throw new IllegalArgumentException(
          "expected a secret of at least " + SECRET_BYTES + " bytes, found " + secret.length);
    }
    this.secret = new SecretKeySpec(secret, ALGORITHM);
    this.base = base;
  }

  /** Address at which a call may be answered; always the same for a call. */
  public String address(CallReference callReference) {
    return base + PATH + token(callReference);
  }

  /** Name of a call, in letters, digits, dashes and underscores. */
  public String token(CallReference callReference) {
    byte[] service = callReference.service().getBytes(StandardCharsets.UTF_8);
    byte[] named =
        ByteBuffer.allocate(NUMBERS_BYTES + service.length)
            .putLong(callReference.id().value())
            .putInt(callReference.activity())
            .putInt(callReference.attempt())
            .put(service)
            .array();
    byte[] sealed = Arrays.copyOf(named, named.length + SEAL_BYTES);
    System.arraycopy(seal(named), 0, sealed, named.length, SEAL_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /** The call that a token names; empty for a token that this engine has not sealed. */
  public Optional<CallReference> resolve(String token) {
    if (token.length() > MAX_TOKEN_CHARS) {
      return Optional.empty();
    }
    byte[] sealed;
    try {
      sealed = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    int length = sealed.length - SEAL_BYTES;
    if (length < NUMBERS_BYTES) {
      return Optional.empty();
    }
    byte[] named = Arrays.copyOf(sealed, length);
    byte[] seal = Arrays.copyOfRange(sealed, length, sealed.length);
    if (!MessageDigest.isEqual(seal, Arrays.copyOf(seal(named), SEAL_BYTES))) {
      return Optional.empty();
    }
    ByteBuffer numbers = ByteBuffer.wrap(named);
    return Optional.of(
        new CallReference(
            new InstanceId(numbers.getLong()),
            numbers.getInt(),
            numbers.getInt(),
            StandardCharsets.UTF_8.decode(numbers).toString()));
  }

  private byte[] seal(byte[] named) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac.doFinal(named);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("expected a JDK that knows " + ALGORITHM, e);
    }
  }
}
