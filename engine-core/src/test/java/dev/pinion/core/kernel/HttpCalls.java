package dev.pinion.core.kernel;

import dev.pinion.core.message.Effect;
import dev.pinion.core.model.call.HttpCall;

/** HTTP calls among the effects of a kernel. */
public final class HttpCalls {
  private HttpCalls() {}

  /** The HTTP call that an effect asks for. */
  public static HttpCall of(Effect.Invoke invoke) {
    return (HttpCall) invoke.call();
  }
}
