package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.answering;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.invoker.http.DnsFailures;
import dev.pinion.core.invoker.http.DnsHostResolver;
import dev.pinion.core.invoker.http.HostResolver.Family;
import dev.pinion.core.invoker.http.HostsFile;
import dev.pinion.core.invoker.http.InvalidCallException;
import dev.pinion.core.invoker.http.TargetUri;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.concurrent.Future;
import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that calls may reach and their look-up: field faults 12 and 27. */
class HostResolutionTest {
  @Test // Field fault 12
  void shouldReadTheHostsFileAgainWhenItHasChanged(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("hosts");
    Files.writeString(file, "127.0.0.1 localhost Moving.Example\n::1 localhost\n");
    HostsFile hosts = new HostsFile(file.toFile());
    long second = Duration.ofSeconds(1).toNanos();

    assertEquals(FakeHostResolver.addresses("127.0.0.1"), hosts.addresses("moving.example", 5));
    assertEquals(FakeHostResolver.addresses("::1", "127.0.0.1"), hosts.addresses("LOCALHOST", 5));
    assertEquals(List.of(), hosts.addresses("other.example", 5));

    Files.writeString(file, "127.0.0.2 moving.example # as of now\n");
    assertEquals(
        FakeHostResolver.addresses("127.0.0.1"), hosts.addresses("moving.example", 5 + second - 1));
    assertEquals(
        FakeHostResolver.addresses("127.0.0.2"), hosts.addresses("moving.example", 5 + second));
    Files.delete(file);
    assertEquals(List.of(), hosts.addresses("moving.example", 5 + 2 * second));
  }

  @Test // Field faults 12 and 24
  void shouldTellSilentNameServersFromAbsentNames() throws Exception {
    InvokerLimits limits =
        EngineLimits.defaults().with(Map.of("invoker.connectTimeoutMillis", 150)).invoker();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      DnsHostResolver source =
          new DnsHostResolver(
              group.next(),
              ChannelTypes.nio(),
              limits,
              new HostsFile(new File("absent")),
              new SingletonDnsServerAddressStreamProvider(
                  new InetSocketAddress(silent.getLocalAddress(), silent.getLocalPort())));
      Future<List<InetAddress>> asked = source.lookUp("pets.example.", Family.V4);
      assertTrue(asked.await(20, TimeUnit.SECONDS));
      assertEquals(
          "expected the name servers to return an address for host name pets.example, found them"
              + " silent: the look-up timed out",
          DnsFailures.describe("pets.example", asked.cause()));
      assertFalse(DnsFailures.isSilence(new UnknownHostException("none")));
      source.close();
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @ParameterizedTest // Field fault 27
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.0.1",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[fd00:ec2::23]",
        "[fd20:ce::254]",
        "[fd00:42::42]",
        "[fd00:c1::a9fe:a9fe]",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[::ffff:0:a9fe:a9fe]",
        "[::169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::a9fe:a9fe]",
        "[2002:a9fe:a9fe::1]",
        "[2606:4700::5efe:a9fe:a9fe]",
        "100.100.100.200",
      })
  void shouldNeverCallLinkLocalAndMetadataAddresses(String host) {
    for (int allowed : new int[] {0, 1}) {
      try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.reservedAddresses", allowed))) {
        assertRefused(rig, host, "link-local or a cloud's own, which is never called");
      }
    }
  }

  @ParameterizedTest // Field fault 27
  @ValueSource(strings = {"0.0.0.0", "224.0.0.1", "255.255.255.255", "[::]", "[ff02::1]"})
  void shouldRefuseReservedAddresses(String host) {
    try (InvokerHarness rig = new InvokerHarness()) {
      assertRefused(rig, host, "multicast or reserved; invoker.reservedAddresses=1 allows that");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.1.2.3",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "10.0.0.1",
        "[fc00::1]",
        "0.0.0.0"
      })
  void shouldRefuseThisMachineAndPrivateNetworksWhereTheyAreClosed(String host) {
    Map<String, Integer> closed =
        Map.of("invoker.privateAddresses", 0, "invoker.reservedAddresses", 1);
    try (InvokerHarness rig = new InvokerHarness(closed)) {
      assertRefused(
          rig,
          host,
          "of this machine or of a private network; invoker.privateAddresses=1 allows that");
    }
  }

  private static void assertRefused(InvokerHarness rig, String host, String refusal) {
    WorkflowError error = rig.error(get("http://" + host + "/latest/meta-data/"));
    assertEquals(ErrorType.AUTHORIZATION.uri(), error.type());
    assertEquals(403, error.status());
    String bare = host.replace("[", "").replace("]", "");
    assertEquals(
        "expected a call of an address of a network, found " + bare + " at one that is " + refusal,
        error.detail());
  }

  @ParameterizedTest // Field fault 27: no spelling of an address but one
  @ValueSource(
      strings = {
        "2852039166",
        "0xA9FEA9FE",
        "0xa9.254.169.254",
        "0251.0376.0251.0376",
        "169.254.43518",
        "169.254.169.0xfe",
        "169.254.169.254.",
        "1.2.3.4.5",
        "256.1.1.1",
        "010.0.0.1",
      })
  void shouldRefuseOtherSpellingsOfAddresses(String host) {
    InvalidCallException refused =
        assertThrows(InvalidCallException.class, () -> TargetUri.parse("http://" + host + "/"));
    assertTrue(refused.problem().contains("four decimal numbers"), refused.problem());
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.7", "255.255.255.0", "a1", "1a", "x.1a", "0xg", "a.b2"})
  void shouldTakeOtherHosts(String host) throws InvalidCallException {
    assertEquals(host, TargetUri.parse("http://" + host + "/").origin().host());
  }

  @Test // Field fault 27: the checked address is the one that is connected
  void shouldRefuseANameAtAReservedAddress() {
    FakeHostResolver metadata = FakeHostResolver.of("169.254.169.254", "fd00:ec2::254");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), metadata)) {
      assertEquals(ErrorType.AUTHORIZATION.uri(), rig.error(get("http://pets.example/")).type());
    }
  }

  /** A name that moves to a closed address between two calls ("rebinding"). */
  @Test
  void shouldJudgeTheAddressesOfEveryLookUp() {
    AtomicInteger asked = new AtomicInteger();
    FakeHostResolver moving =
        FakeHostResolver.answering(
            (name, family) -> {
              boolean first = asked.getAndIncrement() < 2;
              return FakeHostResolver.found(
                  family == Family.V6
                      ? List.of()
                      : FakeHostResolver.addresses(first ? "127.0.0.1" : "169.254.169.254"));
            });
    try (InvokerHarness rig = new InvokerHarness(Map.of(), moving);
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      String uri = "http://pets.example:" + server.port() + "/";
      assertEquals("1", rig.output(get(uri)).toString());
      assertEquals(2, asked.get(), "one look-up for each family");
      rig.advance(Duration.ofMinutes(2));

      assertEquals(ErrorType.AUTHORIZATION.uri(), rig.error(get(uri)).type());
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldPassOverAReservedAddressAmongOthers() {
    FakeHostResolver both = FakeHostResolver.of("169.254.169.254", "127.0.0.1", "fe80::1");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), both);
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      String uri = "http://pets.example:" + server.port() + "/";
      assertEquals("1", rig.output(get(uri)).toString());
    }
  }

  @Test
  void shouldCallReservedAddressesWhereThatIsAllowed() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.reservedAddresses", 1));
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      assertEquals("1", rig.output(get("http://0.0.0.0:" + server.port() + "/")).toString());
    }
  }
}
