package dev.pinion.core.definition;

import dev.pinion.core.language.DocumentSource;
import dev.pinion.core.model.Program;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What the configuration lends to new definitions.
 *
 * @param programs kinds of programs that they may run
 * @param documents opens the source of the documents of a definition
 */
public record DefinitionResources(Set<Program.Kind> programs, Supplier<DocumentSource> documents) {
  /** Any program, and no documents. */
  public static final DefinitionResources DEFAULT =
      new DefinitionResources(EnumSet.allOf(Program.Kind.class), DocumentSource::none);

  /** Copies the set. */
  public DefinitionResources {
    programs = Set.copyOf(programs);
  }

  /** The same with other programs. */
  public DefinitionResources withPrograms(Set<Program.Kind> kinds) {
    return new DefinitionResources(kinds, documents);
  }

  /** The same with documents. */
  public DefinitionResources withDocuments(Supplier<DocumentSource> source) {
    return new DefinitionResources(programs, source);
  }
}
