package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;

/**
 * Call over a protocol that has a client of its own: {@code call} of {@code grpc}, {@code
 * asyncapi}, {@code mcp} or {@code a2a}. One implementation for each kind of call.
 */
public non-sealed interface ProtocolCall extends CallRequest {
  /** The protocol. */
  Protocol protocol();

  /**
   * Whether {@code invoker.callTimeoutMillis} bounds the call; false for a subscription, which
   * lasts as long as its task.
   */
  default boolean isTimed() {
    return true;
  }

  @Override
  ProtocolCall withBody(Payload other);

  @Override
  ProtocolCall withIdempotencyKey(String key, int attempt);

  /** Protocols of calls. */
  enum Protocol {
    /** gRPC. */
    GRPC("grpc"),
    /** The protocols of messages that AsyncAPI documents describe. */
    ASYNCAPI("asyncapi"),
    /** The Model Context Protocol. */
    MCP("mcp"),
    /** The Agent2Agent protocol. */
    A2A("a2a");

    private final String word;

    Protocol(String word) {
      this.word = word;
    }

    /** Its name in {@code call}. */
    public String word() {
      return word;
    }
  }
}
