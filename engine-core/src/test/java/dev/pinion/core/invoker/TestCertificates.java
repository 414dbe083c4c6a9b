package dev.pinion.core.invoker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A certificate and its issuer, made by the JDK's keytool in a temporary folder. */
public final class TestCertificates {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final KeyStore store;
  private final Path pem;

  private TestCertificates(KeyStore store, Path pem) {
    this.store = store;
    this.pem = pem;
  }

  /**
   * Makes a certificate.
   *
   * @param names subject alternative names in keytool's form, such as {@code dns:localhost}
   * @param extra further arguments of keytool for the certificate
   */
  public static TestCertificates make(Path folder, String names, String... extra)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve("keys.p12");
    keytool(file, "-alias", "issuer", "-dname", "CN=issuer", "-ext", "bc=ca:true");
    List<String> server = new ArrayList<>(List.of("-alias", "server", "-signer", "issuer"));
    Collections.addAll(server, "-dname", "CN=server", "-ext", "san=" + names);
    Collections.addAll(server, extra);
    keytool(file, server.toArray(new String[0]));
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    byte[] certificate = store.getCertificate("issuer").getEncoded();
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate);
    Path pem =
        Files.writeString(
            folder.resolve("issuer.pem"),
            "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
    return new TestCertificates(store, pem);
  }

  private static void keytool(Path file, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    Collections.addAll(command, "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC");
    Collections.addAll(command, "-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1");
    Collections.addAll(command, "-storetype", "PKCS12", "-storepass", new String(PASSWORD));
    Collections.addAll(command, "-keystore", file.toString());
    Collections.addAll(command, arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError("keytool failed: " + said);
    }
  }

  /** The issuer's certificate as a PEM file. */
  public Path pem() {
    return pem;
  }

  /** A service that presents the certificate. */
  public ScriptedServer server(ScriptedServer.Script script) throws GeneralSecurityException {
    return server(script, "TLSv1.3", "TLSv1.2");
  }

  /** A service that presents the certificate and supports the given versions of TLS. */
  ScriptedServer server(ScriptedServer.Script script, String... protocols)
      throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return new ScriptedServer(
        "https",
        socket -> {
          SSLSocket layered =
              (SSLSocket)
                  context
                      .getSocketFactory()
                      .createSocket(socket, "localhost", socket.getPort(), true);
          layered.setUseClientMode(false);
          layered.setEnabledProtocols(protocols);
          return layered;
        },
        script);
  }
}
