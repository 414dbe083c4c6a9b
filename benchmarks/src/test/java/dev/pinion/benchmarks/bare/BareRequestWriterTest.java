package dev.pinion.benchmarks.bare;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.invoker.http.NettyServiceCaller;
import dev.pinion.core.invoker.http.ServiceCallerSettings;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The yardstick is fair only if it sends the same bytes as the engine. */
final class BareRequestWriterTest {
  private static final String AGENT = "pinion/test";

  @Test
  @Timeout(30)
  void shouldSendTheVeryBytesOfTheEnginesInvoker() throws Exception {
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // given
      String host = "127.0.0.1:" + service.getLocalPort();
      String expected = expected(host);

      // when the engine's Invoker makes the same call
      EventLoop loop = group.next();
      NettyServiceCaller caller =
          loop.submit(() -> new NettyServiceCaller(loop, settings(), new InvokerCounters())).get();
      HttpCall call =
          new HttpCall(
              "POST",
              "http://" + host + "/svc/s3",
              List.of(),
              Payload.object(Map.of("value", Payload.of(-42))),
              HttpCall.Output.CONTENT,
              false);
      loop.submit(() -> caller.call(call, outcome -> {})).get();

      // then
      try (Socket connection = service.accept();
          InputStream in = connection.getInputStream()) {
        assertEquals(expected, new String(in.readNBytes(expected.length()), US_ASCII));
        assertEquals(0, in.available());
      }
      loop.submit(caller::onClose).get();
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }
  }

  private static String expected(String host) {
    ByteBuf request =
        new BareRequestWriter(host, AGENT).request(UnpooledByteBufAllocator.DEFAULT, 3, -42);
    try {
      return request.toString(US_ASCII);
    } finally {
      request.release();
    }
  }

  private static ServiceCallerSettings settings() throws Exception {
    EngineLimits limits = EngineLimits.defaults();
    return new ServiceCallerSettings(
        limits.invoker(),
        new PayloadCodec(limits.json()),
        ClientTls.load(null),
        ChannelTypes.nio(),
        AGENT,
        () -> true);
  }
}
