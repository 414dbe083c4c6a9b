package dev.pinion.core.api.json;

import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Definitions and their problems as JSON. */
public final class DefinitionJson {
  /** Problems of one definition that an answer lists; the count includes all. */
  static final int MAX_PROBLEMS = 1_000;

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private DefinitionJson() {}

  /** A definition in a list, or after a change of its status. */
  public static Payload summary(DeployedDefinition info) {
    return summary(info, List.of());
  }

  /** A definition that has just been deployed, with warnings. */
  public static Payload summary(DeployedDefinition info, List<Diagnostic> warnings) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("namespace", Payload.of(info.key().namespace()));
    members.put("name", Payload.of(info.key().name()));
    members.put("version", Payload.of(info.key().version()));
    members.put("sha256", Payload.of(info.sha256()));
    members.put("enabled", Payload.of(info.status().enabled()));
    members.put("deployedAt", Payload.of(time(info.status().deployedAtMillis())));
    String title = RequestJson.text(info.document(), "document", "title");
    if (!title.isEmpty()) {
      members.put("title", Payload.of(title));
    }
    List<PinnedDocument> documents = info.text().documents();
    if (!documents.isEmpty()) {
      members.put(
          "documents", Payload.array(documents.stream().map(DefinitionJson::document).toList()));
    }
    if (!warnings.isEmpty()) {
      members.put("warnings", problems(warnings));
    }
    return Payload.object(members);
  }

  /** A time with milliseconds, as everywhere in answers. */
  private static String time(long epochMillis) {
    return TIME.format(Instant.ofEpochMilli(epochMillis));
  }

  private static Payload document(PinnedDocument document) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("uri", Payload.of(document.uri()));
    members.put("sha256", Payload.of(document.sha256()));
    return Payload.object(members);
  }

  public static Payload page(List<DeployedDefinition> infos, @Nullable String next) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("items", Payload.array(infos.stream().map(DefinitionJson::summary).toList()));
    if (next != null) {
      members.put("next", Payload.of(next));
    }
    return Payload.object(members);
  }

  public static Payload problems(List<Diagnostic> problems) {
    return Payload.array(
        problems.stream().limit(MAX_PROBLEMS).map(DefinitionJson::problem).toList());
  }

  private static Payload problem(Diagnostic diagnostic) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("pointer", Payload.of(diagnostic.pointer()));
    members.put("line", Payload.of(diagnostic.line()));
    members.put("column", Payload.of(diagnostic.column()));
    members.put("detail", Payload.of(diagnostic.message()));
    if (diagnostic.suggestion() != null) {
      members.put("suggestion", Payload.of(diagnostic.suggestion()));
    }
    return Payload.object(members);
  }
}
