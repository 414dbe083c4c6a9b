package dev.pinion.benchmarks.chains;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A message with a compressed part for one handler and sealed fields for another one.
 *
 * <p>Format: length of the first part (4), the first part, then sealed fields of {@value
 * #SEALED_BYTES} B each: a nonce of 12 B, {@value #FIELD_BYTES} B under AES-128-GCM, a tag of 16 B.
 * Each field has a key of its own, expanded from one key and the nonce (HKDF, RFC 5869).
 */
final class TwoParts {
  static final int FIELD_BYTES = 32;
  static final int NONCE_BYTES = 12;
  static final int TAG_BITS = 128;
  static final int SEALED_BYTES = NONCE_BYTES + FIELD_BYTES + TAG_BITS / 8;

  /** A key for measurements; nothing is kept secret by it. */
  private static final SecretKey KEY =
      new SecretKeySpec(
          "of no importance, though 32 bytes".getBytes(StandardCharsets.US_ASCII), "Generic");

  private static final int KEY_BYTES = 16;

  private static final int LENGTH_BYTES = 4;
  private static final long SEED = 1;

  private final byte[] body;
  private final int firstLength;

  private TwoParts(byte[] body, int firstLength) {
    this.body = body;
    this.firstLength = firstLength;
  }

  /** Finds the parts of a body. */
  static TwoParts read(byte[] body) {
    int length = body.length < LENGTH_BYTES ? -1 : ByteBuffer.wrap(body).getInt();
    int rest = body.length - LENGTH_BYTES - length;
    if (length < 0 || rest < 0 || rest % SEALED_BYTES != 0) {
      throw new IllegalArgumentException(
          "expected a compressed part and sealed fields, found "
              + body.length
              + " B of another kind");
    }
    return new TwoParts(body, length);
  }

  /**
   * A message.
   *
   * @param plainBytes bytes of text that are compressed
   * @param fields fields that are sealed
   */
  static byte[] write(int plainBytes, int fields) throws GeneralSecurityException {
    byte[] first = deflated(document(plainBytes));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(LENGTH_BYTES).putInt(first.length).array());
    out.writeBytes(first);
    Random random = new Random(SEED);
    KDF derivation = derivation();
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

  /** What derives keys of fields. For use by one thread. */
  static KDF derivation() throws GeneralSecurityException {
    return KDF.getInstance("HKDF-SHA256");
  }

  /** The key of the field with a nonce. */
  static SecretKey keyOf(KDF derivation, byte[] nonce) throws GeneralSecurityException {
    return derivation.deriveKey("AES", HKDFParameterSpec.expandOnly(KEY, nonce, KEY_BYTES));
  }

  /** Rows of text of readings, which repeat as such text does. */
  static byte[] text(int bytes) {
    Random random = new Random(SEED);
    StringBuilder rows = new StringBuilder(bytes + 64);
    while (rows.length() < bytes) {
      rows.append("sensor-").append(random.nextInt(40)).append(",california,");
      rows.append(random.nextInt(1_000)).append(',').append(random.nextInt(100)).append('\n');
    }
    return Arrays.copyOf(rows.toString().getBytes(StandardCharsets.US_ASCII), bytes);
  }

  /** Readings as XML, what the paper's services exchange: a tenth of it is left when compressed. */
  static byte[] document(int bytes) {
    Random random = new Random(SEED);
    StringBuilder rows = new StringBuilder(bytes + 128);
    while (rows.length() < bytes) {
      rows.append("<reading><sensor>sensor-").append(random.nextInt(40));
      rows.append("</sensor><place>california</place><value>").append(random.nextInt(1_000));
      rows.append("</value></reading>\n");
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

  /** Where sealed fields begin in the body. */
  int fieldsFrom() {
    return LENGTH_BYTES + firstLength;
  }
}
