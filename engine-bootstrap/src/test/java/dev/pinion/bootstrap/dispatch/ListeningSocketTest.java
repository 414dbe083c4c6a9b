package dev.pinion.bootstrap.dispatch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ListeningSocketTest {
  @TempDir private Path directory;

  @BeforeEach
  void onlyWhereSocketsCanBePassedOn() {
    assumeTrue(ListeningSocket.available(), "needs Linux, and Netty's native transport");
  }

  @Test
  void shouldWaitForItsLoopNoLongerThanTold() throws Exception {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    CountDownLatch goOn = new CountDownLatch(1);
    try (ListeningSocket socket = new ListeningSocket(anyPort(), directory, loop)) {
      loop.execute(
          () -> {
            try {
              goOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      assertFalse(socket.awaitIdle(Duration.ofMillis(1)), "its loop is busy");
      goOn.countDown();
      assertTrue(socket.awaitIdle(Duration.ofSeconds(30)));
    }
  }

  @Test
  void shouldRefuseAnAddressThatIsTaken() throws IOException {
    try (ListeningSocket socket = new ListeningSocket(anyPort(), directory)) {
      IOException refused =
          assertThrows(
              IOException.class,
              () -> new ListeningSocket(socket.address(), directory.resolve("other")));
      assertTrue(String.valueOf(refused.getMessage()).contains("expected to listen at"));
    }
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
