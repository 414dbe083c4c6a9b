package dev.pinion.bootstrap.client.call;

import dev.pinion.core.invoker.ServiceResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;

/** The answer of a service over another protocol that another authorization may change. */
public enum RefusedAuthorization implements ServiceResponse {
  INSTANCE;

  private static final int UNAUTHORIZED = 401;

  @Override
  public int status() {
    return UNAUTHORIZED;
  }

  @Override
  public String reason() {
    return "Unauthorized";
  }

  @Override
  public HttpHeaders headers() {
    return EmptyHttpHeaders.INSTANCE;
  }

  @Override
  public ByteBuf body() {
    return Unpooled.EMPTY_BUFFER;
  }
}
