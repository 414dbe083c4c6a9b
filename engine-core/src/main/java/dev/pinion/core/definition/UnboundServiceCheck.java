package dev.pinion.core.definition;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.UnservedRule;
import dev.pinion.core.language.field.Findings.ServiceUse;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.List;
import java.util.SortedSet;

/**
 * Finds the abstract services of a definition that no service serves. Runs when a definition is
 * deployed, not when a deployed one is loaded: services come and go while definitions stay.
 */
final class UnboundServiceCheck {
  /** Abstract services that a message lists. */
  private static final int MAX_LISTED = 10;

  private final BindingSource bindings;

  UnboundServiceCheck(BindingSource bindings) {
    this.bindings = bindings;
  }

  /** Whether definitions with unserved services are refused. */
  boolean refuses() {
    return bindings.rules().unserved() == UnservedRule.REFUSE;
  }

  /** The uses of abstract services that no service serves. */
  List<Diagnostic> unserved(List<ServiceUse> uses) {
    SortedSet<String> served = uses.isEmpty() ? null : bindings.served();
    if (served == null) {
      return List.of();
    }
    return uses.stream()
        .filter(use -> !served.contains(use.name()))
        .map(use -> diagnostic(use, served))
        .toList();
  }

  private static Diagnostic diagnostic(ServiceUse use, SortedSet<String> served) {
    String message =
        "expected an abstract service that a registered one serves, found \"svc://"
            + use.name()
            + "\"; served are "
            + listed(served)
            + "; register a service whose \"serves\" has \""
            + use.name()
            + "\" (bin/pinion broker services --put FILE)";
    return new Diagnostic(
        use.pointer(),
        use.line(),
        use.column(),
        message,
        SpellingSuggestion.of(use.name(), served));
  }

  private static String listed(SortedSet<String> served) {
    if (served.isEmpty()) {
      return "none";
    }
    String first = String.join(", ", served.stream().limit(MAX_LISTED).toList());
    int more = served.size() - MAX_LISTED;
    return more > 0 ? first + " and " + more + " more" : first;
  }
}
