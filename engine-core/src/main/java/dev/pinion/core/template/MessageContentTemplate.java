package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageProtocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the content of a message, as the request that carries it. Immutable.
 *
 * @param payload makes the payload, or null for none
 * @param headers the headers
 * @param check checks the payload, or null
 * @param secretParts what the Invoker adds, or null
 */
public record MessageContentTemplate(
    @Nullable Expression<Payload> payload,
    NameValuePairs headers,
    @Nullable Expression<Payload> check,
    @Nullable SecretPartsTemplate secretParts) {
  private static final String CONTENT_TYPE = "Content-Type";

  /**
   * A message and its channel.
   *
   * @param carrier the request that carries it, in full for HTTP
   */
  record Addressed(MessageEndpoint endpoint, HttpCall carrier) {}

  /**
   * A message.
   *
   * @throws ExpressionException when a part is not of the expected form
   */
  Addressed evaluate(MessageEndpointTemplate endpoint, Payload input, Scope scope, Budget budget) {
    Payload made = payload == null ? null : payload.evaluate(input, scope, budget);
    if (made != null && check != null) {
      check.evaluate(made, scope, budget);
    }
    List<NameValuePairs.Entry> entries = headers.evaluate(input, scope, budget);
    MessageEndpoint channel =
        endpoint.of(made == null ? Payload.NULL : made, object(entries), input, scope, budget);
    if (!channel.protocol().hasHeaders() && !entries.isEmpty()) {
      throw new ExpressionException(
          "expected no headers of a message over "
              + channel.protocol().word()
              + ", which has none, found \""
              + entries.getFirst().name()
              + "\""
              + entries.getFirst().place());
    }
    HttpCall carrier =
        new HttpCall(
            channel.options().method(),
            HttpPublishTemplate.uri(channel),
            fields(channel, entries),
            made,
            HttpCall.Output.CONTENT,
            false,
            secretParts == null ? null : secretParts.evaluate(input, scope, budget));
    return new Addressed(channel, carrier);
  }

  /** The headers as an object; of equal names the last counts. */
  private static Payload object(List<NameValuePairs.Entry> entries) {
    Map<String, Payload> members = new LinkedHashMap<>();
    entries.forEach(entry -> members.put(entry.name(), Payload.of(entry.value())));
    return Payload.object(members);
  }

  private static List<HttpCall.HeaderField> fields(
      MessageEndpoint channel, List<NameValuePairs.Entry> entries) {
    List<HttpCall.HeaderField> fields = new ArrayList<>(HttpFieldSyntax.headers(entries));
    boolean typed = fields.stream().anyMatch(each -> each.name().equalsIgnoreCase(CONTENT_TYPE));
    if (channel.protocol() == MessageProtocol.HTTP && !typed) {
      fields.add(new HttpCall.HeaderField(CONTENT_TYPE, channel.contentType()));
    }
    return fields;
  }
}
