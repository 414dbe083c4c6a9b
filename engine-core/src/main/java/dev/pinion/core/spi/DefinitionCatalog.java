package dev.pinion.core.spi;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Diagnostic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deployed definitions. Look-ups may be made on any thread and do not block; {@link #deploy}
 * compiles and stores, so it is slow and belongs on an ancillary thread.
 */
public interface DefinitionCatalog {
  /**
   * Compiles a document and, unless asked only to check it, installs it.
   *
   * @param source the document, UTF-8
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @param expected the identity the document must have, or null for any
   * @param dryRun whether to check only
   */
  Deployment deploy(
      byte[] source, String mediaType, @Nullable DefinitionKey expected, boolean dryRun);

  /**
   * Deletes a definition, so that no more instances of it start. Earlier instances continue, and
   * may be retried. Blocks.
   */
  Deletion delete(DefinitionKey key);

  /** Outcome of a deletion. */
  enum Deletion {
    /** It was deleted. */
    DELETED,
    /** It did not exist. */
    UNKNOWN,
    /** The file of the definition has another text now, which was put there by hand. */
    CHANGED,
    /**
     * As many deleted definitions are kept for their instances as {@code definition.maxDefinitions}
     * allows.
     */
    FULL
  }

  /**
   * Disables or enables a definition durably. No instance of a disabled one starts; earlier ones
   * continue. Blocks.
   *
   * @return the definition with its new status, or null when it is not deployed
   */
  @Nullable DeployedDefinition setEnabled(DefinitionKey key, boolean enabled);

  /** Reads whether a definition is enabled, which another replica may have changed. Blocks. */
  void refreshStatus(DefinitionKey key);

  /**
   * Announces that other replicas are about to be admitted; what they have stored meanwhile is not
   * known yet.
   */
  default void markStale() {}

  /**
   * Whether all deployed definitions are known. Until then no client may receive the answer that a
   * definition does not exist, or that a version is the newest.
   */
  default boolean isComplete() {
    return true;
  }

  /**
   * Installs definitions that other replicas have stored since, and forgets those that they have
   * deleted. Blocks.
   */
  default void refresh() {}

  /** A definition, or null when it is not deployed. */
  @Nullable DeployedDefinition find(DefinitionKey key);

  /**
   * The definition of the highest semantic version of a name among those that are enabled, or of
   * all when none is; null when there is none.
   */
  @Nullable DeployedDefinition latest(String namespace, String name);

  /**
   * Definitions ordered by namespace, name and ascending version.
   *
   * @param namespace only of this namespace, or null
   * @param name only of this name, or null
   */
  List<DeployedDefinition> list(@Nullable String namespace, @Nullable String name);

  /** Outcome of a deployment. */
  sealed interface Deployment {
    /**
     * New, and installed.
     *
     * @param warnings possible mistakes
     */
    record Created(DeployedDefinition definition, List<Diagnostic> warnings) implements Deployment {
      /** Without warnings. */
      public Created(DeployedDefinition definition) {
        this(definition, List.of());
      }
    }

    /**
     * The same content was deployed already.
     *
     * @param warnings possible mistakes
     */
    record Unchanged(DeployedDefinition definition, List<Diagnostic> warnings)
        implements Deployment {
      /** Without warnings. */
      public Unchanged(DeployedDefinition definition) {
        this(definition, List.of());
      }
    }

    /** Other content has the same identity. */
    record VersionConflict(DeployedDefinition existing) implements Deployment {}

    /**
     * A dry run without problems.
     *
     * @param warnings possible mistakes
     */
    record Valid(DefinitionKey key, List<Diagnostic> warnings) implements Deployment {
      /** Without warnings. */
      public Valid(DefinitionKey key) {
        this(key, List.of());
      }
    }

    /**
     * Refused.
     *
     * @param problems all problems
     * @param warnings possible mistakes besides
     */
    record Invalid(List<Diagnostic> problems, List<Diagnostic> warnings) implements Deployment {
      /** Without warnings. */
      public Invalid(List<Diagnostic> problems) {
        this(problems, List.of());
      }
    }

    /** Refused because there are too many definitions. */
    record TooManyDefinitions(String limit) implements Deployment {}
  }
}
