package dev.pinion.bootstrap.history.publish;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS with a server of a known name: to whatever address a connection is made, the server has to
 * prove the name. An address in its certificate proves nothing.
 */
final class ServerNameTls extends SSLContext {
  private final String name;

  /**
   * TLS with one server.
   *
   * @param context makes connections and judges certificates
   * @param name name of a host, no address
   */
  ServerNameTls(SSLContext context, String name) {
    super(new Engines(context, name), context.getProvider(), context.getProtocol());
    this.name = name;
  }

  /** Parameters with the name for the server, which may have several. */
  SSLParameters parameters() {
    SSLParameters parameters = getDefaultSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(name)));
    return parameters;
  }

  /** Makes engines that know the server by its name. */
  private static final class Engines extends SSLContextSpi {
    private final SSLContext context;
    private final String name;

    Engines(SSLContext context, String name) {
      this.context = context;
      this.name = name;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("expected a context that is ready, found it made anew");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      throw new UnsupportedOperationException("expected engines only, found a wish for sockets");
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw new UnsupportedOperationException("expected engines only, found a wish for sockets");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw new UnsupportedOperationException("expected a port, found none");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return context.createSSLEngine(name, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context.getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return context.getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return context.getSupportedSSLParameters();
    }
  }
}
