package dev.pinion.core.authentication;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The use of one nonce of a service: counts the requests with it (RFC 7616, section 3.4). For any
 * thread.
 */
public final class DigestSession {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_BYTES = 16;

  private final DigestChallenge challenge;

  /** Number of this client, the same for all requests with the nonce, as {@code -sess} needs it. */
  private final String clientNonce;

  private int count;

  /**
   * A request that is to be authorized.
   *
   * @param method its method
   * @param uri its target as it is sent
   * @param body bytes of its body
   */
  public record DigestRequest(String method, String uri, Supplier<byte[]> body) {}

  /** Begins to use the nonce of a challenge. */
  public DigestSession(DigestChallenge challenge) {
    this(challenge, random());
  }

  DigestSession(DigestChallenge challenge, String clientNonce) {
    this.challenge = challenge;
    this.clientNonce = clientNonce;
  }

  private static String random() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The challenge. */
  public DigestChallenge challenge() {
    return challenge;
  }

  /**
   * The session after a response: another one when the service has named its next nonce.
   *
   * @param info the field Authentication-Info, or null
   */
  public DigestSession after(@Nullable String info) {
    String next = info == null ? null : ChallengeParser.parameters(info).get("nextnonce");
    return next == null || next.isEmpty() ? this : new DigestSession(challenge.withNonce(next));
  }

  /** The authorization of a request, which counts as sent. */
  public Authorization authorization(DigestRequest request, UserPassword credentials) {
    String number = number();
    String qop = challenge.chosenQop();
    StringBuilder fields = new StringBuilder();
    user(fields, credentials.username());
    quoted(fields, "realm", challenge.realm());
    quoted(fields, "nonce", challenge.nonce());
    quoted(fields, "uri", request.uri());
    quoted(fields, "response", response(request, credentials, qop, number));
    plain(fields, "algorithm", challenge.algorithm().label());
    if (qop != null || challenge.algorithm().isOfSession()) {
      quoted(fields, "cnonce", clientNonce);
    }
    if (qop != null) {
      plain(fields, "qop", qop);
      plain(fields, "nc", number);
    }
    String opaque = challenge.opaque();
    if (opaque != null) {
      quoted(fields, "opaque", opaque);
    }
    if (challenge.hashesUser()) {
      plain(fields, "userhash", "true");
    }
    return new Authorization("Digest", fields.toString());
  }

  private synchronized String number() {
    return String.format(Locale.ROOT, "%08x", ++count);
  }

  private String response(
      DigestRequest request, UserPassword credentials, @Nullable String qop, String number) {
    String secret =
        hash(credentials.username() + ":" + challenge.realm() + ":" + credentials.password());
    if (challenge.algorithm().isOfSession()) {
      secret = hash(secret + ":" + challenge.nonce() + ":" + clientNonce);
    }
    String what = request.method() + ":" + request.uri();
    if (DigestChallenge.AUTH_INT.equals(qop)) {
      what += ":" + challenge.algorithm().hash(request.body().get());
    }
    String middle =
        qop == null
            ? challenge.nonce()
            : challenge.nonce() + ":" + number + ":" + clientNonce + ":" + qop;
    return hash(secret + ":" + middle + ":" + hash(what));
  }

  private String hash(String text) {
    return challenge.algorithm().hash(text.getBytes(StandardCharsets.UTF_8));
  }

  private void user(StringBuilder fields, String username) {
    if (challenge.hashesUser()) {
      quoted(fields, "username", hash(username + ":" + challenge.realm()));
    } else if (username.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      quoted(fields, "username", username);
    } else {
      plain(fields, "username*", "UTF-8''" + percentEncoded(username));
    }
  }

  /** RFC 8187, section 3.2.1. */
  private static String percentEncoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      boolean kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      encoded.append(kept ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
    }
    return encoded.toString();
  }

  private static void quoted(StringBuilder fields, String name, String value) {
    plain(fields, name, '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
  }

  private static void plain(StringBuilder fields, String name, String value) {
    fields.append(fields.isEmpty() ? "" : ", ").append(name).append('=').append(value);
  }
}
