package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.ProgramSecrets.DeferredProgram;
import dev.pinion.core.template.NameValuePairs;
import dev.pinion.core.template.ProgramRunTemplate;
import dev.pinion.core.template.ProgramSecretsTemplate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the parts of one program's run that the Invoker makes: those that use secrets. */
final class DeferredProgramParts {
  private final String pointer;
  private final SecretReferences references;
  private final SecretUses uses;
  private final List<NameValuePairs.Member> variables = new ArrayList<>();
  private @Nullable Expression<Payload> body;

  /**
   * Parts of a run.
   *
   * @param pointer JSON pointer of the program
   * @param uses collects what its parts use
   */
  DeferredProgramParts(String pointer, SecretReferences references, SecretUses uses) {
    this.pointer = pointer;
    this.references = references;
    this.uses = uses;
  }

  /** Whether the Invoker has to make a part. */
  boolean defers(DocumentValue part) {
    return references.usesSecrets(part, false);
  }

  /** Adds an environment variable. */
  void variable(DocumentValue source, NameValuePairs.Member member) {
    uses.note(source, false);
    variables.add(member);
  }

  /** Sets the standard input. */
  void body(DocumentValue source, Expression<Payload> made) {
    uses.note(source, false);
    body = made;
  }

  /** What the Invoker adds; null for nothing. */
  @Nullable ProgramSecretsTemplate template() {
    if (variables.isEmpty() && body == null) {
      return null;
    }
    DeferredProgram deferred =
        new DeferredProgram(
            pointer,
            uses.secrets(),
            variables.isEmpty() ? null : ProgramRunTemplate.variables(NameValuePairs.of(variables)),
            body);
    return new ProgramSecretsTemplate(deferred, uses.captured());
  }
}
