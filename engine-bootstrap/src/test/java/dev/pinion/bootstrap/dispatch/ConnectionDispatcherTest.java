package dev.pinion.bootstrap.dispatch;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.admin.HandoverLatencies;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.StartPolicy;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.StageLayout;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Clients in front of a dispatcher, with real engines behind it. */
@EnabledOnOs(OS.LINUX)
class ConnectionDispatcherTest {
  private static final int TIMEOUT_MILLIS = 20_000;

  /** More connections than a Unix socket holds descriptors. */
  private static final int MANY = 600;

  @TempDir private Path directory;
  private final List<Engine> engines = new ArrayList<>();
  private final HandoverLatencies times = new HandoverLatencies();
  private volatile LongSupplier clock = System::nanoTime;
  private ConnectionDispatcher dispatcher;

  @BeforeEach
  void listen() throws IOException {
    dispatcher =
        new ConnectionDispatcher(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            directory,
            ConnectionDispatcher.MAX_HELD,
            () -> clock.getAsLong(),
            times::add,
            System.err::println);
  }

  @AfterEach
  void stop() {
    dispatcher.close();
    engines.forEach(Engine::close);
  }

  /** Field fault 2: a flood of connections takes only a part of the dispatcher's time. */
  @Test
  void shouldAcceptFewConnectionsATurn() {
    assertEquals(4, dispatcher.acceptsPerTurn());
  }

  @Test
  void shouldDealConnectionsOutInTurn() throws IOException {
    engine(0, 2);
    engine(1, 2);

    await().until(() -> dispatcher.waitingReplicas() == 2); // a late replica has missed a turn
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Socket client = client();
      assertEquals("HTTP/1.1 200 OK", get(client, "/livez"));
      clients.add(client);
    }

    assertArrayEquals(new int[] {6, 6}, engines.stream().mapToInt(Engine::connections).toArray());
    for (Socket client : clients) {
      assertEquals("HTTP/1.1 200 OK", get(client, "/livez"), "a connection lives on");
      client.close();
    }
    awaitHandedOver(12);
    assertEquals(0, dispatcher.dropped());
    HandoverLatencies.Percentiles percentiles = times.latest(HandoverLatencies.LATEST);
    assertEquals(12, percentiles.connections());
    assertTrue(percentiles.medianMicros() > 0, percentiles.toString());
    assertTrue(percentiles.p99Micros() >= percentiles.medianMicros(), percentiles.toString());
  }

  @Test
  void shouldKeepClientsWaitingUntilAReplicaTakesThem() throws IOException {
    try (Socket early = client()) {
      send(early, "/livez");
      engine(0, 2);

      assertEquals("HTTP/1.1 200 OK", statusLine(early));
    }
  }

  @Test
  void shouldPassOverAReplicaThatAsksForNoMore() throws IOException {
    engine(0, 2);
    engine(1, 2);
    engines.getFirst().drain();
    await().until(() -> dealtTo(1, 4));
  }

  /** Whether all of a number of new connections went to one engine. */
  private boolean dealtTo(int engine, int count) throws IOException {
    int before = engines.get(engine).connections();
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Socket client = client();
      get(client, "/livez");
      clients.add(client);
    }
    boolean all = engines.get(engine).connections() == before + count;
    for (Socket client : clients) {
      client.close();
    }
    return all;
  }

  /**
   * The confirmation of a replica is on its way when a write to it fails: the dispatcher stands
   * still, in the timing of the second connection, until both are true.
   */
  @Test
  void shouldHandNoConnectionOutTwiceWhenAReplicaTookItBeforeItsLineBroke() throws Exception {
    CountDownLatch standing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (SocketChannel first = taker();
        Socket taken = client()) {
      awaitConnection(first);
      clock =
          () -> {
            standing.countDown();
            awaitQuietly(goOn);
            return System.nanoTime();
          };
      try (Socket untaken = client();
          SocketChannel second = taker()) { // requests once the dispatcher continues
        standing.await();
        sayTaken(first);
        first.shutdownInput();
        goOn.countDown();
        await().until(() -> dispatcher.handedOver() == 1);
        assertEquals(-1, taken.getInputStream().read(), "the dispatcher has let go of it");
        first.shutdownOutput();

        awaitConnection(second);
        sayTaken(second);
        assertEquals(-1, untaken.getInputStream().read());
        await().until(() -> dispatcher.handedOver() == 2);
        second.configureBlocking(false);
        assertEquals(0, second.read(ByteBuffer.allocate(1)), "further connections");
      }
    }
  }

  /**
   * A replica that requests connections; descriptors sent to it are lost, as it reads bytes only.
   */
  private SocketChannel taker() throws IOException {
    return SocketChannel.open(
        UnixDomainSocketAddress.of(directory.resolve(ConnectionDispatcher.TAKE)));
  }

  private static void awaitConnection(SocketChannel taker) throws IOException {
    assertEquals(1, taker.read(ByteBuffer.allocate(1)));
  }

  private static void sayTaken(SocketChannel taker) throws IOException {
    ByteBuffer word = ByteBuffer.allocate(ConnectionDispatcher.WORD_BYTES);
    taker.write(word.put(ConnectionDispatcher.TAKEN).putLong(System.nanoTime()).flip());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void shouldGoOnWhenWhatIsGivenBackIsNoConnection() throws Exception {
    engine(0, 2);
    BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try {
      InetSocketAddress server =
          (InetSocketAddress)
              new ServerBootstrap()
                  .group(loop)
                  .channel(EpollServerSocketChannel.class)
                  .childHandler(
                      new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                          accepted.add(channel);
                        }
                      })
                  .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                  .syncUninterruptibly()
                  .channel()
                  .localAddress();
      EpollDomainSocketChannel line =
          (EpollDomainSocketChannel)
              new Bootstrap()
                  .group(loop)
                  .channel(EpollDomainSocketChannel.class)
                  .handler(new ChannelInboundHandlerAdapter())
                  .connect(
                      new DomainSocketAddress(
                          directory.resolve(ConnectionDispatcher.RETURN).toFile()))
                  .syncUninterruptibly()
                  .channel();
      line.writeAndFlush(line.fd()).syncUninterruptibly(); // a Unix socket, not a client's
      await().until(() -> dispatcher.dropped() == 1);

      try (Socket client = new Socket(server.getAddress(), server.getPort())) {
        client.setSoTimeout(TIMEOUT_MILLIS);
        EpollSocketChannel given = (EpollSocketChannel) accepted.take();
        given.deregister().syncUninterruptibly();
        line.writeAndFlush(given.fd()).syncUninterruptibly();
        assertEquals("HTTP/1.1 200 OK", get(client, "/livez"));
        given.unsafe().closeForcibly();
      }
    } finally {
      loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Test
  void shouldMoveConnectionsToTheOtherReplicaWhileOneDrains() throws IOException {
    engine(0, 2);
    engine(1, 2);
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Socket client = client();
      get(client, "/livez");
      clients.add(client);
    }

    engines.getFirst().drain();
    await().until(() -> engines.getFirst().isDrained());
    await().until(() -> engines.getLast().connections() == MANY);
    for (Socket client : clients) {
      assertEquals("HTTP/1.1 200 OK", get(client, "/readyz"));
      client.close();
    }
  }

  @Test
  void shouldLeaveNoDescriptorBehind() throws IOException {
    engine(0, 1);
    try (Socket first = client()) {
      get(first, "/livez");
    }
    await().until(() -> engines.getFirst().connections() == 0);
    long before = descriptors();

    for (int i = 0; i < 200; i++) {
      try (Socket client = client()) {
        assertEquals("HTTP/1.1 200 OK", get(client, "/livez"));
      }
    }

    await().until(() -> engines.getFirst().connections() == 0);
    await().until(() -> descriptors() <= before);
  }

  @Test
  void shouldServeOnSeveralLoops() throws IOException {
    engine(0, 1, "fused:3");

    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Socket client = client();
      assertEquals("HTTP/1.1 200 OK", get(client, "/readyz"));
      clients.add(client);
    }
    for (Socket client : clients) {
      client.close();
    }
    awaitHandedOver(9);
  }

  /** A client may have its response before its connection is counted. */
  private void awaitHandedOver(long count) {
    await().untilAsserted(() -> assertEquals(count, dispatcher.handedOver()));
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  private void engine(int slot, int slots) throws IOException {
    engine(slot, slots, "fused:1");
  }

  private void engine(int slot, int slots, String layout) throws IOException {
    DefinitionRegistry registry =
        new DefinitionRegistry(EngineLimits.defaults(), new InMemoryDefinitionStore());
    ReplicaGroup place = new ReplicaGroup(slot, slots, directory, StartPolicy.LOCAL);
    engines.add(
        Engine.start(
            EngineSettings.of(registry)
                .withStageLayout(StageLayout.parse(layout))
                .withListen(
                    new ListenSpec(dispatcher.address(), ListenSpec.AcceptMode.HANDOVER, place))));
  }

  private Socket client() throws IOException {
    Socket client = new Socket();
    client.setSoTimeout(TIMEOUT_MILLIS);
    client.connect(dispatcher.address());
    return client;
  }

  private static String get(Socket client, String path) throws IOException {
    send(client, path);
    return statusLine(client);
  }

  private static void send(Socket client, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads a whole response; returns its first line. */
  private static String statusLine(Socket client) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
    String status = in.readLine();
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      if (line.startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring("content-length: ".length()));
      }
    }
    for (int i = 0; i < length; i++) {
      in.read();
    }
    return status;
  }
}
