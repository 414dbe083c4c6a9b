package dev.pinion.benchmarks.bare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.model.InstanceId;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One client connection of the bare exchange. */
final class ClientHandler extends RequestAggregator {
  private static final ObjectReader JSON = JsonMapper.builder().build().readerFor(JsonNode.class);
  private static final String STARTS = "/instances";

  private final CallPattern callPattern;
  private final StubConnectionPool services;
  private final BareResponseWriter writer;
  private @Nullable ChannelHandlerContext context;
  private @Nullable InstanceId id;

  ClientHandler(CallPattern callPattern, StubConnectionPool services, BareResponseWriter writer) {
    this.callPattern = callPattern;
    this.services = services;
    this.writer = writer;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  protected void onRequest(ChannelHandlerContext ctx, HttpMethod method, String uri) {
    if (!method.equals(HttpMethod.POST) || !uri.endsWith(STARTS)) {
      refuse(ctx, "404 Not Found", "expected POST of " + STARTS + ", found " + method + " " + uri);
      return;
    }
    CallPattern.Calls calls;
    try {
      JsonNode request = JSON.readTree(body().bytes(), 0, body().length());
      calls = callPattern.calls(request.path("input"));
    } catch (IOException | IllegalArgumentException e) {
      refuse(ctx, "400 Bad Request", String.valueOf(e.getMessage()));
      return;
    }
    id = writer.nextId();
    new StartExchange(this, services, callPattern, calls).start();
  }

  /** Called when every call has returned. */
  void onEnd(long[] answers) {
    ChannelHandlerContext ctx = context;
    InstanceId instance = id;
    if (ctx != null && instance != null && ctx.channel().isActive()) {
      answer(ctx, writer.ended(ctx.alloc(), instance, answers));
    }
  }

  /** Called when a call failed. */
  void onFailure(String reason) {
    ChannelHandlerContext ctx = context;
    if (ctx != null && ctx.channel().isActive()) {
      refuse(ctx, "502 Bad Gateway", reason);
    }
  }

  private void refuse(ChannelHandlerContext ctx, String status, String sentence) {
    answer(ctx, writer.problem(ctx.alloc(), status, sentence));
  }
}
