package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionKey;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * How a replica tells another one which definition an answer is about: handlers stand in the
 * replica of the client, and their chain is chosen by it.
 */
final class PeerDefinition {
  static final String FIELD = "pinion-definition";

  private PeerDefinition() {}

  static void tell(Answer answer, DefinitionKey definition) {
    answer.field(FIELD, definition.toString());
  }

  /** What was told, or null. */
  static @Nullable DefinitionKey of(HttpHeaders fields) {
    String told = fields.get(FIELD);
    String[] parts = told == null ? new String[0] : told.split("/", -1);
    return parts.length == 3 ? new DefinitionKey(parts[0], parts[1], parts[2]) : null;
  }
}
