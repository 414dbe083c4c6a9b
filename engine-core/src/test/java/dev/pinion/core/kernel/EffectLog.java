package dev.pinion.core.kernel;

import dev.pinion.core.message.Effect;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.call.HttpCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Effects of each instance outside, in order, in a form for comparisons. */
public final class EffectLog {
  private final Map<InstanceId, List<String>> lines = new HashMap<>();

  public List<String> of(InstanceId id) {
    return lines.getOrDefault(id, List.of());
  }

  public void entered(InstanceId id, String pointer) {
    add(id, "enter " + pointer);
  }

  public void invocation(Effect.Invocation invocation) {
    switch (invocation) {
      case Effect.Invoke invoke ->
          add(
              invoke.id(),
              "invoke "
                  + invoke.activity()
                  + "."
                  + invoke.attempt()
                  + " "
                  + (invoke.call() instanceof HttpCall call
                      ? unidentified(call)
                      : invoke.call().description()));
      case Effect.Abort abort ->
          add(abort.id(), "abort " + abort.activity() + "." + abort.attempt());
      case Effect.DeliverCallback _ -> {
        // no step has requested it
      }
    }
  }

  /** The call as the definition made it, without the router's header fields. */
  private static HttpCall unidentified(HttpCall call) {
    return new HttpCall(
        call.method(),
        call.uri(),
        call.headers().stream()
            .filter(field -> !field.name().equals(HttpCall.IDEMPOTENCY_KEY))
            .filter(field -> !field.name().equals(HttpCall.ATTEMPT))
            .toList(),
        call.body(),
        call.output(),
        call.acceptRedirects());
  }

  public void evaluation(InstanceId id, int activity, int attempt) {
    add(id, "evaluate " + activity + "." + attempt);
  }

  private void add(InstanceId id, String line) {
    lines.computeIfAbsent(id, key -> new ArrayList<>()).add(line);
  }
}
