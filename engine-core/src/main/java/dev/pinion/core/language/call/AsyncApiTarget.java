package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task calls of an AsyncAPI document.
 *
 * @param channel the channel
 * @param operation the operation, or null where only the channel is known
 * @param address the address of the channel
 * @param messages its messages
 */
record AsyncApiTarget(
    DocumentValue channel,
    @Nullable DocumentValue operation,
    String address,
    List<DocumentValue> messages) {
  /** Copies the list. */
  AsyncApiTarget {
    messages = List.copyOf(messages);
  }
}
