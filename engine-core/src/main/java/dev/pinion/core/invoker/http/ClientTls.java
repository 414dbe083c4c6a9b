package dev.pinion.core.invoker.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.2 and 1.3 as a client, by the JDK's implementation. Certificates and their host names are
 * checked (RFC 9110, section 4.3.4); neither check can be turned off. Safe for use by any thread.
 */
public final class ClientTls {
  private final Collection<? extends Certificate> trusted;
  private @Nullable SslContext context;

  private ClientTls(Collection<? extends Certificate> trusted) {
    this.trusted = trusted;
  }

  /**
   * Loads the certificates that are trusted in addition to those of the JVM.
   *
   * @param trustedCertificates a file of certificates in PEM, or null for none
   * @throws IOException when the file cannot be read or holds no certificate
   */
  public static ClientTls load(@Nullable Path trustedCertificates) throws IOException {
    return new ClientTls(trustedCertificates == null ? List.of() : read(trustedCertificates));
  }

  /**
   * Prepares for the first connection: reads the certificates that the JVM trusts, which takes
   * hundreds of milliseconds in a new process. Otherwise the first connection does it, or waits
   * while another thread does.
   *
   * @throws IllegalStateException when the JVM has no TLS
   */
  public void prepare() {
    context();
  }

  private synchronized SslContext context() {
    if (context == null) {
      try {
        context =
            SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .endpointIdentificationAlgorithm("HTTPS")
                .trustManager(trust())
                .build();
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalStateException("TLS could not be set up: " + e.getMessage(), e);
      }
    }
    return context;
  }

  /**
   * What judges certificates, for libraries that make connections of their own.
   *
   * @throws IllegalStateException when the JVM has no TLS
   */
  public TrustManager[] trustManagers() {
    try {
      return trust().getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("TLS could not be set up: " + e.getMessage(), e);
    }
  }

  /** A handler for one connection. Its handshake has no separate time limit. */
  SslHandler newHandler(ByteBufAllocator allocator, Origin origin) {
    SslHandler handler = context().newHandler(allocator, origin.host(), origin.port());
    handler.setHandshakeTimeoutMillis(0);
    return handler;
  }

  private TrustManagerFactory trust() throws GeneralSecurityException, IOException {
    TrustManagerFactory trust = newFactory();
    trust.init((KeyStore) null);
    if (trusted.isEmpty()) {
      return trust;
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int index = 0;
    for (TrustManager manager : trust.getTrustManagers()) {
      for (X509Certificate issuer : ((X509TrustManager) manager).getAcceptedIssuers()) {
        store.setCertificateEntry("jvm-" + index++, issuer);
      }
    }
    for (Certificate certificate : trusted) {
      store.setCertificateEntry("file-" + index++, certificate);
    }
    TrustManagerFactory both = newFactory();
    both.init(store);
    return both;
  }

  private static TrustManagerFactory newFactory() throws GeneralSecurityException {
    return TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
  }

  private static Collection<? extends Certificate> read(Path file) throws IOException {
    Collection<? extends Certificate> certificates;
    try (InputStream in = Files.newInputStream(file)) {
      certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
    } catch (NoSuchFileException e) {
      throw new IOException("expected certificates in PEM in " + file + ", found no such file", e);
    } catch (CertificateException e) {
      throw new IOException("expected certificates in PEM in " + file + ", found: " + e, e);
    }
    if (certificates.isEmpty()) {
      throw new IOException("expected certificates in PEM in " + file + ", found none");
    }
    return certificates;
  }
}
