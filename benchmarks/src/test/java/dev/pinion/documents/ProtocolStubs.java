package dev.pinion.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.protobuf.ProtoDocument;
import dev.pinion.core.protobuf.ProtoLinker;
import dev.pinion.core.protobuf.ProtoServices;
import dev.pinion.core.protobuf.ProtoSyntaxException;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The services of examples that speak gRPC, MCP, A2A, and by a document of AsyncAPI. */
final class ProtocolStubs implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ACCEPTED = 202;

  /** How examples write the addresses. */
  private static final String SHOWN_GRPC = "port: 9191";

  private static final String SHOWN_RPC = "http://127.0.0.1:9292/";
  private static final String SHOWN_FEED = "'127.0.0.1:9393'";

  private static final String NEWS =
      """
      data: {"topic": "tea", "price": 12}

      data: {"topic": "tea", "price": 4}

      data: {"topic": "tea", "price": 9}

      """;

  private final Server grpc;
  private final HttpServer rpc;

  /**
   * Starts the services.
   *
   * @param proto file that describes the one of gRPC
   */
  ProtocolStubs(Path proto) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Descriptors.MethodDescriptor method = method(proto);
    this.grpc =
        NettyServerBuilder.forAddress(any, InsecureServerCredentials.create())
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(method.getService().getFullName())
                    .addMethod(form(method), (call, _) -> new Greeting(call, method))
                    .build())
            .build()
            .start();
    this.rpc = HttpServer.create(any, 0);
    rpc.createContext("/mcp", exchange -> answer(exchange, ProtocolStubs::ofTool));
    rpc.createContext("/agent", exchange -> answer(exchange, ProtocolStubs::ofAgent));
    rpc.createContext("/news/tea", ProtocolStubs::news);
    rpc.start();
  }

  private static Descriptors.MethodDescriptor method(Path proto) throws IOException {
    try {
      ProtoServices services =
          Objects.requireNonNull(
              new ProtoLinker((importing, path, offset) -> null)
                  .services(new ProtoDocument("greeter.proto", Files.readString(proto))));
      return Objects.requireNonNull(services.method("Greeter", "SayHello")).descriptor();
    } catch (ProtoSyntaxException e) {
      throw new AssertionError(e.problem(), e);
    }
  }

  private static MethodDescriptor<DynamicMessage, DynamicMessage> form(
      Descriptors.MethodDescriptor method) {
    return MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(
            MethodDescriptor.generateFullMethodName(
                method.getService().getFullName(), method.getName()))
        .setRequestMarshaller(new MessageForm(method.getInputType()))
        .setResponseMarshaller(new MessageForm(method.getOutputType()))
        .build();
  }

  /** A definition with the addresses of the services instead of those that it shows. */
  String at(String definition) {
    return definition
        .replace(SHOWN_GRPC, "port: " + grpc.getPort())
        .replace(SHOWN_RPC, "http://127.0.0.1:" + rpc.getAddress().getPort() + "/")
        .replace(SHOWN_FEED, "'127.0.0.1:" + rpc.getAddress().getPort() + "'");
  }

  /** Answers a request of JSON-RPC by its result, and a notification by none. */
  private static void answer(HttpExchange exchange, UnaryOperator<JsonNode> results)
      throws IOException {
    try (exchange) {
      JsonNode request = JSON.readTree(exchange.getRequestBody());
      if (!request.has("id")) {
        exchange.sendResponseHeaders(ACCEPTED, -1);
        return;
      }
      ObjectNode answer = JSON.createObjectNode().put("jsonrpc", "2.0");
      answer.set("id", request.path("id"));
      answer.set("result", results.apply(request));
      byte[] bytes = JSON.writeValueAsBytes(answer);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Takes a message, or sends some as events. */
  private static void news(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(ACCEPTED, -1);
        return;
      }
      byte[] bytes = NEWS.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** A server of MCP with one tool, which doubles a value. */
  private static JsonNode ofTool(JsonNode request) {
    if (request.path("method").asText().equals("initialize")) {
      return JSON.createObjectNode()
          .put("protocolVersion", request.path("params").path("protocolVersion").asText());
    }
    int value = request.path("params").path("arguments").path("value").asInt();
    ObjectNode result = JSON.createObjectNode();
    result.putArray("content").addObject().put("type", "text").put("text", "" + 2 * value);
    return result;
  }

  /** An agent that repeats what it hears. */
  private static JsonNode ofAgent(JsonNode request) {
    JsonNode message = request.path("params").path("message");
    ObjectNode result = JSON.createObjectNode().put("kind", "message").put("role", "agent");
    result.set("parts", message.path("parts"));
    return result;
  }

  @Override
  public void close() {
    Server _ = grpc.shutdownNow();
    rpc.stop(0);
  }

  /** Messages of one type as bytes. */
  private record MessageForm(Descriptor type)
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
        throw new UncheckedIOException(e);
      }
    }
  }

  /** One call, which is answered by a greeting. */
  private static final class Greeting extends ServerCall.Listener<DynamicMessage> {
    private final ServerCall<DynamicMessage, DynamicMessage> call;
    private final Descriptors.MethodDescriptor method;
    private Object name = "";

    Greeting(ServerCall<DynamicMessage, DynamicMessage> call, Descriptors.MethodDescriptor method) {
      this.call = call;
      this.method = method;
      call.request(2);
    }

    @Override
    public void onMessage(DynamicMessage person) {
      name = person.getField(method.getInputType().findFieldByName("name"));
    }

    @Override
    public void onHalfClose() {
      Descriptor type = method.getOutputType();
      call.sendHeaders(new Metadata());
      call.sendMessage(
          DynamicMessage.newBuilder(type)
              .setField(type.findFieldByName("text"), "Hello, " + name + "!")
              .build());
      call.close(Status.OK, new Metadata());
    }
  }
}
