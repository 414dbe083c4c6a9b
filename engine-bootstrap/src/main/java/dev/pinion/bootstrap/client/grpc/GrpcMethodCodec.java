package dev.pinion.bootstrap.client.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TypeRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** How the messages of one method are written: as bytes, and as JSON. Immutable. */
final class GrpcMethodCodec {
  private final MethodDescriptor<DynamicMessage, DynamicMessage> method;
  private final MessageJson requests;
  private final MessageJson answers;

  /** The codec of a method that takes one message. */
  GrpcMethodCodec(com.google.protobuf.Descriptors.MethodDescriptor method) {
    this.method =
        MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
            .setType(
                method.isServerStreaming()
                    ? MethodDescriptor.MethodType.SERVER_STREAMING
                    : MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(
                    method.getService().getFullName(), method.getName()))
            .setRequestMarshaller(new DynamicMarshaller(method.getInputType()))
            .setResponseMarshaller(new DynamicMarshaller(method.getOutputType()))
            .build();
    TypeRegistry types =
        TypeRegistry.newBuilder().add(method.getInputType()).add(method.getOutputType()).build();
    this.requests = new MessageJson(method.getInputType(), types);
    this.answers = new MessageJson(method.getOutputType(), types);
  }

  /** The method in the form of gRPC's library. */
  MethodDescriptor<DynamicMessage, DynamicMessage> method() {
    return method;
  }

  /** JSON form of its requests. */
  MessageJson requests() {
    return requests;
  }

  /** JSON form of its answers. */
  MessageJson answers() {
    return answers;
  }

  /** Messages of one type as bytes. */
  private record DynamicMarshaller(Descriptor type)
      implements MethodDescriptor.Marshaller<DynamicMessage> {
    @Override
    public InputStream stream(DynamicMessage message) {
      return new ByteArrayInputStream(message.toByteArray());
    }

    @Override
    public DynamicMessage parse(InputStream bytes) {
      try {
        return DynamicMessage.parseFrom(type, bytes);
      } catch (IOException e) {
        throw Status.INTERNAL
            .withDescription(
                "expected a message " + type.getFullName() + ", found: " + e.getMessage())
            .withCause(e)
            .asRuntimeException();
      }
    }
  }
}
