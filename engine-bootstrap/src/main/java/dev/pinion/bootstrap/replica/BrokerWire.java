package dev.pinion.bootstrap.replica;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.spi.BrokerFront.Outcome;
import dev.pinion.core.spi.BrokerFront.Question;
import dev.pinion.core.spi.BrokerFront.Reply;
import dev.pinion.core.spi.BrokerFront.Verb;
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
final class BrokerWire {
  /** Bytes of the longest message: a list of all services. */
  static final int MAX_BYTES = 64 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private BrokerWire() {}

  /** Socket of the broker. */
  static Path socket(String runDirectory) {
    return Path.of(runDirectory, "broker.sock");
  }

  static void send(SocketChannel channel, Question question) throws IOException {
    ObjectNode node = JSON.createObjectNode().put("verb", question.verb().name());
    node.put("collection", question.collection()).put("id", question.id());
    node.put("ifMatch", question.ifMatch()).put("ifNoneMatch", question.ifNoneMatch());
    send(channel, node.put("body", question.body()));
  }

  static Question question(SocketChannel channel) throws IOException {
    JsonNode node = receive(channel);
    return new Question(
        word(Verb.class, node, "verb"),
        node.path("collection").asText(),
        node.path("id").asText(),
        node.path("ifMatch").textValue(),
        node.path("ifNoneMatch").textValue(),
        node.path("body").asText());
  }

  static void send(SocketChannel channel, Reply reply) throws IOException {
    ObjectNode node = JSON.createObjectNode().put("outcome", reply.outcome().name());
    send(
        channel,
        node.put("etag", reply.etag()).put("detail", reply.detail()).put("body", reply.body()));
  }

  static Reply reply(SocketChannel channel) throws IOException {
    JsonNode node = receive(channel);
    Reply reply =
        new Reply(
            word(Outcome.class, node, "outcome"),
            node.path("etag").asText(),
            node.path("detail").asText(),
            node.path("body").asText());
    if (!reply.body().isEmpty()) {
      JSON.readTree(reply.body()); // sent to clients unchanged
    }
    return reply;
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
