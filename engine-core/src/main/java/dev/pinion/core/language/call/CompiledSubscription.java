package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.MessageConsumption;
import dev.pinion.core.language.field.VisibleVariables;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of a call.
 *
 * @param consumption the messages that it consumes
 * @param foreach what to do with each message, or null
 */
public record CompiledSubscription(
    MessageConsumption consumption, @Nullable EventIteration foreach) {
  /** Compiles subscriptions, and the tasks in them. */
  @FunctionalInterface
  public interface SubscriptionFieldCompiler {
    /** The subscription that a value of a definition describes. */
    CompiledSubscription compile(DocumentValue subscription, VisibleVariables visible);
  }
}
