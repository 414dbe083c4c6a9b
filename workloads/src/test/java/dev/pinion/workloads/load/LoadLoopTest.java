package dev.pinion.workloads.load;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients of one event loop, with a clock of the test. */
@Timeout(60)
class LoadLoopTest {
  private static final int CLIENTS = 3;

  private final MockTicker ticker = Ticker.newMockTicker();
  private final Queue<SlowlyClosed> channels = new ConcurrentLinkedQueue<>();

  @Test
  void shouldNotMeasureTheTimeInWhichConnectionsAreClosed() throws Exception {
    try (ServerSocket server = new ServerSocket(0, CLIENTS, InetAddress.getLoopbackAddress());
        MultiThreadIoEventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())) {
      // given: connected, thinking clients
      LoadLoop loop = loop(server, group.next());
      loop.eventLoop().submit(() -> measureFromTheBeginning(loop)).get();
      await().until(() -> loop.eventLoop().submit(this::connected).get());

      // when
      ticker.advance(2, TimeUnit.SECONDS);
      loop.eventLoop().submit(loop::end).get();

      // then
      assertEquals(CLIENTS, channels.stream().filter(channel -> !channel.isOpen()).count());
      assertEquals(Duration.ofSeconds(2 + CLIENTS).toNanos(), ticker.nanoTime());
      assertEquals(Duration.ofSeconds(2).toNanos(), loop.tally().result().elapsedNanos());
    }
  }

  private static void measureFromTheBeginning(LoadLoop loop) {
    loop.measure();
    loop.warmUp(0);
  }

  private boolean connected() {
    return channels.size() == CLIENTS && channels.stream().allMatch(SlowlyClosed::isActive);
  }

  private LoadLoop loop(ServerSocket server, EventLoop eventLoop) {
    URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    LoadPlan plan =
        LoadPlan.of(
                List.of(LoadRequest.post(uri, "{}", ResponseCheck.success())),
                CLIENTS,
                Duration.ofSeconds(2))
            .thinking(LoadPlan.MAX_TIME, 1);
    Bootstrap bootstrap =
        new Bootstrap()
            .channelFactory(SlowlyClosed::new)
            .remoteAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
    LoadLoop loop = new LoadLoop(plan, eventLoop, bootstrap, ticker, new AtomicLong(), () -> {}, 0);
    for (int i = 0; i < CLIENTS; i++) {
      loop.add(new ThinkTime(plan.thinkTime().toNanos(), new SplittableRandom(i)), i);
    }
    return loop;
  }

  /** A channel that takes a second to close. */
  private final class SlowlyClosed extends NioSocketChannel {
    SlowlyClosed() {
      channels.add(this);
    }

    @Override
    protected void doClose() throws Exception {
      ticker.advance(1, TimeUnit.SECONDS);
      super.doClose();
    }
  }
}
