package dev.pinion.benchmarks.experiments.dharch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A message with a compressed part for one handler and sealed fields for another one.
 *
 * <p>Format: length of the first part (4), the first part, then sealed fields of {@value
 * #SEALED_BYTES} B each: a nonce of 12 B, {@value #FIELD_BYTES} B under AES-128-GCM, a tag of 16 B.
 * Each field has a separate key, derived from one password and the nonce (PBKDF2, RFC 8018).
 *
 * <p>Both parts are small for the work they cause, so that their transfer hardly counts in a round
 * trip.
 */
final class TwoPartMessage {
  static final int FIELD_BYTES = 32;
  static final int NONCE_BYTES = 12;
  static final int TAG_BITS = 128;
  static final int SEALED_BYTES = NONCE_BYTES + FIELD_BYTES + TAG_BITS / 8;

  /** Password for measurements; it protects nothing. */
  private static final String PASSWORD = "of no importance";

  private static final int ITERATIONS = 64;
  private static final int KEY_BITS = 128;

  private static final int LENGTH_BYTES = 4;
  private static final long SEED = 1;

  private final byte[] body;
  private final int firstLength;

  private TwoPartMessage(byte[] body, int firstLength) {
    this.body = body;
    this.firstLength = firstLength;
  }

  /** Locates the parts of a body. */
  static TwoPartMessage read(byte[] body) {
    int length = body.length < LENGTH_BYTES ? -1 : ByteBuffer.wrap(body).getInt();
    int rest = body.length - LENGTH_BYTES - length;
    if (length < 0 || rest < 0 || rest % SEALED_BYTES != 0) {
      throw new IllegalArgumentException(
          "expected a compressed part and sealed fields, found "
              + body.length
              + " B of another kind");
    }
    return new TwoPartMessage(body, length);
  }

  /**
   * A message.
   *
   * @param plainBytes bytes of text that are compressed
   * @param fields number of sealed fields
   */
  static byte[] write(int plainBytes, int fields) throws GeneralSecurityException {
    byte[] first = deflated(document(plainBytes));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(LENGTH_BYTES).putInt(first.length).array());
    out.writeBytes(first);
    Random random = new Random(SEED);
    SecretKeyFactory derivation = derivation();
    byte[] field = new byte[FIELD_BYTES];
    for (int i = 0; i < fields; i++) {
      random.nextBytes(field);
      byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putInt(i).array();
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE, keyOf(derivation, nonce), new GCMParameterSpec(TAG_BITS, nonce));
      out.writeBytes(nonce);
      out.writeBytes(cipher.doFinal(field));
    }
    return out.toByteArray();
  }

  /** Derives keys of fields. For use by one thread. */
  static SecretKeyFactory derivation() throws GeneralSecurityException {
    return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
  }

  /** Key of the field with this nonce. */
  static SecretKey keyOf(SecretKeyFactory derivation, byte[] nonce)
      throws GeneralSecurityException {
    PBEKeySpec key = new PBEKeySpec(PASSWORD.toCharArray(), nonce, ITERATIONS, KEY_BITS);
    return new SecretKeySpec(derivation.generateSecret(key).getEncoded(), "AES");
  }

  /** Rows of readings as text, which repeat as such text does. */
  static byte[] text(int bytes) {
    Random random = new Random(SEED);
    StringBuilder rows = new StringBuilder(bytes + 64);
    while (rows.length() < bytes) {
      rows.append("sensor-").append(random.nextInt(40)).append(",california,");
      rows.append(random.nextInt(1_000)).append(',').append(random.nextInt(100)).append('\n');
    }
    return Arrays.copyOf(rows.toString().getBytes(StandardCharsets.US_ASCII), bytes);
  }

  /** Readings as XML, the format of the paper's services: most of each equals the previous one. */
  static byte[] document(int bytes) {
    Random random = new Random(SEED);
    StringBuilder rows = new StringBuilder(bytes + 512);
    while (rows.length() < bytes) {
      rows.append("<entry xmlns=\"urn:example:readings\" xmlns:q=\"urn:example:quality\">\n");
      rows.append("  <reading unit=\"kWh\" q:grade=\"measured\" q:source=\"meter\">\n    ");
      rows.append("<sensor>sensor-").append(random.nextInt(10));
      rows.append("</sensor>\n    <place>california</place>\n    <value>")
          .append(random.nextInt(100));
      rows.append("</value>\n  </reading>\n</entry>\n");
    }
    return Arrays.copyOf(rows.toString().getBytes(StandardCharsets.US_ASCII), bytes);
  }

  private static byte[] deflated(byte[] plain) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(plain);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] block = new byte[1 << 15];
      while (!deflater.finished()) {
        out.write(block, 0, deflater.deflate(block));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /** The compressed part. */
  ByteBuffer first() {
    return ByteBuffer.wrap(body, LENGTH_BYTES, firstLength);
  }

  /** Offset of the sealed fields in the body. */
  int fieldsFrom() {
    return LENGTH_BYTES + firstLength;
  }
}
