package dev.pinion.core.definition;

import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.secret.SecretSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration lends to new definitions.
 *
 * @param programs kinds of programs that they may run
 * @param documents opens the source of the documents of a definition
 * @param secrets the secrets that their calls will find, or null not to look for them
 */
public record DefinitionResources(
    Set<Program.Kind> programs,
    Supplier<DocumentSource> documents,
    @Nullable SecretSource secrets) {
  /** Any program and no documents; secrets are not looked for. */
  public static final DefinitionResources DEFAULT =
      new DefinitionResources(EnumSet.allOf(Program.Kind.class), DocumentSource::none, null);

  /** Copies the set. */
  public DefinitionResources {
    programs = Set.copyOf(programs);
  }

  /** The same with other programs. */
  public DefinitionResources withPrograms(Set<Program.Kind> kinds) {
    return new DefinitionResources(kinds, documents, secrets);
  }

  /** The same with documents. */
  public DefinitionResources withDocuments(Supplier<DocumentSource> source) {
    return new DefinitionResources(programs, source, secrets);
  }

  /** The same with secrets, of which the missing ones are warned of. */
  public DefinitionResources withSecrets(SecretSource source) {
    return new DefinitionResources(programs, documents, source);
  }
}
