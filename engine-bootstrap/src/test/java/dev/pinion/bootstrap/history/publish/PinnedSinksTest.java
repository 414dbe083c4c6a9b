package dev.pinion.bootstrap.history.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.pinion.bootstrap.client.grpc.TestIdentity;
import dev.pinion.bootstrap.settings.SinkPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Sinks over TLS, whose names nothing resolves: the addresses are those that were checked. */
class PinnedSinksTest {
  @TempDir private Path folder;

  /**
   * What a server has received.
   *
   * @param names names of the server in the handshake
   * @param host field of the request
   */
  private record Received(List<SNIServerName> names, String host, String uri) {}

  private static HttpsServer server(SSLContext tls, CompletableFuture<Received> received)
      throws Exception {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          ExtendedSSLSession session =
              (ExtendedSSLSession) ((HttpsExchange) exchange).getSSLSession();
          received.complete(
              new Received(
                  session.getRequestedServerNames(),
                  exchange.getRequestHeaders().getFirst("Host"),
                  exchange.getRequestURI().toString()));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static CompletableFuture<Integer> send(
      HttpSender sender, HttpsServer server, String host, String... addresses) {
    URI sink = URI.create("https://" + host + ":" + server.getAddress().getPort() + "/a%20b?c=1");
    return sender.send(
        HttpRequest.newBuilder(sink).POST(HttpRequest.BodyPublishers.ofString("{}")),
        sink,
        Stream.of(addresses).map(InetAddress::ofLiteral).toList());
  }

  private static HttpSender sender(SSLContext tls) {
    return new HttpSender(
        ForkJoinPool.commonPool(),
        Duration.ofSeconds(30),
        SinkPolicy.DEFAULT,
        System::nanoTime,
        tls);
  }

  @Test // A name was looked up a second time over TLS: it could mean another address by then
  void shouldConnectToTheCheckedAddressUnderTheNameOfTheSink() throws Exception {
    SSLContext tls = TestIdentity.make(folder, "dns:sink.example").tls();
    CompletableFuture<Received> received = new CompletableFuture<>();
    HttpsServer server = server(tls, received);
    try (HttpSender sender = sender(tls)) {
      assertEquals(204, send(sender, server, "Sink.example.", "127.0.0.1").get());

      Received request = received.get();
      assertEquals(List.of(new SNIHostName("sink.example")), request.names());
      assertEquals("Sink.example.:" + server.getAddress().getPort(), request.host());
      assertEquals("/a%20b?c=1", request.uri());
    } finally {
      server.stop(0);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX) // all of 127.0.0.0/8 is local
  void shouldConnectToTheNextCheckedAddressWhenOneRefuses() throws Exception {
    SSLContext tls = TestIdentity.make(folder, "dns:sink.example").tls();
    HttpsServer server = server(tls, new CompletableFuture<>());
    try (HttpSender sender = sender(tls)) {
      assertEquals(204, send(sender, server, "sink.example", "127.0.0.2", "127.0.0.1").get());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldTrustNoServerForItsAddressAlone() throws Exception {
    SSLContext tls = TestIdentity.make(folder, "ip:127.0.0.1,dns:other.example").tls();
    CompletableFuture<Received> received = new CompletableFuture<>();
    HttpsServer server = server(tls, received);
    try (HttpSender sender = sender(tls)) {
      assertEquals(204, send(sender, server, "other.example", "127.0.0.1").get());
      ExecutionException refused =
          assertThrows(
              ExecutionException.class,
              () -> send(sender, server, "sink.example", "127.0.0.1").get());

      assertInstanceOf(SSLException.class, refused.getCause());
      assertEquals(204, send(sender, server, "127.0.0.1", "127.0.0.1").get());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldKeepClientsOfTheNamesThatWereUsedLast() throws Exception {
    SSLContext tls = TestIdentity.make(folder, "dns:sink.example").tls();
    try (NamedClients clients = new NamedClients(HttpClient::newBuilder, tls, System::nanoTime)) {
      HttpClient first = clients.<HttpClient, RuntimeException>with("sink.example", each -> each);
      for (int i = 1; i <= NamedClients.MAX_NAMES; i++) {
        String name = "s" + i + ".example";
        HttpClient other = clients.<HttpClient, RuntimeException>with(name, each -> each);
        assertFalse(other.isTerminated());
      }

      assertEquals(NamedClients.MAX_NAMES, clients.size());
      assertEquals(true, first.awaitTermination(Duration.ofSeconds(30)));
    }
  }
}
