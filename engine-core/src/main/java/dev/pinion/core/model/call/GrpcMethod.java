package dev.pinion.core.model.call;

/** A method of a gRPC service. What its messages look like is known to who made it. Immutable. */
public interface GrpcMethod {
  /** Full name of the service. */
  String service();

  /** Name of the method. */
  String name();

  /** Whether it answers with a stream of messages, rather than with one. */
  boolean streamsAnswers();
}
