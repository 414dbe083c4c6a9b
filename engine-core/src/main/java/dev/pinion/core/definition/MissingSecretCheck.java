package dev.pinion.core.definition;

import dev.pinion.core.language.field.Findings.SecretUse;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.secret.UnreadableSecretException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the secrets of a definition that cannot be read. Runs when a definition is deployed, and
 * only warns: secrets come and go while definitions stay.
 */
final class MissingSecretCheck {
  private final SecretSource secrets;

  MissingSecretCheck(SecretSource secrets) {
    this.secrets = secrets;
  }

  /** The uses of secrets that cannot be read now. */
  List<Diagnostic> missing(List<SecretUse> uses) {
    Map<String, String> problems = new HashMap<>();
    uses.forEach(use -> problems.computeIfAbsent(use.name(), this::problem));
    return uses.stream()
        .filter(use -> problems.containsKey(use.name()))
        .map(
            use ->
                new Diagnostic(
                    use.pointer(),
                    use.line(),
                    use.column(),
                    Objects.requireNonNull(problems.get(use.name())),
                    null))
        .toList();
  }

  private @Nullable String problem(String name) {
    try {
      return secrets.read(name) == null
          ? "expected a secret \""
              + name
              + "\" in "
              + secrets.description()
              + ", found none; calls that need it fail"
          : null;
    } catch (UnreadableSecretException e) {
      return e.getMessage();
    } catch (RuntimeException e) { // of a source that failed: calls may find it well again
      return "the secret \"" + name + "\" could not be read: " + e.getClass().getSimpleName();
    }
  }
}
