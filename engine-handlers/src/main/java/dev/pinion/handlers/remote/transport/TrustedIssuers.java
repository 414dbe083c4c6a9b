package dev.pinion.handlers.remote.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS that trusts certificates of some issuers only. */
final class TrustedIssuers {
  private TrustedIssuers() {}

  /**
   * Reads issuers.
   *
   * @param pem file with their certificates
   * @throws IOException when the file cannot be read or holds no certificates
   */
  static SSLContext context(Path pem) throws IOException {
    try (InputStream in = Files.newInputStream(pem)) {
      KeyStore issuers = KeyStore.getInstance(KeyStore.getDefaultType());
      issuers.load(null, null);
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        issuers.setCertificateEntry(Integer.toString(issuers.size()), each);
      }
      if (issuers.size() == 0) {
        throw new IOException("expected certificates in " + pem + ", found none");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(issuers);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "expected certificates in the form PEM in " + pem + ", found: " + e.getMessage(), e);
    }
  }
}
