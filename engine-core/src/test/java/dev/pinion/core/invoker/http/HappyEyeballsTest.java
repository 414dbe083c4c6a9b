package dev.pinion.core.invoker.http;

import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.answering;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.invoker.FakeHostResolver;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.InvokerHarness;
import dev.pinion.core.invoker.ScriptedServer;
import dev.pinion.core.invoker.http.HostResolver.Family;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import io.netty.channel.Channel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Field fault 12: only the first address of a name was tried, and changes of DNS were ignored. All
 * of 127.0.0.0/8 is this machine, on Linux.
 */
@EnabledOnOs(OS.LINUX)
class HappyEyeballsTest {
  /** An address that neither accepts nor refuses: its queue is full. */
  private static final class Silent implements AutoCloseable {
    private static final int MOST = 64;
    private final ServerSocket full;
    private final List<Socket> queued = new ArrayList<>();

    Silent(String address, int port) throws IOException {
      full = new ServerSocket(port, 1, InetAddress.getByName(address));
      boolean accepts = true;
      while (accepts && queued.size() < MOST) {
        Socket socket = new Socket();
        queued.add(socket);
        try {
          socket.connect(full.getLocalSocketAddress(), 50);
        } catch (SocketTimeoutException e) {
          accepts = false;
        }
      }
      assumeTrue(!accepts, "the system queues without end");
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : queued) {
        socket.close();
      }
      full.close();
    }
  }

  private static String uri(int port) {
    return "http://pets.example:" + port + "/";
  }

  @Test
  void shouldTryTheNextAddressWhenOneRefuses() {
    FakeHostResolver addresses = FakeHostResolver.of("127.0.0.2", "127.0.0.3", "127.0.0.1");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      for (int i = 0; i < 20; i++) {
        assertEquals("1", rig.output(get(uri(server.port()))).toString());
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldTellWhatEachAddressSaid() {
    try (InvokerHarness rig =
        new InvokerHarness(Map.of(), FakeHostResolver.of("127.0.0.2", "127.0.0.3"))) {
      WorkflowError error = rig.error(get("http://pets.example:9/"));
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
      String detail = String.valueOf(error.detail());
      assertTrue(detail.startsWith("expected pets.example:9 to accept a connection, found: "));
      assertTrue(detail.contains("127.0.0.2") && detail.contains("127.0.0.3"), detail);
    }
  }

  @Test
  void shouldTryTheNextAddressWhenOneIsSilent() throws IOException {
    FakeHostResolver addresses = FakeHostResolver.of("127.0.0.2", "127.0.0.1");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        ScriptedServer server = new ScriptedServer(answering(json("1")));
        Silent _ = new Silent("127.0.0.2", server.port())) {
      rig.invoke(get(uri(server.port())));
      rig.cycle();
      rig.advance(Duration.ofMillis(HappyEyeballs.ATTEMPT_DELAY_MILLIS - 1));
      assertEquals(0, server.connections());
      rig.advance(Duration.ofMillis(1));

      assertEquals("1", InvokerHarness.outputOf(rig.next().outcome()).toString());
      assertEquals(1, rig.count(Counter.CONNECTIONS), "the one that lost is closed");
    }
  }

  /**
   * Field faults 2 and 12: each attempt is a descriptor, and a race had up to 32 of them outside of
   * any budget.
   */
  @ParameterizedTest
  @CsvSource({"4096, 2", "1, 1"})
  void shouldRaceWithinTheBudgetOfConnections(int maxConnections, int most) throws IOException {
    List<Channel> made = new CopyOnWriteArrayList<>();
    ChannelTypes counted =
        new ChannelTypes(
            () -> {
              NioSocketChannel channel = new NioSocketChannel();
              made.add(channel);
              return channel;
            },
            NioDatagramChannel::new);
    Map<String, Integer> limits =
        Map.of("invoker.maxConnections", maxConnections, "invoker.maxConnectionsPerService", 1);
    FakeHostResolver addresses =
        FakeHostResolver.of("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1");
    try (InvokerHarness rig =
            new InvokerHarness(limits, null, addresses, NioIoHandler.newFactory(), counted);
        ScriptedServer server = new ScriptedServer(answering(json("1")));
        Silent _ = new Silent("127.0.0.2", server.port());
        Silent _ = new Silent("127.0.0.3", server.port());
        Silent _ = new Silent("127.0.0.4", server.port());
        Silent _ = new Silent("127.0.0.5", server.port())) {
      rig.invoke(get(uri(server.port())));
      rig.cycle();
      for (int attempts = 1; attempts < 5; attempts++) {
        assertEquals(attempts, made.size());
        int open = Math.min(attempts, most);
        assertEquals(open, made.stream().filter(Channel::isOpen).count());
        assertEquals(open, rig.count(Counter.CONNECTIONS), "counted by the budget");
        rig.advance(Duration.ofMillis(HappyEyeballs.ATTEMPT_DELAY_MILLIS));
      }
      assertEquals("1", InvokerHarness.outputOf(rig.next().outcome()).toString());
      assertEquals(1, rig.count(Counter.CONNECTIONS));
      assertEquals(1, made.stream().filter(Channel::isOpen).count());
    }
  }

  @Test
  void shouldGiveUpWhenAllAreSilent() throws IOException {
    FakeHostResolver addresses = FakeHostResolver.of("127.0.0.2");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        Silent silent = new Silent("127.0.0.2", 0)) {
      int port = silent.full.getLocalPort();
      rig.invoke(get(uri(port)));
      rig.cycle();
      rig.advance(Duration.ofSeconds(5));
      assertEquals(
          "expected pets.example:"
              + port
              + " to accept a connection within 5000 ms (invoker.connectTimeoutMillis), found it"
              + " silent",
          InvokerHarness.errorOf(rig.next().outcome()).detail());
    }
  }

  @Test
  void shouldTryBothFamilies() {
    FakeHostResolver addresses = FakeHostResolver.of("::1", "127.0.0.1");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        ScriptedServer server = new ScriptedServer(answering(json("4")))) {
      assertEquals("4", rig.output(get(uri(server.port()))).toString());
      assertEquals(List.of("V6 pets.example", "V4 pets.example"), addresses.questions);
    }
  }

  @Test
  void shouldGoOnWithoutAddressesOfIpv6AfterAWhile() {
    AtomicReference<Promise<List<InetAddress>>> v6 = new AtomicReference<>();
    FakeHostResolver addresses =
        FakeHostResolver.answering(
            (name, family) -> {
              if (family == Family.V4) {
                return FakeHostResolver.found(FakeHostResolver.addresses("127.0.0.1"));
              }
              v6.set(FakeHostResolver.never());
              return v6.get();
            });
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      rig.invoke(get(uri(server.port())));
      rig.cycle();
      rig.advance(Duration.ofMillis(HappyEyeballs.RESOLUTION_DELAY_MILLIS - 1));
      assertEquals(0, server.connections());
      rig.advance(Duration.ofMillis(1));
      assertEquals("1", InvokerHarness.outputOf(rig.next().outcome()).toString());

      // and one that comes too late is closed
      rig.onLoop(() -> v6.get().setSuccess(FakeHostResolver.addresses("::1")));
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldWaitForTheOtherFamilyWhenOneHasNoAddressThatAccepts() {
    AtomicReference<Promise<List<InetAddress>>> v4 = new AtomicReference<>();
    FakeHostResolver addresses =
        FakeHostResolver.answering(
            (name, family) -> {
              if (family == Family.V6) {
                return FakeHostResolver.found(FakeHostResolver.addresses("::1"));
              }
              v4.set(FakeHostResolver.never());
              return v4.get();
            });
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      rig.invoke(get(uri(server.port())));
      await().until(() -> v4.get() != null);
      rig.cycle();
      rig.onLoop(() -> v4.get().setSuccess(FakeHostResolver.addresses("127.0.0.1")));
      assertEquals("1", InvokerHarness.outputOf(rig.next().outcome()).toString());
    }
  }

  @Test
  void shouldTryAddressesThatComeWhileAnAttemptIsSilent() throws Exception {
    AtomicReference<Promise<List<InetAddress>>> v4 = new AtomicReference<>();
    FakeHostResolver addresses =
        FakeHostResolver.answering(
            (name, family) -> {
              if (family == Family.V6) {
                return FakeHostResolver.found(FakeHostResolver.addresses("127.0.0.2"));
              }
              v4.set(FakeHostResolver.never());
              return v4.get();
            });
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        ScriptedServer server = new ScriptedServer(answering(json("1")));
        Silent _ = new Silent("127.0.0.2", server.port())) {
      rig.invoke(get(uri(server.port())));
      await().until(() -> v4.get() != null);
      rig.cycle();
      rig.advance(Duration.ofMillis(HappyEyeballs.RESOLUTION_DELAY_MILLIS));
      rig.onLoop(() -> v4.get().setSuccess(FakeHostResolver.addresses("127.0.0.1")));
      rig.cycle();
      rig.advance(Duration.ofMillis(HappyEyeballs.ATTEMPT_DELAY_MILLIS));
      assertEquals("1", InvokerHarness.outputOf(rig.next().outcome()).toString());
    }
  }

  @Test
  void shouldFollowANameThatMoves() throws IOException {
    AtomicReference<String> at = new AtomicReference<>("127.0.0.1");
    FakeHostResolver addresses =
        FakeHostResolver.answering(
            (name, family) ->
                FakeHostResolver.found(
                    family == Family.V4 ? FakeHostResolver.addresses(at.get()) : List.of()));
    try (InvokerHarness rig = new InvokerHarness(Map.of(), addresses);
        ScriptedServer one = new ScriptedServer(answering(json("1")));
        ScriptedServer two =
            new ScriptedServer(
                InetAddress.getByName("127.0.0.2"), one.port(), answering(json("2")))) {
      String uri = uri(one.port());
      assertEquals("1", rig.output(get(uri)).toString());
      at.set("127.0.0.2");
      int seconds = 0;
      while (rig.output(get(uri)).toString().equals("1")) {
        rig.advance(Duration.ofSeconds(1));
        seconds++;
      }
      assertTrue(seconds > 0 && seconds <= 61, "followed after " + seconds + " s");
      assertEquals(1, one.connections());
      assertEquals(1, two.connections());
    }
  }

  @Test
  void shouldCloseRacesWhenTheEngineStops() throws IOException {
    try (InvokerHarness rig =
            new InvokerHarness(Map.of(), FakeHostResolver.of("127.0.0.2", "127.0.0.3"));
        Silent silent = new Silent("127.0.0.2", 0)) {
      rig.invoke(get(uri(((InetSocketAddress) silent.full.getLocalSocketAddress()).getPort())));
      rig.cycle();
      rig.stop();
      assertEquals(ErrorType.RUNTIME.uri(), InvokerHarness.errorOf(rig.next().outcome()).type());
    }
  }
}
