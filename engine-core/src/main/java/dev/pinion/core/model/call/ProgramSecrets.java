package dev.pinion.core.model.call;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a program's run that use secrets. The Invoker makes them when it begins the program, so
 * that no secret enters a kernel.
 *
 * @param expressions the parts
 * @param input input of their expressions
 * @param variables the variables that these use, by name, in a fixed order
 */
public record ProgramSecrets(
    DeferredProgram expressions, Payload input, Map<String, Payload> variables) {
  /**
   * The expressions of these parts.
   *
   * @param pointer JSON pointer of the program, for errors
   * @param secrets names of the secrets that they use
   * @param environment makes further environment variables, or null
   * @param body makes the standard input, or null
   */
  public record DeferredProgram(
      String pointer,
      Set<String> secrets,
      @Nullable Expression<SortedMap<String, String>> environment,
      @Nullable Expression<Payload> body) {
    /** Copies the names. */
    public DeferredProgram {
      secrets = Set.copyOf(secrets);
    }
  }

  /** Heap bytes of the kept values. */
  long heapBytes() {
    long bytes = input.heapBytes();
    for (Payload variable : variables.values()) {
      bytes += variable.heapBytes();
    }
    return bytes;
  }

  /** A copy with other values of the instance, visited in a fixed order. */
  ProgramSecrets withValues(UnaryOperator<Payload> each) {
    Payload otherInput = each.apply(input);
    Map<String, Payload> others = new LinkedHashMap<>();
    variables.forEach((name, value) -> others.put(name, each.apply(value)));
    return new ProgramSecrets(expressions, otherInput, others);
  }
}
