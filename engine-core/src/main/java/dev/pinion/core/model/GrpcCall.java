package dev.pinion.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Call of a method of a gRPC service (DSL reference, "gRPC Call").
 *
 * @param method the method
 * @param service where the service is
 * @param metadata metadata in order; names in lower case
 * @param body the arguments, an object
 */
public record GrpcCall(
    GrpcMethod method, Service service, List<MetadataEntry> metadata, Payload body)
    implements ProtocolCall {
  /** Metadata that names a call in all its repetitions. */
  public static final String IDEMPOTENCY_KEY = "idempotency-key";

  /** Metadata with the number of the attempt, from 1. */
  public static final String ATTEMPT = "pinion-attempt";

  /** Copies the metadata. */
  public GrpcCall {
    metadata = List.copyOf(metadata);
  }

  /**
   * Place of a service.
   *
   * @param host host name or address as the definition has it; one of IPv6 in brackets
   * @param port TCP port
   * @param tls whether it uses TLS
   */
  public record Service(String host, int port, boolean tls) {}

  /**
   * An entry of the metadata.
   *
   * @param name its name; that of bytes ends in {@code -bin}
   * @param value its value; bytes in base 64
   */
  public record MetadataEntry(String name, String value) {}

  @Override
  public Protocol protocol() {
    return Protocol.GRPC;
  }

  @Override
  public GrpcCall withBody(Payload other) {
    return new GrpcCall(method, service, metadata, other);
  }

  /** A copy with a name, except where the definition sets that itself. */
  @Override
  public GrpcCall withIdempotencyKey(String key, int attempt) {
    List<MetadataEntry> named = new ArrayList<>(metadata);
    if (metadata.stream().noneMatch(each -> each.name().equals(IDEMPOTENCY_KEY))) {
      named.add(new MetadataEntry(IDEMPOTENCY_KEY, key));
    }
    named.add(new MetadataEntry(ATTEMPT, Integer.toString(attempt)));
    return new GrpcCall(method, service, named, body);
  }

  /** Service, method, host and port. */
  @Override
  public String description() {
    return "grpc "
        + method.service()
        + "/"
        + method.name()
        + " at "
        + service.host()
        + ":"
        + service.port();
  }
}
