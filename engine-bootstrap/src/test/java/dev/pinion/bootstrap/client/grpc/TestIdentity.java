package dev.pinion.bootstrap.client.grpc;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and a certificate of a server, made by the JDK's keytool in a temporary folder. */
public final class TestIdentity {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final KeyStore store;
  private final Path certificate;

  private TestIdentity(KeyStore store, Path certificate) {
    this.store = store;
    this.certificate = certificate;
  }

  static TestIdentity make(Path folder) throws Exception {
    return make(folder, "ip:127.0.0.1");
  }

  /**
   * Makes a certificate.
   *
   * @param names subject alternative names in keytool's form, such as {@code dns:localhost}
   */
  public static TestIdentity make(Path folder, String names) throws Exception {
    Path file = folder.resolve("keys.p12");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString(),
                "-alias",
                "server",
                "-dname",
                "CN=server",
                "-ext",
                "bc=ca:true",
                "-ext",
                "san=" + names)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError("keytool failed: " + said);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    byte[] encoded = store.getCertificate("server").getEncoded();
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    Path certificate =
        Files.writeString(
            folder.resolve("server.pem"),
            "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
    return new TestIdentity(store, certificate);
  }

  /** The certificate as a PEM file. */
  Path certificate() {
    return certificate;
  }

  /** What a server presents. */
  ServerCredentials credentials() throws Exception {
    return TlsServerCredentials.newBuilder().keyManager(keys().getKeyManagers()).build();
  }

  private KeyManagerFactory keys() throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    return keys;
  }

  /** TLS of a server that presents the certificate, and of a client that trusts it. */
  public SSLContext tls() throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys().getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
