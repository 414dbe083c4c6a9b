package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What secrets have to do with a call: until the Invoker makes it, what is to be added; afterwards
 * what must not be shown.
 */
public sealed interface SecretParts {
  /**
   * Parts that are still to be added. Holds names of secrets and values of the instance, but no
   * value of a secret.
   *
   * @param policy the authentication, or null
   * @param expressions the parts whose expressions use secrets
   * @param input input of these expressions
   * @param variables the variables that they use, by name, in a fixed order
   */
  record Pending(
      @Nullable AuthenticationPolicy policy,
      DeferredExpressions expressions,
      Payload input,
      Map<String, Payload> variables)
      implements SecretParts {

    /** Heap bytes of the kept values. */
    long heapBytes() {
      long bytes = input.heapBytes();
      for (Payload variable : variables.values()) {
        bytes += variable.heapBytes();
      }
      Payload parameters = policy == null ? null : policy.parameters();
      return bytes + (parameters == null ? 0 : parameters.heapBytes());
    }

    /** A copy with other values of the instance, visited in a fixed order. */
    Pending withValues(UnaryOperator<Payload> each) {
      Payload otherInput = each.apply(input);
      Map<String, Payload> others = new LinkedHashMap<>();
      variables.forEach((name, value) -> others.put(name, each.apply(value)));
      return new Pending(policy, expressions, otherInput, others);
    }
  }

  /**
   * Parts that were added.
   *
   * @param shownUri the URI without what comes from secrets
   * @param hiddenFields names of the header fields that come from secrets, in lower case
   * @param texts the values of secrets in the request
   */
  record Applied(String shownUri, Set<String> hiddenFields, SecretTexts texts)
      implements SecretParts {
    /** Copies the names. */
    public Applied {
      hiddenFields = Set.copyOf(hiddenFields);
    }
  }
}
