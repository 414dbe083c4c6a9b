package dev.pinion.core.peer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.ThreadSetup;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Number of connections that a pool keeps; the test lets time pass. */
@Timeout(60)
class PeerConnectionPoolTest {
  private static final int MANY = PeerConnectionPool.KEPT_IDLE + 12;

  @TempDir private Path directory;

  private final Transport transport = Transport.best();
  private final StageLoopGroup ours = loops("ours");
  private final StageLoopGroup theirs = loops("theirs");
  private final BlockingQueue<ChannelHandlerContext> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
  private final Queue<Channel> accepted = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  private PeerConnectionPool pool;

  private static StageLoopGroup loops(String name) {
    StageLoopGroup loops =
        StageLoopGroup.parked(name, 1, Transport.best(), Clock.system(), ThreadSetup.NONE);
    loops.loops().getFirst().host(List.of());
    return loops;
  }

  @BeforeEach
  void listen() throws InterruptedException {
    SocketAddress other = transport.unixAddress().apply(directory.resolve("other"));
    new ServerBootstrap()
        .group(theirs)
        .channel(transport.unixServerChannel())
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                accepted.add(channel);
                channel
                    .pipeline()
                    .addLast(new HttpServerCodec(), new HttpObjectAggregator(1_024), new Other());
              }
            })
        .bind(other)
        .sync();
    pool =
        new PeerConnectionPool(
            new Bootstrap()
                .group(loop())
                .channel(transport.unixSocketChannel())
                .remoteAddress(other),
            EngineLimits.defaults().request(),
            later::add);
  }

  @AfterEach
  void stop() {
    ours.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
    theirs.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
  }

  @Test
  void shouldCloseConnectionsThatNobodyNeeds() throws Exception {
    askAtOnce(MANY);
    assertEquals(MANY, open());

    idleTimePasses(); // since the first surplus one became idle
    idleTimePasses(); // since the last one became idle

    await().until(() -> open() == PeerConnectionPool.KEPT_IDLE);
    assertTrue(later.isEmpty(), "nothing is watched any more");
    askAtOnce(PeerConnectionPool.KEPT_IDLE);
    assertEquals(MANY, accepted.size(), "kept connections are used");
  }

  @Test
  void shouldKeepConnectionsThatAreNeededNowAndThen() throws Exception {
    askAtOnce(MANY);
    askAtOnce(MANY);
    idleTimePasses();
    askAtOnce(MANY);
    idleTimePasses();

    askAtOnce(MANY);
    assertEquals(MANY, open());
    assertEquals(MANY, accepted.size());
  }

  private StageLoop loop() {
    return ours.loops().getFirst();
  }

  private long open() {
    return accepted.stream().filter(Channel::isOpen).count();
  }

  private void idleTimePasses() throws InterruptedException {
    Runnable task = later.remove();
    loop().submit(task).sync();
  }

  /** Sends so many requests at a time. */
  private void askAtOnce(int requests) throws InterruptedException {
    for (int i = 0; i < requests; i++) {
      loop().execute(() -> pool.send(new PeerCall(request(), new Hearing())));
    }
    List<ChannelHandlerContext> all = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      all.add(asked.take());
    }
    for (ChannelHandlerContext each : all) {
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
      each.writeAndFlush(response).sync();
    }
    for (int i = 0; i < requests; i++) {
      assertEquals(200, heard.take());
    }
    loop().submit(() -> {}).sync(); // the last one is idle by now
  }

  private static FullHttpRequest request() {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "other");
    return request;
  }

  private final class Hearing implements PeerResponseListener {
    @Override
    public void onResponse(FullHttpResponse response) {
      heard.add(response.status().code());
    }

    @Override
    public void onLost(boolean begun, Throwable cause) {
      heard.add(0);
    }
  }

  private final class Other extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      asked.add(context);
    }
  }
}
