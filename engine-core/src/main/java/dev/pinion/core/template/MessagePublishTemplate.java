package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.MessagePublish;

/**
 * Makes messages to send over any protocol but HTTP. Immutable.
 *
 * @param endpoint makes the channel
 * @param content makes the content
 */
public record MessagePublishTemplate(
    MessageEndpointTemplate endpoint, MessageContentTemplate content)
    implements Expression<MessagePublish> {
  @Override
  public MessagePublish evaluate(Payload input, Scope scope, Budget budget) {
    MessageContentTemplate.Addressed made = content.evaluate(endpoint, input, scope, budget);
    return new MessagePublish(made.endpoint(), made.carrier());
  }
}
