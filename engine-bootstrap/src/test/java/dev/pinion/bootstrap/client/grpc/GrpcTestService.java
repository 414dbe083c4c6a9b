package dev.pinion.bootstrap.client.grpc;

import com.google.protobuf.DynamicMessage;
import dev.pinion.core.protobuf.ProtoDocument;
import dev.pinion.core.protobuf.ProtoLinker;
import dev.pinion.core.protobuf.ProtoMethod;
import dev.pinion.core.protobuf.ProtoServices;
import dev.pinion.core.protobuf.ProtoSyntaxException;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A gRPC server on loopback whose service answers as a test wants. */
final class GrpcTestService implements AutoCloseable {
  /** The service of the tests. */
  static final String PROTO =
      """
      syntax = "proto3";
      package demo;
      import "google/protobuf/timestamp.proto";
      import "google/protobuf/any.proto";
      import "google/protobuf/struct.proto";
      service Greeter {
        rpc Hello(Person) returns (Greeting);
        rpc Follow(Person) returns (stream Greeting);
      }
      enum Mood { UNKNOWN = 0; GLAD = 1; }
      message Person {
        string first_name = 1;
        int32 age = 2;
        Mood mood = 3;
        Address address = 4;
        repeated int64 numbers = 5;
        map<string, Address> homes = 6;
        google.protobuf.Timestamp born = 7;
        bytes photo = 8;
        google.protobuf.Value other = 9;
        oneof contact { string mail = 10; string phone = 11; }
        repeated Address addresses = 12;
      }
      message Address { string street = 1; uint32 house = 2; }
      message Greeting {
        string text = 1;
        int64 count = 2;
        bool glad = 3;
        repeated string tags = 4;
        google.protobuf.Any any = 5;
        optional string hint = 6;
      }
      """;

  private final Server server;
  private final ProtoServices services;
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<Status> cancelled = new LinkedBlockingQueue<>();

  /** What the server was sent. */
  record Request(DynamicMessage message, Metadata metadata) {}

  /** Answers a call. */
  interface Behaviour {
    void answer(Request request, ServerCall<DynamicMessage, DynamicMessage> call);
  }

  GrpcTestService(Behaviour behaviour) throws IOException {
    this(InsecureServerCredentials.create(), behaviour);
  }

  GrpcTestService(ServerCredentials credentials, Behaviour behaviour) throws IOException {
    this.services = services();
    ServerCallHandler<DynamicMessage, DynamicMessage> handler =
        (call, metadata) -> new Answering(call, metadata, behaviour);
    this.server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), credentials)
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder("demo.Greeter")
                    .addMethod(lenient("Hello"), handler)
                    .addMethod(lenient("Follow"), handler)
                    .build())
            .build()
            .start();
  }

  /** A method that may answer with any number of messages. */
  private MethodDescriptor<DynamicMessage, DynamicMessage> lenient(String name) {
    return new GrpcMethodCodec(method(name).descriptor())
        .method().toBuilder().setType(MethodDescriptor.MethodType.SERVER_STREAMING).build();
  }

  private static ProtoServices services() {
    try {
      return Objects.requireNonNull(
          new ProtoLinker((importing, path, offset) -> null)
              .services(new ProtoDocument("greeter.proto", PROTO)));
    } catch (ProtoSyntaxException e) {
      throw new AssertionError(e.problem(), e);
    }
  }

  ProtoMethod method(String name) {
    return Objects.requireNonNull(services.method("Greeter", name));
  }

  int port() {
    return server.getPort();
  }

  /** The next request. */
  Request request() throws InterruptedException {
    return requests.take();
  }

  /** Waits until a call is cancelled. */
  void awaitCancelled() throws InterruptedException {
    cancelled.take();
  }

  /** Answers with some messages and a status. */
  static void answer(
      ServerCall<DynamicMessage, DynamicMessage> call,
      Status status,
      List<DynamicMessage> messages) {
    call.sendHeaders(new Metadata());
    messages.forEach(call::sendMessage);
    call.close(status, new Metadata());
  }

  @Override
  public void close() {
    Server _ = server.shutdownNow();
  }

  private final class Answering extends ServerCall.Listener<DynamicMessage> {
    private final ServerCall<DynamicMessage, DynamicMessage> call;
    private final Metadata metadata;
    private final Behaviour behaviour;
    private @Nullable DynamicMessage message;

    Answering(
        ServerCall<DynamicMessage, DynamicMessage> call, Metadata metadata, Behaviour behaviour) {
      this.call = call;
      this.metadata = metadata;
      this.behaviour = behaviour;
      call.request(2);
    }

    @Override
    public void onMessage(DynamicMessage sent) {
      message = sent;
    }

    @Override
    public void onHalfClose() {
      Request request = new Request(Objects.requireNonNull(message), metadata);
      requests.add(request);
      behaviour.answer(request, call);
    }

    @Override
    public void onCancel() {
      cancelled.add(Status.CANCELLED);
    }
  }
}
