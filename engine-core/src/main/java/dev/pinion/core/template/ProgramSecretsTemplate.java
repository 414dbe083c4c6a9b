package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.ProgramSecrets;
import dev.pinion.core.model.call.ProgramSecrets.DeferredProgram;
import java.util.Map;
import java.util.Set;

/**
 * Prepares what the Invoker adds to the run of a program: keeps the values that the expressions
 * with secrets will use. Immutable.
 *
 * @param expressions expressions that use secrets
 * @param captured names of the variables that these use
 */
public record ProgramSecretsTemplate(DeferredProgram expressions, Set<String> captured)
    implements Expression<ProgramSecrets> {
  /** Copies the names. */
  public ProgramSecretsTemplate {
    captured = Set.copyOf(captured);
  }

  @Override
  public ProgramSecrets evaluate(Payload input, Scope scope, Budget budget) {
    Map<String, Payload> variables = SecretPartsTemplate.variables(captured, scope, budget);
    return new ProgramSecrets(expressions, input, variables);
  }
}
