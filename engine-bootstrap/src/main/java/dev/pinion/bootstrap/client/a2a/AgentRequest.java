package dev.pinion.bootstrap.client.a2a;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.client.rpc.RpcMessages;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.A2aCall;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the HTTP requests that carry calls of agents. */
final class AgentRequest {
  /** Fields that the client sets itself. */
  private static final Set<String> OWN = Set.of("accept", "accept-encoding", "content-type");

  /** Methods that send a message. */
  private static final Set<String> MESSAGES = Set.of("message/send", "message/stream");

  private static final String MESSAGE = "message";
  private static final String MESSAGE_ID = "messageId";
  private static final String ROLE = "role";

  private AgentRequest() {}

  /**
   * The request of a call.
   *
   * @param id id of the request in JSON-RPC
   */
  static HttpCall of(A2aCall call, int id) {
    HttpCall request = call.request();
    List<HeaderField> fields = new ArrayList<>();
    for (HeaderField each : request.headers()) {
      if (!OWN.contains(each.name().toLowerCase(Locale.ROOT))) {
        fields.add(each);
      }
    }
    fields.add(new HeaderField("Accept", "application/json, text/event-stream"));
    fields.add(new HeaderField("Accept-Encoding", "identity"));
    return new HttpCall(
        request.method(),
        request.uri(),
        fields,
        RpcMessages.request(id, call.method(), parameters(call)),
        HttpCall.Output.RAW,
        false,
        request.secretParts());
  }

  /** The parameters; a message has an id and a role in any case. */
  private static @Nullable Payload parameters(A2aCall call) {
    Payload given = call.request().body();
    if (given == null
        || !MESSAGES.contains(call.method())
        || !(given.json() instanceof ObjectNode parameters)
        || !(parameters.get(MESSAGE) instanceof ObjectNode message)) {
      return given;
    }
    ObjectNode complete = JsonNodeFactory.instance.objectNode();
    complete.setAll(message);
    if (!message.hasNonNull(MESSAGE_ID)) {
      complete.put(MESSAGE_ID, messageId(call.request()));
    }
    if (!message.hasNonNull(ROLE)) {
      complete.put(ROLE, "user");
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.setAll(parameters);
    all.set(MESSAGE, complete);
    return Payload.of(all);
  }

  /** An id that is the same in all repetitions of a call that has a name. */
  private static String messageId(HttpCall request) {
    for (HeaderField each : request.headers()) {
      if (each.name().equalsIgnoreCase(HttpCall.IDEMPOTENCY_KEY)) {
        return UUID.nameUUIDFromBytes(each.value().getBytes(StandardCharsets.UTF_8)).toString();
      }
    }
    return UUID.randomUUID().toString();
  }
}
