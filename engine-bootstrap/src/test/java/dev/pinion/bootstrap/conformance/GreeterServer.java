package dev.pinion.bootstrap.conformance;

import com.google.protobuf.StringValue;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A gRPC server on loopback with the service that an example calls. */
final class GreeterServer implements AutoCloseable {
  private static final String SERVICE = "GreeterApi.Greeter";

  /** Request and answer have one text as their first field, so their bytes are those of a value. */
  private static final MethodDescriptor<StringValue, StringValue> HELLO =
      MethodDescriptor.<StringValue, StringValue>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "SayHello"))
          .setRequestMarshaller(new TextMarshaller())
          .setResponseMarshaller(new TextMarshaller())
          .build();

  private final Server server;

  GreeterServer() throws IOException {
    this.server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(SERVICE)
                    .addMethod(HELLO, (call, _) -> new Hello(call))
                    .build())
            .build()
            .start();
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    Server _ = server.shutdownNow();
  }

  private static final class TextMarshaller implements MethodDescriptor.Marshaller<StringValue> {
    @Override
    public InputStream stream(StringValue text) {
      return new ByteArrayInputStream(text.toByteArray());
    }

    @Override
    public StringValue parse(InputStream bytes) {
      try {
        return StringValue.parseFrom(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** One call. */
  private static final class Hello extends ServerCall.Listener<StringValue> {
    private final ServerCall<StringValue, StringValue> call;
    private String name = "";

    Hello(ServerCall<StringValue, StringValue> call) {
      this.call = call;
      call.request(2);
    }

    @Override
    public void onMessage(StringValue sent) {
      name = sent.getValue();
    }

    @Override
    public void onHalfClose() {
      call.sendHeaders(new Metadata());
      call.sendMessage(StringValue.of("Hello, " + name + "!"));
      call.close(Status.OK, new Metadata());
    }
  }
}
