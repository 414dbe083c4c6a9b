package dev.pinion.bootstrap.child;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that answers, that is missing, that sends nothing, and that sends anything. */
class BrokerClientTest {
  private static final BrokerRequest QUESTION =
      new BrokerRequest(Verb.PUT, "slas", "a", "\"x\"", null, "{\"rate\":1}");

  @TempDir private Path folder;

  private BrokerClient client(Duration patience) {
    return BrokerClient.at(folder.resolve("b.sock"), patience);
  }

  private BrokerResponse ask(Duration patience) throws Exception {
    return ask(client(patience));
  }

  private static BrokerResponse ask(BrokerClient client) throws Exception {
    return client.send(QUESTION).get(30, TimeUnit.SECONDS);
  }

  @Test
  void shouldCarryQuestionsAndAnswers() throws Exception {
    BrokerResponse brokerResponse =
        new BrokerResponse(BrokerStatus.NOT_ADMITTED, "", "too much", "{\"offer\":1}");
    try (BrokerListener _ =
        BrokerListener.open(
            folder.resolve("b.sock"),
            brokerRequest -> {
              assertEquals(QUESTION, brokerRequest);
              return brokerResponse;
            })) {
      assertEquals(brokerResponse, ask(Duration.ofSeconds(20)));
    }
  }

  @Test
  void shouldTellThatNobodyIsThereAndThatNobodyAnswers() throws Exception {
    assertEquals(BrokerStatus.UNAVAILABLE, ask(Duration.ofSeconds(20)).outcome());
    try (ServerSocketChannel silent = listening()) {
      assertTrue(silent.isOpen());
      assertEquals(BrokerStatus.UNAVAILABLE, ask(Duration.ofMillis(100)).outcome());
    }
  }

  @Test
  void shouldRefuseGarbage() throws Exception {
    long seed = Long.getLong("pinion.seed", 4_711L);
    System.out.println("BrokerClientTest seed " + seed);
    Random random = new Random(seed);
    BrokerClient client = client(Duration.ofSeconds(20));
    try (ServerSocketChannel server = listening()) {
      for (int i = 0; i < 50; i++) {
        byte[] garbage = new byte[random.nextInt(200)];
        random.nextBytes(garbage);
        Thread answering = Thread.ofPlatform().daemon().start(() -> answer(server, garbage));
        assertEquals(BrokerStatus.UNAVAILABLE, ask(client).outcome());
        answering.join();
      }
    }
  }

  private ServerSocketChannel listening() throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(folder.resolve("b.sock")));
    return server;
  }

  private static void answer(ServerSocketChannel server, byte[] garbage) {
    try (SocketChannel channel = server.accept()) {
      BrokerProtocol.question(channel);
      ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + garbage.length);
      bytes.putInt(garbage.length).put(garbage).flip();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw new AssertionError("expected a question", e);
    }
  }
}
