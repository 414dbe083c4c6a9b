package dev.pinion.core.spi;

import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deployed definitions. Look-ups may be made on any thread and do not block; {@link #deploy}
 * compiles and stores, so it takes its time and belongs on an ancillary thread.
 */
public interface Definitions {
  /**
   * Compiles a document and, unless asked only to check it, installs it.
   *
   * @param source the document, UTF-8
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @param expected the identity the document must have, or null for whatever it says
   * @param dryRun whether to check only
   */
  Deployment deploy(
      byte[] source, String mediaType, @Nullable DefinitionKey expected, boolean dryRun);

  /**
   * Deletes a definition: nothing is started of it any more. Instances that were started before go
   * on, and may be retried. Blocks.
   */
  Deletion delete(DefinitionKey key);

  /** What became of a definition that was to be deleted. */
  enum Deletion {
    /** It is no more. */
    DELETED,
    /** It was not there. */
    UNKNOWN,
    /** Where it is kept there is another text now, which somebody put there by hand. */
    CHANGED,
    /** As many are kept for their instances as {@code definition.maxDefinitions} says. */
    FULL
  }

  /** Other replicas are about to be let in; what they have stored meanwhile is not known yet. */
  default void expectRefresh() {}

  /**
   * Whether everything is known that has been deployed. Until then nobody may be told that a
   * definition does not exist, or that a version is the newest.
   */
  default boolean isComplete() {
    return true;
  }

  /** Installs what other replicas have stored since, and forgets what they have deleted. Blocks. */
  default void refresh() {}

  /** A definition, or null when it is not deployed. */
  @Nullable DefinitionInfo find(DefinitionKey key);

  /** The definition of the highest semantic version of a name, or null when there is none. */
  @Nullable DefinitionInfo latest(String namespace, String name);

  /**
   * Definitions ordered by namespace, name and ascending version.
   *
   * @param namespace only of this namespace, or null
   * @param name only of this name, or null
   */
  List<DefinitionInfo> list(@Nullable String namespace, @Nullable String name);

  /** How a deployment ended. */
  sealed interface Deployment {
    /**
     * New, and installed.
     *
     * @param warnings what may not be as it was meant
     */
    record Created(DefinitionInfo definition, List<Diagnostic> warnings) implements Deployment {
      /** Without warnings. */
      public Created(DefinitionInfo definition) {
        this(definition, List.of());
      }
    }

    /**
     * The same content was there already.
     *
     * @param warnings what may not be as it was meant
     */
    record Unchanged(DefinitionInfo definition, List<Diagnostic> warnings) implements Deployment {
      /** Without warnings. */
      public Unchanged(DefinitionInfo definition) {
        this(definition, List.of());
      }
    }

    /** Other content stands under the same identity. */
    record Conflict(DefinitionInfo existing) implements Deployment {}

    /**
     * A dry run found nothing wrong.
     *
     * @param warnings what may not be as it was meant
     */
    record Valid(DefinitionKey key, List<Diagnostic> warnings) implements Deployment {
      /** Without warnings. */
      public Valid(DefinitionKey key) {
        this(key, List.of());
      }
    }

    /** Refused; every problem found. */
    record Invalid(List<Diagnostic> problems) implements Deployment {}

    /** Refused because no more definitions fit. */
    record Full(String limit) implements Deployment {}
  }
}
