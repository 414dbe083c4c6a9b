package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageSubscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests for messages. Immutable.
 *
 * @param endpoint makes the channel
 * @param secretParts what the Invoker adds, or null
 */
public record MessageSubscriptionTemplate(
    MessageEndpointTemplate endpoint, @Nullable SecretPartsTemplate secretParts)
    implements Expression<MessageSubscription> {
  @Override
  public MessageSubscription evaluate(Payload input, Scope scope, Budget budget) {
    MessageEndpoint channel = endpoint.of(Payload.NULL, Payload.EMPTY_OBJECT, input, scope, budget);
    HttpCall carrier =
        new HttpCall(
            "GET",
            HttpPublishTemplate.uri(channel),
            List.of(),
            null,
            HttpCall.Output.CONTENT,
            false,
            secretParts == null ? null : secretParts.evaluate(input, scope, budget));
    return MessageSubscription.of(channel, carrier);
  }
}
