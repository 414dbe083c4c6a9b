package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Call of a server of the Model Context Protocol (DSL reference, "MCP Call").
 *
 * @param request what is asked
 * @param carrier how the server is reached: an HTTP request, or a program that runs meanwhile; its
 *     body are the parameters
 */
public record McpCall(McpRequest request, CallRequest carrier) implements ProtocolCall {
  /**
   * A request of a session that has nothing else.
   *
   * @param method method of the protocol, such as {@code tools/call}
   * @param protocolVersion version of the protocol that the client wants
   * @param clientName name by which the client introduces itself
   * @param clientVersion version of the client
   * @param timeoutNanos longest time of the call; 0 for that of all calls
   */
  public record McpRequest(
      String method,
      String protocolVersion,
      String clientName,
      String clientVersion,
      long timeoutNanos) {}

  @Override
  public Protocol protocol() {
    return Protocol.MCP;
  }

  /** Whether the Invoker's time bounds the call, as it has none of its own. */
  @Override
  public boolean isTimed() {
    return request.timeoutNanos() == 0;
  }

  @Override
  public @Nullable Payload body() {
    return carrier.body();
  }

  @Override
  public McpCall withBody(Payload other) {
    return new McpCall(request, carrier.withBody(other));
  }

  @Override
  public long heapBytes() {
    return carrier.heapBytes();
  }

  @Override
  public McpCall withValues(UnaryOperator<Payload> each) {
    return new McpCall(request, carrier.withValues(each));
  }

  @Override
  public McpCall withIdempotencyKey(String key, int attempt) {
    return new McpCall(request, carrier.withIdempotencyKey(key, attempt));
  }

  @Override
  public boolean showsSecret(String text) {
    return carrier.showsSecret(text);
  }

  /** Method, and the URI of a server that is reached over HTTP. */
  @Override
  public String description() {
    String described = carrier.description();
    boolean remote = carrier instanceof HttpCall;
    return protocol().word()
        + " "
        + request.method()
        + (remote ? " at " + described.substring(described.indexOf(' ') + 1) : "");
  }
}
