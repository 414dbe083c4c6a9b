package dev.pinion.core.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.StartPolicy;
import dev.pinion.core.stage.ThreadSetup;
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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client against another replica that answers, is silent, or does not exist. */
@Timeout(60)
class PeerClientTest {
  private static final int OTHER = 1;

  @TempDir private Path directory;

  private final Transport transport = Transport.best();
  private final StageLoopGroup ours = loops("ours");
  private final StageLoopGroup theirs = loops("theirs");
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  private ReplicaGroup replicaGroup;

  private static StageLoopGroup loops(String name) {
    StageLoopGroup loops =
        StageLoopGroup.parked(name, 1, Transport.best(), Clock.system(), ThreadSetup.NONE);
    loops.loops().getFirst().host(List.of());
    return loops;
  }

  @BeforeEach
  void setUp() {
    replicaGroup = new ReplicaGroup(0, 2, directory, StartPolicy.LOCAL);
  }

  @AfterEach
  void stop() {
    ours.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
    theirs.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
  }

  @Test
  void shouldHearTheAnswer() throws Exception {
    Channel server = listen(true);
    send(client(), "/");

    assertEquals("200", next());
    server.close().sync();
  }

  @Test
  void shouldSayThatNothingBeganWhenNobodyListens() throws Exception {
    send(client(), "/");

    assertEquals("lost, begun false", next());
  }

  @Test
  void shouldSayThatARequestMayHaveBegunWhenTheReplicaWasLostAfterItCame() throws Exception {
    Channel server = listen(false);
    send(client(), "/");
    assertEquals("received", next());
    server.close().sync();
    accepted.take().close().sync();

    assertEquals("lost, begun true", next());
  }

  /** The connection is closed, but its event loop has not noticed yet. */
  @Test
  void shouldSayThatNothingBeganWhenTheConnectionWasClosedBefore() throws Exception {
    Channel server = listen(true);
    PeerClient client = client();
    send(client, "/first");
    assertEquals("200", next());
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    loop()
        .execute(
            () -> {
              busy.countDown();
              awaitQuietly(closed);
              client.send(OTHER, request("/second"), new Hearing());
            });
    busy.await();
    server.close().sync();
    accepted.take().close().sync();
    closed.countDown();

    assertEquals("lost, begun false", next());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private StageLoop loop() {
    return ours.loops().getFirst();
  }

  private PeerClient client() {
    return PeerClient.create(
        loop(),
        transport.unixSocketChannel(),
        transport.unixAddress(),
        replicaGroup,
        EngineLimits.defaults().with(Map.of("request.maxPeerConnections", 16)).request());
  }

  private void send(PeerClient client, String path) {
    loop().execute(() -> client.send(OTHER, request(path), new Hearing()));
  }

  private static FullHttpRequest request(String path) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.GET, path, Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "other");
    return request;
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(30, TimeUnit.SECONDS));
  }

  private Channel listen(boolean answers) throws InterruptedException {
    return new ServerBootstrap()
        .group(theirs)
        .channel(transport.unixServerChannel())
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                accepted.add(channel);
                channel
                    .pipeline()
                    .addLast(
                        new HttpServerCodec(), new HttpObjectAggregator(1_024), new Other(answers));
              }
            })
        .bind(transport.unixAddress().apply(replicaGroup.socket(OTHER)))
        .sync()
        .channel();
  }

  private final class Hearing implements PeerResponseListener {
    @Override
    public void onResponse(FullHttpResponse response) {
      heard.add(String.valueOf(response.status().code()));
    }

    @Override
    public void onLost(boolean begun, Throwable cause) {
      heard.add("lost, begun " + begun);
    }
  }

  private final class Other extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final boolean answers;

    Other(boolean answers) {
      this.answers = answers;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the client reports a failed response
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      if (!answers) {
        heard.add("received");
        return;
      }
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
      context.writeAndFlush(response);
    }
  }
}
