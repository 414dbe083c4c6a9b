package dev.pinion.benchmarks.chains;

import dev.pinion.handlers.api.Settings;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;

/** Handler B of the paper: decrypts the fields of a {@link TwoParts}, each sealed separately. */
public final class UnsealKind extends WorkKind {
  /** Its name in chains. */
  static final String NAME = "bench-unseal";

  /** For the service loader. */
  public UnsealKind() {
    super(NAME, "Decrypts the fields of a message of the experiments.");
  }

  @Override
  BodyWork work(Settings settings) {
    return body -> {
      TwoParts parts = TwoParts.read(body);
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      SecretKeyFactory derivation = TwoParts.derivation();
      CRC32 checksum = new CRC32();
      int fields = 0;
      for (int at = parts.fieldsFrom(); at < body.length; at += TwoParts.SEALED_BYTES) {
        byte[] nonce = Arrays.copyOfRange(body, at, at + TwoParts.NONCE_BYTES);
        cipher.init(
            Cipher.DECRYPT_MODE,
            TwoParts.keyOf(derivation, nonce),
            new GCMParameterSpec(TwoParts.TAG_BITS, nonce));
        int from = at + TwoParts.NONCE_BYTES;
        checksum.update(cipher.doFinal(body, from, TwoParts.SEALED_BYTES - TwoParts.NONCE_BYTES));
        fields++;
      }
      return found(fields + " fields, CRC " + checksum.getValue());
    };
  }
}
