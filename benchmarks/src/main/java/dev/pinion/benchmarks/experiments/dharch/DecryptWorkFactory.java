package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Settings;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Handler B of the paper: decrypts the fields of a {@link TwoPartMessage}, each sealed separately.
 */
public final class DecryptWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-unseal";

  /** For the service loader. */
  public DecryptWorkFactory() {
    super(NAME, "Decrypts the fields of a message of the experiments.");
  }

  @Override
  BodyWork work(Settings settings) {
    return body -> {
      TwoPartMessage parts = TwoPartMessage.read(body);
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      SecretKeyFactory derivation = TwoPartMessage.derivation();
      CRC32 checksum = new CRC32();
      int fields = 0;
      for (int at = parts.fieldsFrom(); at < body.length; at += TwoPartMessage.SEALED_BYTES) {
        byte[] nonce = Arrays.copyOfRange(body, at, at + TwoPartMessage.NONCE_BYTES);
        cipher.init(
            Cipher.DECRYPT_MODE,
            TwoPartMessage.keyOf(derivation, nonce),
            new GCMParameterSpec(TwoPartMessage.TAG_BITS, nonce));
        int from = at + TwoPartMessage.NONCE_BYTES;
        checksum.update(
            cipher.doFinal(body, from, TwoPartMessage.SEALED_BYTES - TwoPartMessage.NONCE_BYTES));
        fields++;
      }
      return result(fields + " fields, CRC " + checksum.getValue());
    };
  }
}
