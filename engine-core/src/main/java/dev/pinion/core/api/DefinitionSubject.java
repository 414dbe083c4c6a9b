package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.spi.DefinitionCatalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definition that an exchange is about. A path of an interceptable route names it by the
 * variables {@code namespace}, {@code name} and, unless the newest is meant, {@code version}; that
 * of an instance is known only when its kernel has answered.
 */
final class DefinitionSubject {
  private final DefinitionCatalog definitionCatalog;

  DefinitionSubject(DefinitionCatalog definitionCatalog) {
    this.definitionCatalog = definitionCatalog;
  }

  /** The definition of an exchange, or null when it has none or it is not known. */
  static @Nullable DefinitionKey definition(HttpExchange httpExchange) {
    return (DefinitionKey) httpExchange.subject();
  }

  /**
   * Looks up the definition that the path of a request names.
   *
   * @return null when the path names none, or one that is not deployed
   * @throws ProblemException when this replica does not know all definitions yet
   */
  @Nullable DefinitionKey of(HttpExchange httpExchange) throws ProblemException {
    List<String> variables = httpExchange.route().path().variables();
    if (!variables.contains("namespace")) {
      return null;
    }
    requireAll();
    if (variables.contains("version")) {
      DefinitionKey key =
          new DefinitionKey(
              httpExchange.variable(0), httpExchange.variable(1), httpExchange.variable(2));
      return definitionCatalog.find(key) == null ? null : key;
    }
    DeployedDefinition latest =
        definitionCatalog.latest(httpExchange.variable(0), httpExchange.variable(1));
    return latest == null ? null : latest.key();
  }

  /**
   * Refuses requests while a restarted replica does not know all definitions deployed meanwhile.
   */
  private void requireAll() throws ProblemException {
    if (!definitionCatalog.isComplete()) {
      throw new ProblemException(
          Problem.of(
                  ProblemType.REPLICA_UNAVAILABLE,
                  "expected a replica that knows every definition, found one that still reads them;"
                      + " start again")
              .field("retry-after", "1"));
    }
  }
}
