package dev.pinion.bootstrap.history.publish;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.bootstrap.settings.SinkPolicy.ForbiddenSinkException;
import dev.pinion.core.model.RenewedHttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permitted destinations of results. */
class SinkPolicyTest {
  private static final SinkPolicy PUBLIC = SinkPolicy.parse(SinkPolicy.PUBLIC);

  private static void forbidden(SinkPolicy policy, String sink) {
    assertThrows(ForbiddenSinkException.class, () -> policy.check(URI.create(sink)), sink);
    assertThrows(ForbiddenSinkException.class, () -> policy.addresses(URI.create(sink)), sink);
  }

  private static void allowed(SinkPolicy policy, String sink) {
    assertDoesNotThrow(() -> policy.check(URI.create(sink)), sink);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.0.0",
        "169.254.255.255",
        "0.0.0.0",
        "0.1.2.3",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "[::]",
        "[fe80::1]",
        "[febf::1]",
        "[ff02::1]",
        "[fd00:ec2::254]",
        "[FD00:0EC2:0:0:0:0:0:0254]",
        "[fd00:ec2::23]",
        "[fd20:ce::254]",
        "[fd00:42::42]",
        "[fd00:c1::a9fe:a9fe]",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[0:0:0:0:0:ffff:a9fe:a9fe]",
        "[::a9fe:a9fe]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b::169.254.169.254]",
        "[64:ff9b:1::1]",
        "[2002:a9fe:a9fe::1]",
        "[2001:0:4136:e378:8000:63bf:3fff:fdd2]"
      })
  void shouldNeverLetEventsGoTo(String host) {
    for (SinkPolicy policy : List.of(SinkPolicy.DEFAULT, PUBLIC, SinkPolicy.parse("10.0.0.1"))) {
      forbidden(policy, "http://" + host + "/latest/meta-data");
      forbidden(policy, "HTTPS://" + host + ":8443");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.255",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "198.18.0.1",
        "[::1]",
        "[fc00::1]",
        "[fdff::1]",
        "[fec0::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::10.0.0.1]",
        "[2002:7f00:1::]"
      })
  void shouldLetEventsStayOnMachineAndNetworkUnlessTold(String host) {
    allowed(SinkPolicy.DEFAULT, "http://" + host + "/");
    forbidden(PUBLIC, "http://" + host + "/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "172.15.0.1",
        "172.32.0.1",
        "169.253.0.1",
        "169.255.0.1",
        "100.63.0.1",
        "100.128.0.1",
        "192.0.1.1",
        "223.255.255.255",
        "[2606:4700::1]",
        "[64:ff9b::8.8.8.8]"
      })
  void shouldLetEventsGoOut(String host) {
    allowed(SinkPolicy.DEFAULT, "http://" + host + "/");
    allowed(PUBLIC, "http://" + host + "/");
  }

  @Test
  void shouldCheckWhatANameMeans() throws Exception {
    URI local = URI.create("http://localhost/");
    allowed(PUBLIC, local.toString()); // nothing was resolved
    assertThrows(ForbiddenSinkException.class, () -> PUBLIC.addresses(local));
    assertEquals(true, SinkPolicy.DEFAULT.addresses(local).getFirst().isLoopbackAddress());
  }

  @Test
  void shouldLetEventsGoToHostsThatAreNamedOnly() {
    SinkPolicy policy =
        SinkPolicy.parse("Example.com, *.example.org,https://b:8443,10.0.0.7,[fc00::7]:80");
    for (String sink :
        List.of(
            "http://example.com/x",
            "https://EXAMPLE.com.:99/",
            "http://a.example.org",
            "http://a.b.example.org",
            "https://b:8443/",
            "http://10.0.0.7:1/",
            "http://[fc00::7]/")) {
      allowed(policy, sink);
    }
    for (String sink :
        List.of(
            "http://example.org/",
            "http://badexample.org/",
            "http://sub.example.com/",
            "http://example.com.evil.net/",
            "http://b:8443/",
            "https://b/",
            "http://10.0.0.8/",
            "https://[fc00::7]/")) {
      forbidden(policy, sink);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,,b", "ftp://a", "http://a/path", "a:0", "a:65536", "*", "a b"})
  void shouldRefuseWhatIsNoPolicy(String text) {
    assertThrows(IllegalArgumentException.class, () -> SinkPolicy.parse(text));
  }

  @Test
  void shouldSendToTheCheckedAddressUnderTheNameOfTheSink() throws Exception {
    CompletableFuture<String> host = new CompletableFuture<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          host.complete(exchange.getRequestHeaders().getFirst("Host") + exchange.getRequestURI());
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    URI sink = URI.create("http://localhost:" + server.getAddress().getPort() + "/a%20b?c=%2F");
    try (HttpSender sender = sender(SinkPolicy.DEFAULT);
        HttpSender guarded = sender(PUBLIC)) {
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> send(guarded, sink).get());
      assertInstanceOf(ForbiddenSinkException.class, refused.getCause());
      assertEquals(false, host.isDone(), "nothing was sent");
      assertEquals(204, send(sender, sink).get());
      assertEquals(sink.getRawAuthority() + "/a%20b?c=%2F", host.get());
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 303, 305, 307, 308})
  void shouldFollowNoRedirection(int status) throws Exception {
    AtomicLong requests = new AtomicLong();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.getResponseHeaders().add("Location", "http://169.254.169.254/latest");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    URI sink = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    try (HttpSender sender = sender(SinkPolicy.DEFAULT)) {
      assertEquals(status, send(sender, sink).get());
      assertEquals(1, requests.get());
    } finally {
      server.stop(0);
    }
  }

  @Test // Field fault 12, a sibling: only the first address of a sink was tried
  @EnabledOnOs(OS.LINUX) // all of 127.0.0.0/8 is local
  void shouldSendToTheNextAddressWhenOneRefuses() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    URI sink = URI.create("http://sink.example:" + server.getAddress().getPort() + "/");
    List<InetAddress> addresses =
        List.of(InetAddress.ofLiteral("127.0.0.2"), InetAddress.ofLiteral("127.0.0.1"));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(sink).POST(HttpRequest.BodyPublishers.ofString("{}"));
    try (HttpSender sender = sender(SinkPolicy.DEFAULT)) {
      assertEquals(204, sender.send(request, sink, addresses).get());
    } finally {
      server.stop(0);
    }
  }

  @Test // Field fault 12, a variant: a connection in use kept the old address of a name
  void shouldRenewConnectionsSoThatANameIsFollowed() throws Exception {
    Set<Integer> connections = new CopyOnWriteArraySet<>();
    AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE); // any value is valid
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          connections.add(exchange.getRemoteAddress().getPort());
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    URI sink = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    try (HttpSender sender =
        new HttpSender(
            ForkJoinPool.commonPool(),
            Duration.ofSeconds(30),
            SinkPolicy.DEFAULT,
            nanoTime::get,
            null)) {
      for (int age = 1; age <= 3; age++) {
        for (int i = 0; i < 3; i++) {
          assertEquals(204, send(sender, sink).get());
        }
        assertEquals(age, connections.size());
        nanoTime.addAndGet(RenewedHttpClient.AGE.toNanos());
      }
    } finally {
      server.stop(0);
    }
  }

  private static HttpSender sender(SinkPolicy policy) {
    return new HttpSender(ForkJoinPool.commonPool(), Duration.ofSeconds(30), policy);
  }

  private static CompletableFuture<Integer> send(HttpSender sender, URI sink) {
    return sender.send(
        HttpRequest.newBuilder(sink).POST(HttpRequest.BodyPublishers.ofString("{}")), sink);
  }
}
