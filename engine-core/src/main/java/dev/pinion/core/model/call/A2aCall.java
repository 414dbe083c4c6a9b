package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Call of an agent by the Agent2Agent protocol (DSL reference, "A2A Call").
 *
 * @param method method of the protocol, such as {@code message/send}
 * @param request the HTTP request that carries it; its body are the parameters
 */
public record A2aCall(String method, HttpCall request) implements ProtocolCall {
  @Override
  public Protocol protocol() {
    return Protocol.A2A;
  }

  @Override
  public @Nullable Payload body() {
    return request.body();
  }

  @Override
  public A2aCall withBody(Payload other) {
    return new A2aCall(method, request.withBody(other));
  }

  @Override
  public long heapBytes() {
    return request.heapBytes();
  }

  @Override
  public A2aCall withValues(UnaryOperator<Payload> each) {
    return new A2aCall(method, request.withValues(each));
  }

  @Override
  public A2aCall withIdempotencyKey(String key, int attempt) {
    return new A2aCall(method, request.withIdempotencyKey(key, attempt));
  }

  @Override
  public boolean showsSecret(String text) {
    return request.showsSecret(text);
  }

  /** Method and URI of the agent. */
  @Override
  public String description() {
    String described = request.description();
    return protocol().word()
        + " "
        + method
        + " at "
        + described.substring(described.indexOf(' ') + 1);
  }
}
