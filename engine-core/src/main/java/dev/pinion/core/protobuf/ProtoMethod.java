package dev.pinion.core.protobuf;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.pinion.core.model.call.GrpcMethod;

/** A method that a {@code .proto} file describes. Immutable. */
public final class ProtoMethod implements GrpcMethod {
  private final MethodDescriptor descriptor;

  ProtoMethod(MethodDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** Its description. */
  public MethodDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public String service() {
    return descriptor.getService().getFullName();
  }

  @Override
  public String name() {
    return descriptor.getName();
  }

  @Override
  public boolean streamsAnswers() {
    return descriptor.isServerStreaming();
  }

  /** Whether it takes a stream of messages. */
  public boolean streamsArguments() {
    return descriptor.isClientStreaming();
  }

  /** The message that it takes. */
  public MessageShape request() {
    return new MessageShape(descriptor.getInputType());
  }
}
