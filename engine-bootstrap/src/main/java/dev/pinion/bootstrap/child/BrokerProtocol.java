package dev.pinion.bootstrap.child;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Protocol between replicas and broker: over a Unix socket, one query and its response on each
 * connection, each as a length of four bytes and JSON.
 */
public final class BrokerProtocol {
  /** Bytes of the longest message: a list of all services. */
  static final int MAX_BYTES = 64 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private BrokerProtocol() {}

  /** Socket of the broker. */
  public static Path socket(String runDirectory) {
    return Path.of(runDirectory, "broker.sock");
  }

  static void send(SocketChannel channel, BrokerRequest brokerRequest) throws IOException {
    ObjectNode node = JSON.createObjectNode().put("verb", brokerRequest.verb().name());
    node.put("collection", brokerRequest.collection()).put("id", brokerRequest.id());
    node.put("ifMatch", brokerRequest.ifMatch()).put("ifNoneMatch", brokerRequest.ifNoneMatch());
    send(channel, node.put("body", brokerRequest.body()));
  }

  static BrokerRequest question(SocketChannel channel) throws IOException {
    JsonNode node = receive(channel);
    return new BrokerRequest(
        word(Verb.class, node, "verb"),
        node.path("collection").asText(),
        node.path("id").asText(),
        node.path("ifMatch").textValue(),
        node.path("ifNoneMatch").textValue(),
        node.path("body").asText());
  }

  static void send(SocketChannel channel, BrokerResponse brokerResponse) throws IOException {
    ObjectNode node = JSON.createObjectNode().put("outcome", brokerResponse.outcome().name());
    send(
        channel,
        node.put("etag", brokerResponse.etag())
            .put("detail", brokerResponse.detail())
            .put("body", brokerResponse.body()));
  }

  static BrokerResponse reply(SocketChannel channel) throws IOException {
    JsonNode node = receive(channel);
    BrokerResponse brokerResponse =
        new BrokerResponse(
            word(BrokerStatus.class, node, "outcome"),
            node.path("etag").asText(),
            node.path("detail").asText(),
            node.path("body").asText());
    if (!brokerResponse.body().isEmpty()) {
      JSON.readTree(brokerResponse.body()); // sent to clients unchanged
    }
    return brokerResponse;
  }

  private static <T extends Enum<T>> T word(Class<T> type, JsonNode node, String member)
      throws IOException {
    try {
      return Enum.valueOf(type, node.path(member).asText());
    } catch (IllegalArgumentException e) {
      throw new IOException("expected a message with \"" + member + "\", found another one", e);
    }
  }

  private static void send(SocketChannel channel, ObjectNode node) throws IOException {
    byte[] bytes = node.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES) {
      throw new IOException("expected at most " + MAX_BYTES + " bytes, found " + bytes.length);
    }
    ByteBuffer message = ByteBuffer.allocate(Integer.BYTES + bytes.length);
    message.putInt(bytes.length).put(bytes).flip();
    while (message.hasRemaining()) {
      channel.write(message);
    }
  }

  private static JsonNode receive(SocketChannel channel) throws IOException {
    int length = read(channel, Integer.BYTES).getInt();
    if (length < 0 || length > MAX_BYTES) {
      throw new IOException("expected at most " + MAX_BYTES + " bytes, found " + length);
    }
    return JSON.readTree(read(channel, length).array());
  }

  private static ByteBuffer read(SocketChannel channel, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException("expected " + length + " bytes, found " + bytes.position());
      }
    }
    return bytes.flip();
  }
}
