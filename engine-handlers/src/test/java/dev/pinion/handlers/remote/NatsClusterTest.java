package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.NatsSettings;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.remote.transport.Subjects;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Usual set-ups of NATS servers: clusters, leaf nodes, TLS, users. */
class NatsClusterTest {
  private static final EngineLimits ENGINE = EngineLimits.defaults();
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private NatsServer server(String... options) throws Exception {
    NatsServer server = NatsServer.start(options);
    open.add(server);
    return server;
  }

  private HandlerHost host(NatsSettings servers) throws Exception {
    NatsTransport transport = NatsTransport.connect(servers, "host");
    open.add(transport);
    HandlerFactory kind =
        RemoteHarness.kind("count", (handlerOperation, view) -> Verdict.UNCHANGED);
    HandlerHost host =
        new HandlerHost(
            new HostSettings(
                HostSettings.PREFIX, 2, null, RemoteLimits.DEFAULTS, RemoteTimeouts.DEFAULTS),
            new TreeMap<>(Map.of("count", kind)),
            transport,
            ENGINE,
            Clock.system());
    turned(host::tick);
    return host;
  }

  private void turned(Runnable turn) {
    ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
    ScheduledFuture<?> turning = turns.scheduleWithFixedDelay(turn, 0, 10, TimeUnit.MILLISECONDS);
    open.add(
        () -> {
          turning.cancel(true);
          turns.shutdownNow();
        });
  }

  private Requester requester(NatsSettings servers) throws Exception {
    NatsTransport transport = NatsTransport.connect(servers, "engine");
    open.add(transport);
    Requester requester =
        new Requester(
            transport,
            null,
            new FrameCodec(ENGINE, RemoteLimits.DEFAULTS),
            new Subjects(HostSettings.PREFIX),
            RemoteSettings.DEFAULTS,
            Clock.system(),
            Runnable::run);
    turned(requester::tick);
    return requester;
  }

  private static RemoteHarness.Pending send(Requester requester, int number) {
    RemoteHarness.Pending pending = new RemoteHarness.Pending();
    Message message = Message.of(new MessageId(1, number), Point.REQUEST_IN, Map.of(), Body.EMPTY);
    requester.begin(
        new HandlerTask(
            HandlerOperation.HANDLE, "chain", "step", "count", Payload.EMPTY_OBJECT, message),
        true,
        TimeUnit.SECONDS.toNanos(30),
        pending);
    return pending;
  }

  private static void answered(RemoteHarness.Pending pending) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (pending.told.isEmpty()) {
      assertTrue(System.nanoTime() - until < 0, "expected an answer within a minute, found none");
      LockSupport.parkNanos(200_000);
    }
    assertEquals(List.of(Verdict.UNCHANGED), pending.told);
  }

  @Test
  void shouldGoOnWhenAServerOfAClusterIsKilled() throws Exception {
    String one = "nats://127.0.0.1:" + NatsServer.freePort();
    String two = "nats://127.0.0.1:" + NatsServer.freePort();
    NatsServer first = server("--cluster_name", "c", "--cluster", one, "--routes", two);
    NatsServer second = server("--cluster_name", "c", "--cluster", two, "--routes", one);
    // given a requester that begins at the first server, and a host at each
    Requester requester = requester(NatsSettings.of(first.url() + "," + second.url()));
    HandlerHost near = host(NatsSettings.of(first.url() + "," + second.url()));
    HandlerHost far = host(NatsSettings.of(second.url()));
    List<RemoteHarness.Pending> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (i == 100) {
        first.kill();
      }
      all.add(send(requester, i));
      if (i >= 16) {
        answered(all.get(i - 16));
      }
    }
    all.forEach(NatsClusterTest::answered);

    assertTrue(near.statistics().done() + far.statistics().done() >= 200);
    assertTrue(far.statistics().done() > 0, far.statistics().text());
    assertEquals(0, requester.statistics().failed());
  }

  @Test
  void shouldReachHostsBehindALeafNode() throws Exception {
    int port = NatsServer.freePort();
    Path hub =
        Files.writeString(
            folder.resolve("hub.conf"), "leafnodes { listen: \"127.0.0.1:" + port + "\" }\n");
    Path leaf =
        Files.writeString(
            folder.resolve("leaf.conf"),
            "leafnodes { remotes = [ { url: \"nats-leaf://127.0.0.1:" + port + "\" } ] }\n");
    NatsServer center = server("--config", hub.toString());
    NatsServer edge = server("--config", leaf.toString());
    HandlerHost host = host(NatsSettings.of(edge.url()));

    answered(send(requester(NatsSettings.of(center.url())), 1));

    assertEquals(1, host.statistics().done());
  }

  @Test
  void shouldSpeakTlsWithServersOfTrustedIssuers() throws Exception {
    KeyStore keys = keys();
    Path certificate =
        pem("certificate.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
    Key key = keys.getKey("server", PASSWORD);
    Path secret = pem("key.pem", "PRIVATE KEY", key.getEncoded());
    NatsServer server =
        server("--tls", "--tlscert", certificate.toString(), "--tlskey", secret.toString());
    String url = server.url().replace("nats:", "tls:");
    host(new NatsSettings(url, null, certificate));

    answered(send(requester(new NatsSettings(url, null, certificate)), 1));

    assertThrows(
        IOException.class, () -> NatsTransport.connect(url, "of no issuer that is trusted"));
    assertThrows(
        IOException.class,
        () -> NatsTransport.connect(new NatsSettings(url, null, secret), "no certificate"));
  }

  private KeyStore keys() throws Exception {
    Path file = folder.resolve("keys.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=server",
            "-ext",
            "san=ip:127.0.0.1",
            "-keystore",
            file.toString(),
            "-storepass",
            new String(PASSWORD));
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertEquals(0, process.waitFor());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private Path pem(String name, String what, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  @Test
  void shouldSayWhoItIs() throws Exception {
    NatsServer server = server("--user", "pinion", "--pass", "secret");
    String url = server.url().replace("//", "//pinion:secret@");
    host(NatsSettings.of(url));

    answered(send(requester(NatsSettings.of(url)), 1));

    assertThrows(IOException.class, () -> NatsTransport.connect(server.url(), "nobody"));
    Path missing = folder.resolve("missing.creds");
    assertThrows(
        IOException.class,
        () -> NatsTransport.connect(new NatsSettings(url, missing, null), "unreadable"));
  }

  @Test
  void shouldSpreadMessagesOverHosts() throws Exception {
    NatsServer server = server();
    Requester requester = requester(NatsSettings.of(server.url()));
    List<HandlerHost> hosts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      hosts.add(host(NatsSettings.of(server.url())));
    }
    answered(send(requester, 0));
    List<RemoteHarness.Pending> all = new ArrayList<>();
    for (int i = 1; i < 600; i++) {
      all.add(send(requester, i));
      if (i >= 16) {
        answered(all.get(i - 16));
      }
    }
    all.forEach(NatsClusterTest::answered);

    List<Long> done = hosts.stream().map(each -> each.statistics().done()).toList();
    assertEquals(600, done.stream().mapToLong(Long::longValue).sum(), "each once");
    // The server draws one of three: fewer than 120 of 600 happen once in a hundred million times.
    assertTrue(done.stream().allMatch(each -> each > 120), done.toString());
  }
}
