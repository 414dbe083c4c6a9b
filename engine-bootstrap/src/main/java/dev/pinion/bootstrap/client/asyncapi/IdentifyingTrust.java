package dev.pinion.bootstrap.client.asyncapi;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trust in certificates that name the host: has the JDK compare both, also on connections of
 * libraries that do not ask for it.
 */
final class IdentifyingTrust extends X509ExtendedTrustManager {
  private static final String RULES_OF_HTTPS = "HTTPS";

  private final X509ExtendedTrustManager trust;

  IdentifyingTrust(X509ExtendedTrustManager trust) {
    this.trust = trust;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    if (!(socket instanceof SSLSocket secured)) {
      throw new CertificateException("expected a connection that tells its host, found another");
    }
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(RULES_OF_HTTPS);
    secured.setSSLParameters(parameters);
    trust.checkServerTrusted(chain, authType, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(RULES_OF_HTTPS);
    engine.setSSLParameters(parameters);
    trust.checkServerTrusted(chain, authType, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("expected a connection that tells its host, found none");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    trust.checkClientTrusted(chain, authType, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    trust.checkClientTrusted(chain, authType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    trust.checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust.getAcceptedIssuers();
  }
}
