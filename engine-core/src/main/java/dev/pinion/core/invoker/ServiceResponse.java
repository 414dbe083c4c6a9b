package dev.pinion.core.invoker;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** A complete response of a service. */
public interface ServiceResponse {
  /** The status code. */
  int status();

  /** The reason phrase. */
  String reason();

  /** The header fields. */
  HttpHeaders headers();

  /** The body; owned by the response. */
  ByteBuf body();
}
