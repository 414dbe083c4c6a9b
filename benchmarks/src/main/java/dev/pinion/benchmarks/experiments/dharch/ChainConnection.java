package dev.pinion.benchmarks.experiments.dharch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pinion.benchmarks.bare.RequestAggregator;
import dev.pinion.handlers.run.MessageGateway;
import dev.pinion.handlers.run.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Arrays;

/** One client connection of a {@link ChainServer}. */
final class ChainConnection extends RequestAggregator {
  private static final String CHAIN = "/chain/";
  private static final String SERIAL = "/serial/";
  private static final String TWICE = "/twice/";

  private final ChainServer server;

  ChainConnection(ChainServer server) {
    this.server = server;
  }

  @Override
  protected void onRequest(ChannelHandlerContext ctx, HttpMethod method, String uri) {
    byte[] body = Arrays.copyOf(body().bytes(), body().length());
    MessageGateway.Completion<String> completion = (name, outcome) -> leave(ctx, outcome);
    boolean known = true;
    if (uri.startsWith(CHAIN)) {
      server.enter(uri.substring(CHAIN.length()), body, completion);
    } else if (uri.startsWith(SERIAL)) {
      known = server.enterSerially(uri.substring(SERIAL.length()), body, completion);
    } else if (uri.startsWith(TWICE)) {
      known = server.enterTwice(uri.substring(TWICE.length()), body, completion);
    } else {
      answer(ctx, text("200 OK", server.describe().toString()));
    }
    if (!known) {
      answer(ctx, text("404 Not Found", "no chain for " + uri));
    }
  }

  /** Handlers have finished, on any thread. */
  private void leave(ChannelHandlerContext ctx, Outcome outcome) {
    String found = ChainServer.found(outcome);
    ByteBuf text =
        found != null
            ? text("200 OK", found)
            : text(
                outcome instanceof Outcome.Overloaded
                    ? "503 Service Unavailable"
                    : "500 Internal Server Error",
                outcome.toString());
    ctx.executor().execute(() -> answer(ctx, text));
  }

  private static ByteBuf text(String status, String text) {
    byte[] body = text.getBytes(UTF_8);
    String head =
        "HTTP/1.1 "
            + status
            + "\r\ncontent-type: text/plain\r\ncontent-length: "
            + body.length
            + "\r\n\r\n";
    return Unpooled.wrappedBuffer(head.getBytes(UTF_8), body);
  }
}
