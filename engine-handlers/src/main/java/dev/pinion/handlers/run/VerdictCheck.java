package dev.pinion.handlers.run;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HandlerLimits;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.InapplicableChangeException;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks verdicts against the declarations of handlers, and messages against their bounds. */
final class VerdictCheck {
  private final PayloadCodec codec;
  private final HandlerLimits limits;

  VerdictCheck(EngineLimits limits) {
    this.codec = new PayloadCodec(limits.json());
    this.limits = limits.handlers();
  }

  PayloadCodec codec() {
    return codec;
  }

  /**
   * The message after a verdict; one that stops the message leaves it as it is.
   *
   * @throws InvalidVerdictException when the handler may not return it
   */
  Message apply(@Nullable Verdict verdict, Declaration declared, Message message)
      throws InvalidVerdictException {
    return switch (verdict) {
      case null -> throw new InvalidVerdictException("expected a verdict, found null");
      case Verdict.GoOn goOn -> changed(goOn.changes(), declared, message);
      case Verdict.Answer answer -> stopped(declared, message, answer.body().size());
      case Verdict.Refuse _ -> stopped(declared, message, 0);
    };
  }

  private Message stopped(Declaration declared, Message message, int bytes)
      throws InvalidVerdictException {
    if (!declared.stops()) {
      throw new InvalidVerdictException(
          "expected a handler that did not declare to stop messages to let this one continue,"
              + " found that it stopped it");
    }
    checkBody(bytes);
    return message;
  }

  private Message changed(Changes changes, Declaration declared, Message message)
      throws InvalidVerdictException {
    if (changes.isEmpty()) {
      return message;
    }
    for (Changes.Change change : changes.list()) {
      checkDeclared(change.slot(), declared);
    }
    try {
      Message changed = message.with(changes, codec);
      checkBounds(changed);
      return changed;
    } catch (PayloadSyntaxException | InapplicableChangeException e) {
      throw new InvalidVerdictException(
          "expected changes that fit the message, found: " + e.getMessage());
    }
  }

  private static void checkDeclared(Slot slot, Declaration declared)
      throws InvalidVerdictException {
    for (Slot written : declared.writes()) {
      if (written.covers(slot)) {
        return;
      }
    }
    throw new InvalidVerdictException(
        "expected changes of what the handler declared to write, "
            + declared.writes()
            + ", found one of "
            + slot);
  }

  private void checkBounds(Message message) throws InvalidVerdictException {
    if (message.properties().size() > limits.maxProperties()) {
      throw beyond("properties", "maxProperties", limits.maxProperties());
    }
    for (Map.Entry<String, String> each : message.properties().entrySet()) {
      if (each.getKey().length() + each.getValue().length() > limits.maxPropertyChars()) {
        throw beyond("characters of a property", "maxPropertyChars", limits.maxPropertyChars());
      }
    }
    checkBody(message.body().size());
  }

  private void checkBody(int bytes) throws InvalidVerdictException {
    if (bytes > limits.maxBodyBytes()) {
      throw beyond("bytes of a body", "maxBodyBytes", limits.maxBodyBytes());
    }
  }

  private static InvalidVerdictException beyond(String what, String limit, int most) {
    return new InvalidVerdictException(
        "expected at most " + most + " " + what + " (handlers." + limit + "), found more");
  }
}
