package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import java.util.UUID;

/**
 * Identifies an effect.
 *
 * @param requester its requester
 * @param attempt its number there
 * @param message its message
 * @param step the chain and step, for people
 * @param operation the called operation
 */
record EffectKey(
    UUID requester, long attempt, MessageId message, String step, HandlerOperation operation) {
  static EffectKey of(Frame.Run run) {
    HandlerTask handlerTask = run.task();
    return new EffectKey(
        run.requester(),
        run.attempt(),
        handlerTask.message().id(),
        handlerTask.chain() + "/" + handlerTask.step(),
        handlerTask.operation());
  }
}
