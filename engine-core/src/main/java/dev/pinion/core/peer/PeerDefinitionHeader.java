package dev.pinion.core.peer;

import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Fields in which a replica reports the definition of an answer to another one: handlers run in the
 * replica of the client, and the definition selects their chain.
 */
public final class PeerDefinitionHeader {
  static final String FIELD = "pinion-definition";

  private PeerDefinitionHeader() {}

  public static void tell(Response response, DefinitionKey definition) {
    response.field(FIELD, definition.toString());
  }

  /** The definition reported, or null. */
  static @Nullable DefinitionKey of(HttpHeaders fields) {
    String told = fields.get(FIELD);
    String[] parts = told == null ? new String[0] : told.split("/", -1);
    return parts.length == 3 ? new DefinitionKey(parts[0], parts[1], parts[2]) : null;
  }
}
