package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.invoker.http.ClientTls;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS of connections to servers of messages: the certificates that calls over HTTP trust, with the
 * name of the host. Made for the first connection that needs it; any thread.
 */
final class MessageTls {
  private final ClientTls tls;
  private @Nullable SSLContext sockets;
  private @Nullable SslContext channels;

  MessageTls(ClientTls tls) {
    this.tls = tls;
  }

  /** For connections of the JDK. */
  synchronized SSLContext forSockets() {
    SSLContext made = sockets;
    if (made == null) {
      try {
        made = SSLContext.getInstance("TLS");
        made.init(null, new TrustManager[] {trust()}, null);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("TLS could not be set up: " + e.getMessage(), e);
      }
      sockets = made;
    }
    return made;
  }

  /** For connections of Netty. */
  synchronized SslContext forChannels() {
    SslContext made = channels;
    if (made == null) {
      try {
        made =
            SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .trustManager(trust())
                .build();
      } catch (SSLException e) {
        throw new IllegalStateException("TLS could not be set up: " + e.getMessage(), e);
      }
      channels = made;
    }
    return made;
  }

  private X509ExtendedTrustManager trust() {
    for (TrustManager each : tls.trustManagers()) {
      if (each instanceof X509ExtendedTrustManager extended) {
        return new IdentifyingTrust(extended);
      }
    }
    throw new IllegalStateException("expected trust in certificates of X.509, found none");
  }
}
