package dev.pinion.core.api.json;

import dev.pinion.core.difference.DocumentChange;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Differences of two versions as JSON. The changes are a JSON Patch (RFC 6902); its readers pass
 * over the member {@code was}.
 */
public final class DifferenceJson {
  private DifferenceJson() {}

  /** The changes that make one version the other. */
  public static Payload of(DefinitionKey from, DefinitionKey to, List<DocumentChange> changes) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("from", key(from));
    members.put("to", key(to));
    members.put("changes", Payload.array(changes.stream().map(DifferenceJson::change).toList()));
    return Payload.object(members);
  }

  private static Payload key(DefinitionKey key) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("namespace", Payload.of(key.namespace()));
    members.put("name", Payload.of(key.name()));
    members.put("version", Payload.of(key.version()));
    return Payload.object(members);
  }

  private static Payload change(DocumentChange change) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("op", Payload.of(change.kind().name().toLowerCase(Locale.ROOT)));
    members.put("path", Payload.of(change.pointer()));
    if (change.before() != null) {
      members.put("was", change.before());
    }
    if (change.after() != null) {
      members.put("value", change.after());
    }
    return Payload.object(members);
  }
}
