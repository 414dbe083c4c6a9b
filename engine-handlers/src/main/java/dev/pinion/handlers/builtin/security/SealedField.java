package dev.pinion.handlers.builtin.security;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.DirectDecrypter;
import com.nimbusds.jose.crypto.DirectEncrypter;
import java.text.ParseException;
import java.util.Objects;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value encrypted with AES-GCM as JSON Web Encryption (RFC 7516) in compact form, {@code
 * alg: dir}. The data it is bound to are in the protected header, which GCM authenticates with the
 * value: {@code ptr}, the place in the body, and {@code mid}, the message if that is requested.
 *
 * @param pointer the place in the body, as JSON pointer
 * @param messageId the message, or null when it may be read in any
 */
record SealedField(String pointer, @Nullable String messageId) {
  private static final String POINTER = "ptr";
  private static final String MESSAGE = "mid";

  /** Encrypts bytes with a fresh random nonce of 96 bits. */
  String seal(byte[] plain, String keyId, SecretKey key) throws JOSEException {
    JWEHeader.Builder header =
        new JWEHeader.Builder(JWEAlgorithm.DIR, method(key))
            .keyID(keyId)
            .customParam(POINTER, pointer);
    if (messageId != null) {
      header.customParam(MESSAGE, messageId);
    }
    JWEObject sealed = new JWEObject(header.build(), new Payload(plain));
    sealed.encrypt(new DirectEncrypter(key));
    return sealed.serialize();
  }

  /**
   * Decrypts the output of {@link #seal} for the same place.
   *
   * @throws JOSEException when it was made otherwise, elsewhere, by another key, or changed since
   * @throws ParseException when it is malformed
   */
  byte[] open(String text, KeyRing keys) throws JOSEException, ParseException {
    JWEObject sealed = JWEObject.parse(text);
    JWEHeader header = sealed.getHeader();
    String keyId = header.getKeyID();
    SecretKey key = keyId == null ? null : keys.key(keyId);
    if (key == null) {
      throw new JOSEException("expected the id of a known key, found " + keyId);
    }
    check("alg", JWEAlgorithm.DIR, header.getAlgorithm());
    check("enc", method(key), header.getEncryptionMethod());
    check("zip", null, header.getCompressionAlgorithm()); // no bombs behind a valid tag
    check(POINTER, pointer, header.getCustomParam(POINTER));
    check(MESSAGE, messageId, header.getCustomParam(MESSAGE));
    sealed.decrypt(new DirectDecrypter(key));
    return sealed.getPayload().toBytes();
  }

  private static void check(String name, @Nullable Object expected, @Nullable Object found)
      throws JOSEException {
    if (!Objects.equals(expected, found)) {
      throw new JOSEException("expected " + name + " " + expected + ", found " + found);
    }
  }

  private static EncryptionMethod method(SecretKey key) {
    return switch (key.getEncoded().length) {
      case 16 -> EncryptionMethod.A128GCM;
      case 24 -> EncryptionMethod.A192GCM;
      default -> EncryptionMethod.A256GCM;
    };
  }
}
