package dev.pinion.core.authentication;

import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signed assertion by which a client authenticates itself (RFC 7523). Signing takes milliseconds:
 * not for event loops.
 */
public final class ClientAssertion {
  /** Value of {@code client_assertion_type}. */
  static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  /** Life of an assertion, which is used at once. */
  private static final long SECONDS = 60;

  private static final String HMAC = "HmacSHA256";
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";
  private static final Pattern READY_MADE = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");
  private static final int P256_BITS = 256;
  private static final int P384_BITS = 384;

  private ClientAssertion() {}

  /**
   * The assertion of a client.
   *
   * @param client a client with a secret or an assertion
   * @param audience URI at which tokens are issued
   * @param epochMillis the present time
   * @throws dev.pinion.core.model.ExpressionException when its key cannot be used
   */
  public static String of(OAuthClient client, String audience, long epochMillis) {
    String assertion = client.assertion();
    if (assertion != null && READY_MADE.matcher(assertion.strip()).matches()) {
      return assertion.strip();
    }
    long seconds = epochMillis / 1_000;
    String id = String.valueOf(client.id());
    Map<String, Payload> claims = new LinkedHashMap<>();
    claims.put("iss", Payload.of(id));
    claims.put("sub", Payload.of(id));
    claims.put("aud", Payload.of(audience));
    claims.put("jti", Payload.of(UUID.randomUUID().toString()));
    claims.put("iat", Payload.of(seconds));
    claims.put("exp", Payload.of(seconds + SECONDS));
    Payload content = Payload.object(claims);
    try {
      return assertion == null
          ? signedBySecret(content, String.valueOf(client.secret()))
          : signedByKey(content, key(assertion));
    } catch (GeneralSecurityException e) {
      throw PolicyParameters.failure(
          "expected a key that can sign the client's assertion, found one that cannot: "
              + e.getClass().getSimpleName());
    }
  }

  private static String signedBySecret(Payload claims, String secret)
      throws GeneralSecurityException {
    String signed = signedPart("HS256", claims);
    Mac mac = Mac.getInstance(HMAC);
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC));
    return signed + "." + base64(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String signedByKey(Payload claims, PrivateKey key)
      throws GeneralSecurityException {
    String algorithm = algorithm(key);
    String signed = signedPart(algorithm, claims);
    Signature signature = Signature.getInstance(javaName(algorithm));
    signature.initSign(key);
    signature.update(signed.getBytes(StandardCharsets.US_ASCII));
    return signed + "." + base64(signature.sign());
  }

  private static String signedPart(String algorithm, Payload claims) {
    Map<String, Payload> header = new LinkedHashMap<>();
    header.put("alg", Payload.of(algorithm));
    header.put("typ", Payload.of("JWT"));
    return base64(Payload.object(header)) + "." + base64(claims);
  }

  private static String algorithm(PrivateKey key) {
    if (!(key instanceof ECPrivateKey ec)) {
      return "RS256";
    }
    int bits = ec.getParams().getCurve().getField().getFieldSize();
    return bits == P256_BITS ? "ES256" : bits == P384_BITS ? "ES384" : "ES512";
  }

  private static String javaName(String algorithm) {
    String hash = "SHA" + algorithm.substring(2);
    return algorithm.startsWith("RS") ? hash + "withRSA" : hash + "withECDSAinP1363Format";
  }

  /** A private key in PEM (RFC 5958). */
  private static PrivateKey key(String pem) throws GeneralSecurityException {
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw PolicyParameters.failure(
          "expected a signed JWT, or a private key in PEM (PKCS #8, \""
              + BEGIN
              + "\"), as \"assertion\" of the client, found something else");
    }
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
    } catch (IllegalArgumentException e) {
      throw PolicyParameters.failure(
          "expected a private key in PEM as \"assertion\" of the client, found no base 64");
    }
    PKCS8EncodedKeySpec specification = new PKCS8EncodedKeySpec(encoded);
    try {
      return KeyFactory.getInstance("RSA").generatePrivate(specification);
    } catch (InvalidKeySpecException e) {
      return KeyFactory.getInstance("EC").generatePrivate(specification);
    }
  }

  private static String base64(Payload json) {
    return base64(json.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
