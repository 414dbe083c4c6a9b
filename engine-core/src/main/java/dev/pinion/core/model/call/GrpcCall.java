package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Call of a method of a gRPC service (DSL reference, "gRPC Call").
 *
 * @param method the method
 * @param request the request that carries it: its scheme tells whether the service uses TLS, its
 *     header fields are the metadata, its body are the arguments
 */
public record GrpcCall(GrpcMethod method, HttpCall request) implements ProtocolCall {
  @Override
  public Protocol protocol() {
    return Protocol.GRPC;
  }

  @Override
  public @Nullable Payload body() {
    return request.body();
  }

  @Override
  public GrpcCall withBody(Payload other) {
    return new GrpcCall(method, request.withBody(other));
  }

  @Override
  public long heapBytes() {
    return request.heapBytes();
  }

  @Override
  public GrpcCall withValues(UnaryOperator<Payload> each) {
    return new GrpcCall(method, request.withValues(each));
  }

  @Override
  public GrpcCall withIdempotencyKey(String key, int attempt) {
    return new GrpcCall(method, request.withIdempotencyKey(key, attempt));
  }

  @Override
  public boolean showsSecret(String text) {
    return request.showsSecret(text);
  }

  /** The word of the protocol, and the URI of the method. */
  @Override
  public String description() {
    String described = request.description();
    int space = described.indexOf(' ');
    return protocol().word() + (space < 0 ? "" : described.substring(space));
  }
}
